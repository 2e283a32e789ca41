// Asked once for what a project brings, in plain lines: nothing of a screen is left when they are written.
import { existsSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import type { ProgramIo } from "../program-io.js";
import { exactLine } from "../terminal/screen/safe-text.js";
import { projectRequests } from "./project-requests.js";
import type { ProjectState } from "./project-state.js";
import { readTrust, writeTrust } from "./trust.js";

const QUESTION = "Do you trust it? [y/N] ";

/**
 * Whether what the project brings may count: as the user has said before, or says now when there is something to ask about.
 *
 * Without `ask` nobody is asked. `prepare` makes the terminal ready for plain lines.
 */
export async function isProjectTrusted(
  state: ProjectState,
  ask: { readonly io: ProgramIo; prepare(): Promise<void> } | undefined,
): Promise<boolean> {
  const known = await readTrust(state);
  if (known !== undefined || !ask) return known ?? false;
  const parts = await projectRequests(state.root);
  if (parts.length === 0) return false;
  await ask.prepare();
  const about = existsSync(state.trust)
    ? `This project brings more than you trusted: ${state.root}`
    : bringsSettings(state.root);
  const answer = await askTrust(about, parts, ask.io);
  // A question that was left is asked again next time.
  if (answer !== undefined) await writeTrust(state, answer, parts);
  return answer ?? false;
}

export function bringsSettings(root: string): string {
  return `This project brings settings of its own: ${root}`;
}

/**
 * Shows what a project or a plugin asks for and asks whether it may have it, again after an answer that is neither yes nor no; Enter
 * alone is a no. `undefined` when the question was left, with Ctrl+C or the end of the input.
 */
export async function askTrust(
  about: string,
  parts: readonly { readonly part: string; readonly what: string }[],
  io: ProgramIo,
  changedBy = "loopwright trust",
): Promise<boolean | undefined> {
  const { stdin, stdout } = io;
  stdout.write(
    [
      inOneLine(about),
      // Nothing is cut: what is left out would be trusted unseen.
      ...parts.map(({ part, what }) => `  ${part}: ${inOneLine(what)}`),
      "They can run programs and tell the model what to do. Without your trust they do not count; the rules that forbid",
      `something always do. Your answer is kept; to change it, run ${changedBy}.`,
      "",
    ].join("\n"),
  );
  const lines = createInterface({ input: stdin, output: stdout });
  try {
    const closed = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
    for (let question = QUESTION; ; question = `Please answer y or n. ${QUESTION}`) {
      const answer = await Promise.race([lines.question(question), closed]);
      if (answer === undefined) return undefined;
      if (/^\s*y(es)?\s*$/i.test(answer)) return true;
      if (/^\s*(no?)?\s*$/i.test(answer)) return false;
    }
  } finally {
    lines.close();
  }
}

function inOneLine(text: string): string {
  return exactLine(text).replace(/\s+/g, " ");
}
