import type { HereDocuments } from "./here-documents.js";
import { OutsideGrammar, type TextCursor } from "./text-cursor.js";
import { TOKEN } from "./tokens.js";

/** Takes a redirection, if it is next. `word` reads where it leads. */
export function takeRedirection(text: TextCursor, hereDocuments: HereDocuments, word: () => string | null): boolean {
  if (!/[\d<>&]/.test(text.next)) return false;
  if (text.take(TOKEN.descriptorRedirect)) return true;
  if (!text.take(TOKEN.hereString) && !text.take(TOKEN.fileRedirect)) return hereDocuments.begin();
  text.take(TOKEN.space);
  // A target that becomes several words, or none, is an error of the shell.
  if (/^\/dev\/(?:tcp|udp)\//.test(word() ?? "")) throw new OutsideGrammar("it connects to another machine");
  return true;
}
