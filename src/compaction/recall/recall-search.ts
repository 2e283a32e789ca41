// Finds what was said in a session. Idea: one pass over the store feeds an index that keeps only numbers about the query's words;
// the texts of the few best entries are read again for their excerpts.
import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { WordIndex } from "../../text/word-index.js";
import { BranchFinder } from "./recall-branch.js";
import { excerptOf } from "./recall-excerpt.js";
import type { RecallQuery } from "./recall-query.js";
import { type Said, saidIn } from "./recall-text.js";

export interface SearchRequest {
  readonly sessions: SessionStore;
  readonly sessionId: string;
  readonly artifacts: ArtifactStore | undefined;
  /** A tool whose calls and results do not count: they only repeat what was said. */
  readonly ownName: string;
  readonly signal: AbortSignal;
}

export interface Hit extends Omit<Said, "text"> {
  readonly excerpt: string;
  /** The start of the excerpt in the whole text. Unit: characters. */
  readonly offset: number;
}

/** The hits from one place to another, best first, and how many entries match at all. */
export async function search(request: SearchRequest, query: RecallQuery, from: number, to: number) {
  const { index, places, isOnBranch } = await readAll(request, query);
  const scores = new Map(index.rank(query.words).map((match) => [match.index, match.score]));
  // An entry that has what was quoted matches, whatever words it has.
  const matching = query.quoted.length > 0 ? places.map((_, at) => at) : [...scores.keys()];
  const ranked = matching.filter((at) => isOnBranch(places[at]!));
  // The newer of two equals is likelier to hold still.
  ranked.sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || b - a);
  const shown = ranked.slice(from, to).map((at) => places[at]!);
  return { hits: await hitsAt(request, shown, (text) => excerptOf(text, query, index)), total: ranked.length };
}

/** The text of one entry; `null` when the session has no such entry on its branch, or it says nothing. */
export async function findSaid(request: SearchRequest, entryId: string): Promise<Said | null> {
  const branch = new BranchFinder();
  let found: { readonly entry: SessionEntry; readonly place: number } | undefined;
  for await (const [place, entry] of entriesIn(request)) {
    branch.see(entry);
    if (entry.id === entryId) found = { entry, place };
  }
  if (!found || !(await branchTest(request, branch))(found.place)) return null;
  return saidIn(found.entry, "", request.artifacts);
}

/** Every entry that may match in the index, and its place in the session. */
async function readAll(request: SearchRequest, query: RecallQuery) {
  const branch = new BranchFinder();
  const index = new WordIndex({ only: query.words });
  const places: number[] = [];
  for await (const [place, entry] of entriesIn(request)) {
    branch.see(entry);
    const said = await saidIn(entry, request.ownName, request.artifacts);
    if (!said || !query.quoted.every((phrase) => phrase.test(said.text))) continue;
    index.add([{ text: said.text }]);
    places.push(place);
  }
  return { index, places, isOnBranch: await branchTest(request, branch) };
}

async function branchTest({ sessions, sessionId }: SearchRequest, branch: BranchFinder) {
  if (branch.wasRewound) await branch.locate(sessions.read(sessionId));
  const spans = branch.spans();
  return (place: number) => spans.some(([start, end]) => place >= start && place <= end);
}

async function hitsAt(
  request: SearchRequest,
  shown: readonly number[],
  excerpt: (text: string) => Pick<Hit, "excerpt" | "offset">,
): Promise<Hit[]> {
  const hits = new Map<number, Hit>();
  for await (const [place, entry] of entriesIn(request)) {
    if (hits.size === shown.length) break;
    if (!shown.includes(place)) continue;
    const said = await saidIn(entry, request.ownName, request.artifacts);
    if (!said) continue;
    const { text, ...about } = said;
    hits.set(place, { ...about, ...excerpt(text) });
  }
  return shown.flatMap((place) => hits.get(place) ?? []);
}

async function* entriesIn({ sessions, sessionId, signal }: SearchRequest): AsyncGenerator<[number, SessionEntry]> {
  let place = 0;
  for await (const entry of sessions.read(sessionId)) {
    signal.throwIfAborted();
    yield [place++, entry];
  }
}
