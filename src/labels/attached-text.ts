/** Text that somebody passes on with a prompt, such as a file of an editor. It is not in the user's own words: see `isAttached()`. */
export function attachedText(place: string, text: string): string {
  // The tag ends where the text does, whatever is in it.
  return `<resource path=${JSON.stringify(place)}>\n${text.replaceAll("</resource>", "<\\/resource>")}\n</resource>`;
}

/** Whether a part of a prompt was passed on, so that a target that it names is not known by it. */
export function isAttached(text: string): boolean {
  return text.startsWith('<resource path="') && text.endsWith("</resource>");
}
