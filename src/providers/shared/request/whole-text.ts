/**
 * A text as servers take it: half of a surrogate pair, for which some refuse the whole request, becomes U+FFFD.
 *
 * Models write such halves, and tools cut texts between them. The transcript keeps what was said.
 */
export function wholeText(text: string): string {
  return text.toWellFormed();
}
