// How the site's search finds and ranks: pages that say how to do something come before those that list or record.
import { readFileSync } from "node:fs";
import type { DefaultTheme } from "vitepress";
import { API } from "./pages.js";

type MiniSearch = NonNullable<DefaultTheme.LocalSearchOptions["miniSearch"]>;

/**
 * The form of a word in which it is indexed and asked for, so that "upgrade" finds "Upgrading". A name is found by each of its words,
 * too, and as a title by itself, so that who asks for it as it is written finds it first.
 *
 * It runs in the visitor's browser as source text, as `rankOf` does: neither can use anything outside of itself.
 */
function wordForms(term: string, field?: string): string | string[] {
  const stem = (word: string) => {
    const lower = word.toLowerCase();
    if (!/^[a-z]{4,}$/.test(lower)) return lower;
    const singular = lower.replace(/ie[sd]$/, "y").replace(/([^sui])s$/, "$1");
    return singular
      .replace(/^(.*[aeiouy].*?)(?:ing|ed|ation|ion|al)$/, "$1")
      .replace(/([bdgmnprt])\1$/, "$1")
      .replace(/(..)e$/, "$1");
  };
  const parts = term.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  if (parts.length === 1) return stem(term);
  const name = term.toLowerCase();
  const isTitle = field === undefined || field === "title"; // A query has no field.
  return [name, ...(isTitle ? [`=${name}`] : []), ...parts.map(stem)];
}

/**
 * How much a word counts on a page, by what kind of page it is, and whether it is found in the beginning of the page or in a section
 * further down.
 */
function rankOf(id: string, word: string, stored?: Record<string, unknown>): number {
  if (/\/api\//.test(id)) return word.startsWith("=") ? 3 : 0.2;
  if (/\/(?:decisions|contributing)\/|\/(?:architecture|README|benchmarks)\b/.test(id)) return 0.15;
  const kind = /\/(?:concepts|reference|migrate)\//.test(id) ? 0.7 : 1;
  const isBeginning = (stored?.titles as readonly string[] | undefined)?.length === 0;
  return isBeginning ? 1.4 * kind : kind;
}

export const miniSearch: MiniSearch = {
  options: { processTerm: wordForms },
  searchOptions: {
    boost: { title: 5, titles: 1, text: 1 },
    boostDocument: rankOf,
    prefix: true,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    weights: { prefix: 0.3, fuzzy: 0.1 },
  },
  // Names of the reference are found by what they are called and what they are, not by every word of their tables.
  _splitIntoSections(path) {
    const page = path.replaceAll("\\", "/").split(`/docs/${API}/`)[1];
    return page === undefined ? (undefined as never) : apiSections(readFileSync(path, "utf8"));
  },
};

/** A page of the reference as one entry. */
function* apiSections(page: string): Generator<{ anchor: string; titles: string[]; text: string }> {
  const [, title = ""] = /^# (.+)$/m.exec(page) ?? [];
  const [, path] = /^\w+ of \[`(.+?)`\]/m.exec(page) ?? [];
  const [, description = '""'] = /^description: (".*")$/m.exec(page) ?? [];
  const [, members = '""'] = /^members: (".*")$/m.exec(page) ?? [];
  yield {
    anchor: "",
    titles: path === undefined ? [title] : [path, title],
    text: `${JSON.parse(description)} ${JSON.parse(members)}`,
  };
}
