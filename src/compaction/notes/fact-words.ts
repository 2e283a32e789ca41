// Words that announce a decision, a wish or a problem, in the languages most sessions are in. For other languages there is
// what needs no words: names, numbers, and how usual a line is.
import { isAscii } from "./word-frequency.js";

/** Whether a line holds one of some words. */
type Finder = (line: string) => boolean;

/** Finds any of the words where it stands alone; those of scripts without spaces anywhere. */
function anyOf(spaced: string, unspaced: string): Finder {
  const words = spaced.replace(/\s+/g, "|");
  const any = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])|${unspaced}`, "iu");
  const ascii = new RegExp(`\\b(?:${words.replaceAll("\\p{L}", "[a-z]")})\\b`, "i");
  return (line) => (isAscii(line) ? ascii : any).test(line);
}

/** `\p{L}*` is any ending, `\x20` a space inside a phrase. */
export const DECISION = anyOf(
  [
    "decid\\p{L}+ decision agreed? we'll we\\x20will we\\x20should chose chosen instead\\x20of rather\\x20than must never always",
    "prefers? preference should(?:n't)? do\\x20not don't important remember note constraint requir\\p{L}+ convention policy wants? only",
    "nie niemals immer bitte muss müssen soll sollen lieber statt entschieden entscheidung wichtig",
    "nunca siempre quiero quiere debe prefiero decidi\\p{L}+ importante por\\x20favor sempre quero deve prefiro",
    "jamais toujours plutôt doit veux décid\\p{L}+ s'il\\x20vous\\x20plaît никогда всегда нужно должен решил\\p{L}* лучше",
  ].join(" "),
  "决定|必须|不要|总是|偏好|注意|请用|決め|必ず|ください|결정|반드시|항상",
);

export const PROBLEM = anyOf(
  [
    "bugs? errors? fail\\p{L}* broken crash\\p{L}* todo fixme unresolved unsolved still blocked regress\\p{L}+ root\\x20cause because",
    "workaround leaks? race deadlock missing undefined exception panic\\p{L}* timed?\\x20?out deprecated flaky cannot can't could\\x20not wrong warn(?:ing)?",
    "fehler\\p{L}* offen ungelöst kaputt weil falsch fallo falta pendiente porque fehlt erro falha falhou manque",
    "erreur échec panne parce\\x20que ошибк\\p{L}+ сбой потому\\x20что",
  ].join(" "),
  "错误|失败|问题|原因|バグ|失敗|未解決|エラー|오류|실패",
);
