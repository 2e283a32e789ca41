import type { TextCursor } from "./text-cursor.js";
import { TOKEN } from "./tokens.js";

/** Reads `in pattern | pattern) line;; … esac`. `gap` reads what may stand between two of them, `line` one that ends with `;;` or `esac`. */
export function readBranches(text: TextCursor, gap: () => void, line: () => void): void {
  if (!text.take(TOKEN.in)) throw text.unexpected();
  for (gap(); !text.peek(TOKEN.esac); gap()) {
    text.take(/\([ \t]*/y);
    do {
      if (!text.take(TOKEN.casePattern)) throw text.unexpected();
    } while (text.take(TOKEN.caseOr));
    text.take(TOKEN.space);
    if (!text.take(/\)/y)) throw text.unexpected();
    line();
    if (!text.take(TOKEN.caseEnd)) break;
  }
  if (!text.take(TOKEN.esac)) throw text.unexpected();
}
