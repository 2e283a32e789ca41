import { resolve } from "node:path";
import type { CommandLine } from "../command-line.js";
import { EXIT, UsageError } from "../exit-codes.js";
import type { ProgramIo } from "../program-io.js";
import { askTrust, bringsSettings } from "./ask-trust.js";
import { projectRequests } from "./project-requests.js";
import { makeState, projectStateOf } from "./project-state.js";
import { readTrust, writeTrust } from "./trust.js";

/**
 * `loopwright trust`: shows what the project asks for, asks again whether it may have it, and keeps the new answer. An answer
 * that was kept before stays when the question is left.
 *
 * @throws UsageError when there is nobody to ask
 */
export async function changeTrust({ directory = "." }: CommandLine, io: ProgramIo): Promise<number> {
  const { cwd, env, stdin, stdout } = io;
  const state = projectStateOf(resolve(cwd, directory), env);
  const parts = await projectRequests(state.root);
  if (parts.length === 0) {
    stdout.write("This project brings nothing that needs your trust.\n");
    return EXIT.done;
  }
  if (!stdin.isTTY || !stdout.isTTY) {
    throw new UsageError("loopwright trust asks you, so it needs a terminal. For one run, pass --trust-project.");
  }
  const before = await readTrust(state);
  if (before !== undefined) stdout.write(`Your answer so far: ${before ? "yes, trusted" : "no, not trusted"}.\n`);
  const answer = await askTrust(bringsSettings(state.root), parts, io);
  if (answer === undefined) return EXIT.interrupted;
  await writeTrust(makeState(state), answer, parts);
  stdout.write(answer ? "It is trusted from now on.\n" : "It is not trusted from now on.\n");
  return EXIT.done;
}
