// The program of the packed library, started as npx starts it: by the link that npm has made.
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { chatChunks, createFaultServer, sse } from "../src/testing/fault-server/index.js";

const runFile = promisify(execFile);

/** Runs `--version`, `demo` and `-p` of the program installed in `app`. @throws when one of them is not right */
export async function runPackedProgram(app: string): Promise<void> {
  const home = join(app, "home");
  mkdirSync(home);
  const server = await createFaultServer([{ body: sse(chatChunks({ text: "It is an app." })) }]);
  const env = { PATH: process.env.PATH, HOME: home, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "test" };
  const program = async (...args: string[]) => {
    const child = runFile(join(app, "node_modules/.bin/loopwright"), args, { cwd: app, env });
    child.child.stdin?.end();
    return (await child).stdout;
  };
  try {
    expectOutput("--version", await program("--version"), /^\d+\.\d+\.\d+\n$/);
    expectOutput("demo", await program("demo"), /All three tests pass[\s\S]*Done: /);
    expectOutput("-p", await program("-p", "--model", "openai/gpt-5.1", "What is this?"), /^It is an app\.\n$/);
    expectOutput("sessions", await program("sessions"), /What is this\?\n$/);
  } finally {
    await server.close();
  }
}

function expectOutput(command: string, output: string, expected: RegExp): void {
  if (!expected.test(output)) throw new Error(`loopwright ${command} printed ${JSON.stringify(output)}`);
  console.log(`loopwright ${command}: ok`);
}
