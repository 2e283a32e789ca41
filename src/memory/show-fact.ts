import type { Fact } from "../contracts/fact.js";

const SOURCES = { user: "the user said so", model: "an agent noted it", host: "the app provides it" } as const;
const MAX_SHOWN_CHARS = 400;

/** One fact on one line, quoted, so that it reads as data and never as part of the text around it. */
export function showFact({ id, text, subject, source, updatedAt }: Fact): string {
  const shown = text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS).toWellFormed()}…`;
  const about = subject === undefined ? "" : ` about ${JSON.stringify(subject)}`;
  const from = source.reference === undefined ? "" : `, from ${JSON.stringify(source.reference.slice(0, 200))}`;
  const when = new Date(updatedAt).toISOString().slice(0, 10);
  return `- [${id}]${about}: ${JSON.stringify(shown)} (${SOURCES[source.kind] ?? "unknown source"}${from}, ${when})`;
}
