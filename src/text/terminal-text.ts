/*
 * What ECMA-48 defines: control strings up to their terminator (window titles, links), CSI sequences (colours, cursor)
 * and short escapes (character sets, reset). A control string that is cut off loses only its introducer.
 */
const STRING = String.raw`\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)`;
const CSI = String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`;
const SHORT = String.raw`\x1b[ -/]*[0-~]?`;
const CONTROL_SEQUENCE = new RegExp(`${STRING}|${CSI}|${SHORT}`, "g");
/** A sequence whose end has not come yet. */
const CUT_OFF = String.raw`\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?|[ -/]*)`;
const CUT_OFF_SEQUENCE = new RegExp(`${CUT_OFF}$`);
/** Longer ones are not waited for. Unit: bytes. */
const MAX_CUT_OFF = 64;

/** The text of a terminal's output: control sequences removed, NUL shown as U+FFFD, everything else unchanged. */
export function terminalText(output: string): string {
  return output.replace(CONTROL_SEQUENCE, "").replaceAll("\0", "\ufffd");
}

/** How many bytes at the end begin a UTF-8 character or a control sequence that is not complete yet. */
export function cutOffBytes(bytes: Uint8Array): number {
  const end = Buffer.from(bytes.subarray(-MAX_CUT_OFF)).toString("latin1");
  const sequence = CUT_OFF_SEQUENCE.exec(end);
  if (sequence) return sequence[0].length;
  const character = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/.exec(end);
  return character?.[0].length ?? 0;
}
