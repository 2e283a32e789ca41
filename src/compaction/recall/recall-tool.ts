import { ToolError } from "../../contracts/errors.js";
import type { SessionStore } from "../../contracts/session.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { ArtifactRef, ArtifactStore } from "../../contracts/workspace.js";
import { defineTool } from "../../engine/tools/define-tool.js";
import { checkOptions, type OptionTable, required, withMethods } from "../../json/check-options.js";
import { OWN_WORDS } from "../../labels/join-labels.js";
import { sliceCharacters } from "../../text/cut.js";
import { readQuery } from "./recall-query.js";
import { findSaid, type Hit, type SearchRequest, search } from "./recall-search.js";

/** Options of `createRecallTool()`. */
export interface RecallToolOptions {
  /** The store the engine uses. */
  readonly sessions: SessionStore;
  /** The store of large results. Default: the engine's. */
  readonly artifacts?: ArtifactStore | undefined;
}

/** The tool's input: a question or an entry, and a page. */
export interface RecallInput {
  readonly query?: string;
  readonly entry?: string;
  readonly page?: number;
}

const NAME = "recall";
const HITS_A_PAGE = 8;
const MAX_PAGES = 10;
/** The page of an entry that is read whole. */
const CHARS_A_PAGE = 8_000;

const description = `Finds what was said and done earlier in this session, also what is no longer in your context: search ("query";
an exact phrase in double quotes), then read one entry in full by its id ("entry").`;

const OPTIONS = {
  sessions: required(withMethods("read")),
  artifacts: withMethods("get"),
} satisfies OptionTable<RecallToolOptions>;

/**
 * The tool `recall`: searches the whole transcript of the session it is called in, and its artifacts, by words.
 *
 * Answers ranked excerpts with the ids of their entries; with an id it gives the whole entry. Both come in pages, at most
 * about 8,000 characters each. Knows the current branch alone: neither other sessions nor what a rewind left behind. A
 * sub-agent searches its own transcript. Keeps a few numbers for each entry while it searches, not the texts; artifacts over 16 MiB
 * are not searched.
 */
export function createRecallTool(options: RecallToolOptions): BaseTool<RecallInput> {
  checkOptions("createRecallTool()", options, OPTIONS);
  const { sessions, artifacts } = options;
  return defineTool<RecallInput>({
    name: NAME,
    description,
    permission: "none",
    returns: OWN_WORDS,
    describe: ({ query, entry = "" }) => ({
      title: query ? `Recall ${JSON.stringify(query)}` : `Recall ${entry}`,
      kind: "read",
    }),
    replayable: true,
    input: {
      type: "object",
      properties: {
        query: { type: "string", description: 'Words to search for, such as: port "staging database" src/config.ts' },
        entry: { type: "string", description: "The id of an entry to read in full, instead of a query." },
        page: { type: "integer", minimum: 1, description: "Which page. Default: 1." },
      },
      additionalProperties: false,
    },
    async execute({ query = "", entry = "", page = 1 }, context) {
      if ((query.trim() === "") === (entry === "")) throw invalid('Pass either "query" or "entry".');
      const { transcriptId: sessionId, signal } = context;
      const request = { sessions, sessionId, artifacts: artifacts ?? context.artifacts, ownName: NAME, signal };
      return entry === "" ? answerQuery(request, query, page) : answerEntry(request, entry, page);
    },
  });
}

async function answerQuery(request: SearchRequest, query: string, page: number): Promise<string> {
  const asked = readQuery(query);
  if (!asked) throw invalid(`The query ${JSON.stringify(query)} has no words to search for.`);
  if (page > MAX_PAGES) throw invalid(`There are at most ${MAX_PAGES} pages. Use words that are rarer.`);
  const { hits, total } = await search(request, asked, (page - 1) * HITS_A_PAGE, page * HITS_A_PAGE);
  if (total === 0) return "Nothing in this session matches. Try other words, fewer of them, or leave the quotes out.";
  const pages = Math.min(MAX_PAGES, Math.ceil(total / HITS_A_PAGE));
  if (hits.length === 0) throw invalid(`Page ${page} does not exist: ${matches(total)}, on ${pages} pages.`);
  const next = page < pages ? ` More: the same query with "page": ${page + 1}.` : "";
  return [
    `${matches(total)}, best first (page ${page} of ${pages}).`,
    ...hits.map(hitText),
    `To read one in full, pass its id as "entry".${next}`,
  ].join("\n\n");
}

function matches(total: number): string {
  return total === 1 ? "1 entry matches" : `${total} entries match`;
}

function hitText({ entryId, by, at, excerpt, offset, artifact }: Hit): string {
  const page = Math.floor(offset / CHARS_A_PAGE) + 1;
  const where = page > 1 ? `, on its page ${page}` : "";
  return `[${entryId}] ${by}, ${timeOf(at)}${where}${placeOf(artifact)}\n${quoted(excerpt)}`;
}

/** So that what stands in a string is never taken for a hit of its own. */
function quoted(text: string): string {
  return text.replace(/^/gm, "> ");
}

async function answerEntry(request: SearchRequest, entryId: string, page: number): Promise<string> {
  const said = await findSaid(request, entryId);
  if (!said)
    throw invalid(`This session has no entry "${entryId}" that says anything. Take an id from the result of a query.`);
  const pages = Math.ceil(said.text.length / CHARS_A_PAGE);
  if (page > pages)
    throw invalid(`Entry "${entryId}" has ${pages === 1 ? "1 page" : `${pages} pages`}; page ${page} does not exist.`);
  const next = page < pages ? ` More: the same entry with "page": ${page + 1}.` : "";
  return `[${entryId}] ${said.by}, ${timeOf(said.at)}${placeOf(said.artifact)} (page ${page} of ${pages}).${next}\n\n${sliceCharacters(said.text, (page - 1) * CHARS_A_PAGE, page * CHARS_A_PAGE)}`;
}

function placeOf(artifact: ArtifactRef | undefined): string {
  return artifact ? `, whole in ${JSON.stringify(artifact.path)}` : "";
}

function timeOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "some time" : date.toISOString().slice(0, 16).replace("T", " ");
}

function invalid(message: string): ToolError {
  return new ToolError("TOOL_INPUT_INVALID", { message });
}
