/** A text that was cut, without the half of a character at either end. */
export function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}
