import { clip } from "../../../text/cut.js";
import type { Scrub } from "./secrets.js";

/** Longest text of a server that a message repeats. Unit: characters. */
const MAX_SERVER_TEXT_CHARS = 500;

/** Longest text that is looked at: error pages can be of any size. */
const MAX_READ_CHARS = 20_000;

/** A server's text, fit for an error message: one bounded line without secrets; an HTML page is reported by its title. */
export function readableText(said: string, scrub: Scrub): string {
  const text = said.slice(0, MAX_READ_CHARS);
  const line = scrub(isPage(text) ? describePage(text) : text)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: servers send anything, and terminals obey it
    .replace(/[\s\u0000-\u001f\u007f-\u009f\ufffd]+/g, " ")
    .trim();
  return clip(line, MAX_SERVER_TEXT_CHARS);
}

/** Whether a string is an HTML page. */
export function isPage(text: string): boolean {
  return /<(?:!doctype html|html|head|body)\b/i.test(text.slice(0, 2_000));
}

function describePage(page: string): string {
  const [, title = ""] = /<(?:title|h1)[^>]*>([^<]{1,300})</i.exec(page) ?? [];
  return title.trim() === "" ? "an HTML page" : `an HTML page titled "${title.trim()}"`;
}
