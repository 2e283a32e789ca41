// What the search is measured against: BM25 over the words as they are, with the usual constants and nothing else.
import type { ToolDefinition } from "../../../src/index.js";

const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

const wordsOf = (text: string) =>
  text
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");

/** Finds the names of the tools whose names, descriptions and parameters share words with a query, best first. */
export function plainWordSearch(tools: readonly ToolDefinition[], limit: number): (query: string) => string[] {
  const documents = tools.map(({ name, description, inputSchema }) => {
    const words = wordsOf([name, description, ...Object.keys(Object(inputSchema.properties))].join(" "));
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { name, counts, length: words.length };
  });
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const holders = new Map<string, number>();
  for (const { counts } of documents) for (const word of counts.keys()) holders.set(word, (holders.get(word) ?? 0) + 1);
  const scoreOf = ({ counts, length }: (typeof documents)[number], words: ReadonlySet<string>) => {
    const norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * (length / mean));
    let score = 0;
    for (const word of words) {
      const count = counts.get(word);
      if (count === undefined) continue;
      const having = holders.get(word)!;
      const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
      score += (rarity * count * (SATURATION + 1)) / (count + norm);
    }
    return score;
  };
  return (query) => {
    const words = new Set(wordsOf(query));
    return documents
      .map((document) => ({ name: document.name, score: scoreOf(document, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ name }) => name);
  };
}
