import type { CommandOutcome } from "../../contracts/workspace.js";
import { quoteName } from "../../text/quote-name.js";
import { ARTIFACT_BYTES, type Kept } from "./output-kept.js";
import type { EndedOutput } from "./output-window.js";

/** An output as the model reads it: whole, or its head and tail and where the rest is. */
export function shownOutput(output: EndedOutput, rest: string): string {
  return (
    output.text ?? `${output.head}\n\n[… the middle of ${output.bytes} bytes is left out; ${rest} …]\n\n${output.tail}`
  );
}

/** The place of the whole of an output of so many bytes. */
export function whereKept(bytes: number, kept: Kept): string {
  if ("problem" in kept) return kept.problem;
  const what = bytes > ARTIFACT_BYTES ? "what is kept, its first and last 32 MiB," : "all of it";
  return `${what} is in ${quoteName(kept.path)}; read it with read_file`;
}

/** The end of a command that did not time out. */
export function describeExit({ exitCode, signal }: CommandOutcome): string {
  return signal ? `Ended by ${signal}` : `Exit code ${exitCode}`;
}

/** `text`, and each note on a line of its own in brackets. */
export function withNotes(text: string, notes: readonly (string | undefined)[]): string {
  const lines = notes.filter((note) => note !== undefined).map((note) => `[${note}]`);
  const separator = text === "" || text.endsWith("\n") || lines.length === 0 ? "" : "\n";
  return `${text}${separator}${lines.join("\n")}`;
}
