/*
 * What ECMA-48 defines: control strings up to their terminator (window titles, links), CSI sequences (colours, cursor)
 * and short escapes (character sets, reset). A control string that is cut off loses only its introducer.
 */
const STRING = String.raw`\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)`;
const CSI = String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`;
const SHORT = String.raw`\x1b[ -/]*[0-~]?`;
const CONTROL_SEQUENCE = new RegExp(`${STRING}|${CSI}|${SHORT}`, "g");

/** The text of a terminal's output: control sequences removed, NUL shown as U+FFFD, and all else word for word. */
export function terminalText(output: string): string {
  return output.replace(CONTROL_SEQUENCE, "").replaceAll("\0", "\ufffd");
}
