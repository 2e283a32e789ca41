import { ToolError } from "../../contracts/errors.js";
import type { BaseTool } from "../../contracts/tool.js";
import { byDefault, checkOptions, FUNCTION, numberFrom, type OptionTable, required } from "../../json/check-options.js";
import { type InputOf, object, string } from "../../schema/fields.js";
import { clip } from "../../text/cut.js";
import { defineBuiltinTool } from "../define-builtin-tool.js";

const MAX_TITLE_CHARS = 200;
const MAX_URL_CHARS = 2_000;
const MAX_SNIPPET_CHARS = 1_000;

const webSearchInput = object({
  query: string("What to look for, in a few words.", { trim: true, minLength: 1, maxLength: 1_000 }),
});

/** One hit of a search. */
export interface WebSearchResult {
  readonly title: string;
  /** http or https; other results are left out. */
  readonly url: string;
  readonly snippet?: string;
}

/** Options of the tool `web_search`. */
export interface WebSearchOptions {
  /** Asks a search service of the host's choice. What it throws is asked to the model. Best results first. */
  search(
    query: string,
    about: { readonly maxResults: number; readonly signal: AbortSignal },
  ): Promise<readonly WebSearchResult[]> | readonly WebSearchResult[];
  /** Results shown. Default: 10. */
  readonly maxResults?: number | undefined;
}

export const WEB_SEARCH_OPTIONS = {
  search: required(FUNCTION),
  maxResults: byDefault(10, numberFrom(1, "results")),
} satisfies OptionTable<WebSearchOptions>;

/**
 * The tool `web_search`: puts a query to the host's `search` and answers with a numbered list.
 *
 * Titles, addresses and snippets are bounded and each on a line of its own; `details` holds the `results` as shown.
 *
 * @throws ConfigurationError `OPTION_INVALID` without a `search` function
 */
export function createWebSearchTool(options: WebSearchOptions): BaseTool<InputOf<typeof webSearchInput>> {
  const { search, maxResults } = checkOptions("createWebSearchTool()", options, WEB_SEARCH_OPTIONS);

  return defineBuiltinTool({
    name: "web_search",
    description: "Searches the web. Returns a numbered list of titles, URLs and excerpts.",
    input: webSearchInput,
    permission: "execute",
    effects: {},
    returns: { integrity: "untrusted", sources: [{ kind: "web", name: "web_search" }] },
    describe: ({ query = "" }) => ({ title: `Search the web for ${JSON.stringify(query)}`, kind: "fetch" }),
    // It reads from elsewhere: asking twice does no harm.
    onUnknown: "retry",
    // Touches nothing another call could.
    claims: () => [],
    async execute({ query }, { signal }) {
      const found: unknown = await search.call(options, query, { maxResults, signal });
      if (!Array.isArray(found)) throw broken("no list");
      const results = found.map(resultOf).filter((result) => result !== null);
      if (found.length > 0 && results.length === 0) throw broken("no result with a title and an http(s) address");
      const shown = results.slice(0, maxResults);
      return { output: listOf(query, shown), details: { results: shown } };
    },
  });
}

type ShownResult = { readonly title: string; readonly url: string; readonly snippet: string };

function resultOf(found: unknown): ShownResult | null {
  if (typeof found !== "object" || found === null) return null;
  const { title, url, snippet } = found as Record<string, unknown>;
  if (typeof title !== "string" || typeof url !== "string" || url.length > MAX_URL_CHARS) return null;
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address?.protocol !== "http:" && address?.protocol !== "https:") return null;
  const about = typeof snippet === "string" ? oneLine(snippet, MAX_SNIPPET_CHARS) : "";
  return { title: oneLine(title, MAX_TITLE_CHARS) || address.host, url: address.href, snippet: about };
}

function listOf(query: string, results: readonly ShownResult[]): string {
  if (results.length === 0) return `No results for "${query}". Try other words.`;
  return results
    .map(({ title, url, snippet }, index) => [`${index + 1}. ${title}`, url, snippet].filter(Boolean).join("\n   "))
    .join("\n");
}

/** A result cannot look like two: no line breaks, no control characters. */
function oneLine(text: string, maxChars: number): string {
  const line = text
    .slice(0, maxChars * 4)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return clip(line, maxChars);
}

function broken(what: string): ToolError {
  return new ToolError("TOOL_FAILED", {
    message: `The host's search function answered with ${what}. This is a bug in the host's function; continue without it.`,
  });
}
