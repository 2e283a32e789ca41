/*
 * The sequences of ECMA-48: control strings up to their terminator (window titles, links), CSI sequences (colours, cursor)
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

/** Control characters, apart from line feeds, carriage returns, backspaces and tabs. */
const CONTROL = /[^\P{Cc}\n\r\b\t]/gu;

/**
 * The text of a terminal's output as it stays on the screen: without control sequences and control characters, of a line
 * that was rewritten with carriage returns its last state, and without what backspaces took back. All else is word for
 * word.
 */
export function terminalText(output: string): string {
  const text = withoutSequences(output);
  if (!/[\r\b]/.test(text)) return text;
  const lines = text.split("\n");
  return lines.map((line, index) => lastState(line) + (index < lines.length - 1 ? endingOf(line) : "")).join("\n");
}

/** Text without control sequences and control characters; line breaks, tabs and backspaces stay as they are. */
export function withoutSequences(text: string): string {
  return text.replace(CONTROL_SEQUENCE, "").replace(CONTROL, "");
}

/** Text from elsewhere without control sequences and control characters. Line breaks of any kind are line feeds. */
export function withoutControls(text: string): string {
  const clean = withoutSequences(text).replaceAll("\b", "");
  return clean.includes("\r") ? clean.replaceAll(/\r\n?/g, "\n") : clean;
}

/** A carriage return before a line feed is part of the line ending. */
function endingOf(line: string): string {
  return line.endsWith("\r") ? "\r" : "";
}

/** The text of a line once all of it was written. A carriage return at its end has rewritten nothing yet. */
function lastState(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end--;
  const start = line.lastIndexOf("\r", end - 1) + 1;
  const last = line.slice(start, end);
  if (!last.includes("\b")) return last;
  const shown: string[] = [];
  for (const character of last) {
    if (character === "\b") shown.pop();
    else shown.push(character);
  }
  return shown.join("");
}

/** The number of bytes at the end that begin a UTF-8 character or a control sequence that is not complete yet. */
export function cutOffBytes(bytes: Uint8Array): number {
  const end = Buffer.from(bytes.subarray(-MAX_CUT_OFF)).toString("latin1");
  const sequence = CUT_OFF_SEQUENCE.exec(end);
  if (sequence) return sequence[0].length;
  const character = /(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})$/.exec(end);
  return character?.[0].length ?? 0;
}
