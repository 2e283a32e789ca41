import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { newDirectory } from "./hosts.js";

function start(directory: string, phase: string) {
  const program = join(import.meta.dirname, "killed-host.ts");
  const child = spawn(process.execPath, ["--import", "tsx", program, directory, phase], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

test("after kill -9 another process goes on with the turn, and repeats no finished call", async () => {
  const directory = newDirectory();
  const first = start(directory, "first");
  const said: string[] = [];
  while (said.length < 3) said.push(String((await first.lines.next()).value));
  first.child.kill("SIGKILL");
  await once(first.child, "exit");

  const second = start(directory, "second");
  const rest: string[] = [];
  for await (const line of { [Symbol.asyncIterator]: () => second.lines }) rest.push(line);

  expect(said.sort()).toEqual(["Hello.", "slow_again has started", "slow_once has started"]);
  expect(rest).toEqual(["unfinished", "note succeeded, slow_once failed, slow_again succeeded", "finished"]);
  expect(readFileSync(join(directory, "notes"), "utf8")).toBe("note\n");
});
