/** A text as one word of a POSIX shell. */
export function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
