/** A string in pieces of so many UTF-16 units. Default: in one; an empty string has none. */
export function cutIntoPieces(text: string, size = Number.POSITIVE_INFINITY): string[] {
  if (text === "") return [];
  if (size >= text.length) return [text];
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
}
