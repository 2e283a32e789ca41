/** A text as one line: each run of white space is a space, and none is left at the ends. */
export function asOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
