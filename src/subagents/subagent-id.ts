const SHORT_ID_CHARS = 16;

/** An id as a model reads and writes it: the beginning distinguishes sub-agents. */
export function shortSubagentId(id: string): string {
  return id.slice(0, SHORT_ID_CHARS);
}
