// A server that is a program on another machine, as the transport sees it.
import { EventEmitter } from "node:events";
import { Readable, Writable } from "node:stream";
import type { StartProgram } from "../../contracts/workspace-machine.js";
import { lastCharacters } from "../../text/cut.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { CannotConnect } from "../client/mcp-errors.js";
import { MAX_STDERR_CHARS, type ServerCommand, type ServerProgram } from "./server-process.js";

/** @throws Error that says why it cannot be started */
export async function startElsewhere(
  start: StartProgram,
  { command, args = [], env, cwd }: ServerCommand,
): Promise<ServerProgram> {
  const program = await start({ argv: [command, ...args], env, cwd }).catch((cause) => {
    throw new CannotConnect(`it could not be started: ${describeThrown(cause)}`, { cause });
  });
  const [stdin, stdout] = [Writable.fromWeb(program.stdin as never), Readable.fromWeb(program.stdout as never)];
  const child = Object.assign(new EventEmitter(), { stdin, stdout });
  const stderr = Readable.fromWeb(program.stderr as never).setEncoding("utf8");
  for (const stream of [stdin, stdout, stderr]) stream.on("error", () => {});
  let words = "";
  stderr.on("data", (text: string) => {
    words = lastCharacters(words + text, MAX_STDERR_CHARS);
  });
  const closed = Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.once("close", resolve))));
  let how = "";
  void program.exited.then(async ({ exitCode, signal }) => {
    how = signal ? `signal ${signal}` : `exit code ${exitCode}`;
    child.emit("exit");
    await closed;
    child.emit("close");
  });
  return {
    child,
    get lastWords() {
      return words.trim();
    },
    get howItEnded() {
      return how;
    },
    async close() {
      stdin.end();
      await program.close();
      for (const stream of [stdin, stdout, stderr]) stream.destroy();
    },
  };
}
