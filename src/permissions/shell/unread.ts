const QUOTES = /\\\n|[\\"']/g;
const OPERATORS = /[;&|()<>`\r]+|\$(?=\()|[{}](?=\s|$)/g;
const BLANKS = /[^\S\n]+/g;

/** Prepares a script that is not parsed for `mentions`: quotes and escapes go, every operator becomes a line break. */
export function withoutSyntax(script: string): string {
  return script.replace(QUOTES, "").replace(OPERATORS, "\n").replace(BLANKS, " ");
}

/**
 * Whether a script that was not parsed may hold a command with these words: the first as a name, also behind a folder, the
 * others after it in this order on the same line. Finds too much rather than too little. Takes time linear in the script.
 */
export function mentions(unread: string, words: readonly string[]): boolean {
  const [program, ...others] = words;
  if (program === undefined || program === "") return unread !== "";
  for (let at = unread.indexOf(program); at !== -1; at = unread.indexOf(program, at + 1)) {
    if (!isWord(unread, at, program.length)) continue;
    const lineEnd = unread.indexOf("\n", at);
    const end = lineEnd === -1 ? unread.length : lineEnd;
    if (hasInOrder(unread, at + program.length, end, others)) return true;
    // What is missing in the rest of the line from here is missing from any later place in it.
    at = end - 1;
  }
  return false;
}

function isWord(text: string, start: number, length: number): boolean {
  return !/[\w.-]/.test(text[start - 1] ?? " ") && !/[\w-]/.test(text[start + length] ?? " ");
}

function hasInOrder(text: string, start: number, end: number, words: readonly string[]): boolean {
  const line = text.slice(start, end);
  let from = 0;
  for (const word of words) {
    const at = line.indexOf(word, from);
    if (at === -1) return false;
    from = at + word.length;
  }
  return true;
}
