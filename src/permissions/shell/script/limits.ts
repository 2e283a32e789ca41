/** Longer scripts are not parsed. Unit: characters. */
export const MAX_SCRIPT_LENGTH = 65_536;
/** Deeper nesting is not parsed: the parser's time grows with depth times length. */
const MAX_NESTING = 60;
/** More here-documents are not parsed, for the same reason. */
const MAX_HERE_DOCUMENTS = 200;
/** More commands, or more words in all of them, are not followed. */
export const MAX_COMMANDS = 100;
export const MAX_WORDS = 1_200;
/** More words, assignments or redirections of one command are not followed. */
export const MAX_ARGUMENTS = 300;
export const MAX_ASSIGNMENTS = 100;
export const MAX_REDIRECTIONS = 50;
/** Programs that start programs, one inside the other. */
export const MAX_WRAPPERS = 16;
/** Of strings that a program may run so many are read as scripts; with more of them the line asks. */
export const MAX_TRIALS = 30;
/** More files than this are not looked at: what they are is then unknown. */
export const MAX_EFFECTS = 200;
/** So many words are looked up that may be paths. */
export const MAX_PATHS = 600;
/** And no more of their names. Unit: characters. */
export const MAX_TARGETS = 40_000;
/** More substitutions, expansions or quotes, or more characters that are operators, are not parsed. */
const MAX_SUBSTITUTIONS = 1_000;
const MAX_EXPANSIONS = 5_000;
const MAX_QUOTES = 10_000;
const MAX_OPERATORS = 5_000;
/** Each character of arithmetic may be an operator. */
const MAX_ARITHMETIC = 4_000;
/** Scripts inside scripts: `bash -c "bash -c …"`. */
export const MAX_SCRIPT_DEPTH = 8;

/** `$`, `<`, `>`, `\`` before a bracket. */
const SUBSTITUTES = new Set([..."$<>`"].map((character) => character.charCodeAt(0)));
const OPERATORS = new Set([...";|&<>[!"].map((character) => character.charCodeAt(0)));

/** Why a script is not worth parsing; `null` when it is. Takes one pass, whatever the script. */
export function tooLarge(script: string): string | null {
  if (script.length > MAX_SCRIPT_LENGTH) return `it is longer than ${MAX_SCRIPT_LENGTH} characters`;
  let depth = 0;
  let hereDocuments = 0;
  let substitutions = 0;
  let operators = 0;
  let expansions = 0;
  let quotes = 0;
  let arithmetic = 0;
  let isArithmetic = false;
  for (let index = 0; index < script.length; index++) {
    const code = script.charCodeAt(index);
    if (code === 0x28 || code === 0x7b) {
      depth++;
      if (SUBSTITUTES.has(script.charCodeAt(index - 1))) substitutions++;
    }
    if (code === 0x28 || code === 0x29) {
      if (script.charCodeAt(index + 1) === code) isArithmetic = code === 0x28;
    } else if (isArithmetic) arithmetic++;
    if ((code === 0x29 || code === 0x7d) && depth > 0) depth--;
    else if (code === 0x60) substitutions++;
    if (OPERATORS.has(code)) operators++;
    else if (code === 0x24) expansions++;
    else if (code === 0x22 || code === 0x27) quotes++;
    if (code === 0x3c && script.charCodeAt(index + 1) === 0x3c) hereDocuments++;
    if (depth > MAX_NESTING) return `it is nested deeper than ${MAX_NESTING} levels`;
  }
  if (hereDocuments > MAX_HERE_DOCUMENTS) return `it has more than ${MAX_HERE_DOCUMENTS} here-documents`;
  if (substitutions > MAX_SUBSTITUTIONS) return `it has more than ${MAX_SUBSTITUTIONS} substitutions`;
  if (expansions > MAX_EXPANSIONS) return `it has more than ${MAX_EXPANSIONS} expansions`;
  if (arithmetic > MAX_ARITHMETIC) return `it has more than ${MAX_ARITHMETIC} characters of arithmetic`;
  if (quotes > MAX_QUOTES) return `it has more than ${MAX_QUOTES} quotes`;
  return operators > MAX_OPERATORS ? `it has more than ${MAX_OPERATORS} operators` : null;
}
