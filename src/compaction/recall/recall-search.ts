// Finds what was said in a session. Idea: BM25 over its messages and tool results. The first pass over the store counts
// how common each term is, the second ranks and keeps the best few with their excerpts, so memory is flat.

import type { SessionEntry, SessionStore } from "../../contracts/session.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { sliceCharacters } from "../../text/cut.js";
import { BranchFinder } from "./recall-branch.js";
import type { Term } from "./recall-terms.js";
import { type Said, saidIn } from "./recall-text.js";

export interface SearchRequest {
  readonly sessions: SessionStore;
  readonly sessionId: string;
  readonly artifacts: ArtifactStore | undefined;
  /** Whose calls and results do not count: they only repeat what was said. */
  readonly ownName: string;
  readonly signal: AbortSignal;
}

export interface Hit extends Omit<Said, "text"> {
  readonly excerpt: string;
  readonly score: number;
  /** Where the excerpt begins in the whole text. Unit: characters. */
  readonly offset: number;
}

/** BM25's usual constants: how soon repeating a term stops to count, and how much length counts. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
/** Occurrences of a term that are looked at in one text. */
const MAX_OCCURRENCES = 200;
const EXCERPT_CHARS = 320;
/** What an excerpt shows before the first occurrence. */
const LEAD_CHARS = 60;

/** The best hits, best first, and how many entries match at all. */
export async function search(request: SearchRequest, terms: readonly Term[], maxHits: number) {
  const { rarity, meanLength, spans } = await survey(request, terms);
  const best: Hit[] = [];
  let total = 0;
  for await (const said of everythingSaid(request, spans)) {
    const found = terms.map(({ pattern }) => placesOf(pattern, said.text));
    const isAnswer = found.some((places) => places.length > 0);
    if (!isAnswer || terms.some(({ isRequired }, index) => isRequired && found[index]!.length === 0)) continue;
    total++;
    const length = LENGTH_SHARE * (said.text.length / meanLength) + 1 - LENGTH_SHARE;
    const score = scoreOf(found, rarity, length);
    const last = best.at(-1);
    // Of equals the newer one is likelier to hold still.
    if (last && best.length === maxHits && last.score > score) continue;
    const { text, ...about } = said;
    const hit = { ...about, score, ...excerptOf(text, found, rarity) };
    const place = best.findIndex((each) => each.score <= score);
    best.splice(place < 0 ? best.length : place, 0, hit);
    if (best.length > maxHits) best.pop();
  }
  return { hits: best, total };
}

/** What one entry said; `null` when the session has no such entry on its branch, or it says nothing. */
export async function findSaid(request: SearchRequest, entryId: string): Promise<Said | null> {
  const { spans } = await survey(request, []);
  for await (const entry of entriesIn(request, spans)) {
    if (entry.id === entryId) return saidIn(entry, "", request.artifacts);
  }
  return null;
}

async function survey(request: SearchRequest, terms: readonly Term[]) {
  const { sessions, sessionId, artifacts, ownName, signal } = request;
  const branch = new BranchFinder();
  const texts = terms.map(() => 0);
  let count = 0;
  let chars = 0;
  for await (const entry of sessions.read(sessionId)) {
    signal.throwIfAborted();
    branch.see(entry);
    const said = terms.length === 0 ? null : await saidIn(entry, ownName, artifacts);
    if (!said) continue;
    count++;
    chars += said.text.length;
    for (const [index, { pattern }] of terms.entries()) {
      pattern.lastIndex = 0;
      if (pattern.test(said.text)) texts[index]!++;
    }
  }
  if (branch.wasRewound) await branch.locate(sessions.read(sessionId));
  const rarity = terms.map(
    ({ weight }, index) => weight * Math.log(1 + (count - texts[index]! + 0.5) / (texts[index]! + 0.5)),
  );
  return { rarity, meanLength: Math.max(1, chars / Math.max(1, count)), spans: branch.spans() };
}

async function* everythingSaid(request: SearchRequest, spans: readonly (readonly [number, number])[]) {
  for await (const entry of entriesIn(request, spans)) {
    const said = await saidIn(entry, request.ownName, request.artifacts);
    if (said) yield said;
  }
}

async function* entriesIn(
  { sessions, sessionId, signal }: SearchRequest,
  spans: readonly (readonly [number, number])[],
): AsyncGenerator<SessionEntry> {
  const left = [...spans];
  let index = 0;
  for await (const entry of sessions.read(sessionId)) {
    signal.throwIfAborted();
    const span = left.at(-1);
    // What was recorded since the first pass is the call that asks.
    if (!span) return;
    if (index >= span[0]) yield entry;
    if (index === span[1]) left.pop();
    index++;
  }
}

function placesOf(pattern: RegExp, text: string): number[] {
  const places: number[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match && places.length < MAX_OCCURRENCES; match = pattern.exec(text)) {
    places.push(match.index);
  }
  return places;
}

/** BM25, more of it the more of the query is there. */
function scoreOf(found: readonly (readonly number[])[], rarity: readonly number[], length: number): number {
  let score = 0;
  let present = 0;
  let asked = 0;
  for (const [index, places] of found.entries()) {
    const weight = rarity[index]!;
    asked += weight;
    if (places.length === 0) continue;
    present += weight;
    score += (weight * places.length * (SATURATION + 1)) / (places.length + SATURATION * length);
  }
  return score * (0.5 + 0.5 * (present / (asked || 1)));
}

/** The stretch of a string where most of the query is found together. */
function excerptOf(text: string, found: readonly (readonly number[])[], rarity: readonly number[]) {
  const places = found.flatMap((each, term) => each.map((at) => ({ at, term }))).sort((a, b) => a.at - b.at);
  let best = { value: -1, at: 0 };
  for (const [index, { at }] of places.entries()) {
    const terms = new Set<number>();
    for (let next = index; next < places.length && places[next]!.at < at + EXCERPT_CHARS - LEAD_CHARS; next++) {
      terms.add(places[next]!.term);
    }
    const value = [...terms].reduce((sum, term) => sum + rarity[term]!, 0);
    if (value > best.value) best = { value, at };
  }
  const offset = Math.max(0, best.at - LEAD_CHARS);
  const stretch = sliceCharacters(text, offset, offset + EXCERPT_CHARS);
  const before = offset > 0 ? "…" : "";
  const after = offset + EXCERPT_CHARS < text.length ? "…" : "";
  return { offset, excerpt: `${before}${stretch.trim()}${after}` };
}
