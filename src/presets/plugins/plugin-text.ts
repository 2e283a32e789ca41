/** A text of a plugin with `${CLAUDE_PLUGIN_ROOT}` filled in, which is what its author means to be read. */
export function withRoot(text: string, directory: string): string {
  return text.replace(/\$\{CLAUDE_PLUGIN_ROOT\}/g, () => directory);
}
