/** The text that a key or a paste writes; `undefined` for a key that writes nothing. */
export function writtenText(data: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals put a paste between these
  const [, pasted] = /^\x1b\[200~([\s\S]*)\x1b\[201~$/.exec(data) ?? [];
  return pasted ?? (/^[^\p{Cc}]+$/u.test(data) ? data : undefined);
}
