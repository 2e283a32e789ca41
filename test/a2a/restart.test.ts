// A server that is killed, and clients that come back to the next one.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Task, TaskState } from "@a2a-js/sdk";
import { afterEach, expect, test } from "vitest";
import { artifactsOf, connect, Seen, said, seenOf, textOf } from "./agents.js";

const children: ChildProcess[] = [];
const directories: string[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

/** A server of its own process; each line it writes. */
async function start(directory: string, port = "0", env: NodeJS.ProcessEnv = {}) {
  const program = fileURLToPath(new URL("agent-program.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program, directory, port], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const url = (await lines.next()).value as string;
  return { child, url, line: async () => (await lines.next()).value as string };
}

test("a task whose server is killed waits for a message, and goes on with it: its finished call is not made again", async () => {
  const directory = mkdtempSync(join(tmpdir(), "a2a-restart-"));
  directories.push(directory);
  const first = await start(directory, "0", { HANGS: "1" });
  const client = await connect(first.url);
  const seen = new Seen();
  const stream = client.sendMessageStream(said("Count."));
  seen.add((await stream.next()).value!);
  const broken = (async () => {
    for await (const update of stream) seen.add(update);
  })().catch((error) => error);
  expect(await first.line()).toBe("hanging");
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  expect(await broken).toBeInstanceOf(Error);

  const second = await start(directory, new URL(first.url).port);
  const waiting = await seenOf(client.resubscribeTask({ tenant: "", id: seen.id }));
  const done = (await client.sendMessage(said("Go on.", { taskId: seen.id }))) as Task;

  expect(waiting.states).toEqual([TaskState.TASK_STATE_INPUT_REQUIRED]);
  expect(textOf(waiting.status!.message!.parts)).toContain("The server stopped in the middle of this task.");
  expect(done).toMatchObject({ id: seen.id, status: { state: TaskState.TASK_STATE_COMPLETED } });
  const answer = artifactsOf(done).get("answer")!;
  expect(answer).toContain(String(first.child.pid));
  expect(answer).not.toContain(String(second.child.pid));
  expect(answer).toMatch(/and done\.$/);
}, 60_000);
