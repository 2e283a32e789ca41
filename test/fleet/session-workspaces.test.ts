// Workers whose agent opens a workspace for each session, on directories that all of them reach.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "vitest";
import { createFleet } from "../../src/fleet/index.js";
import { testDatabase } from "../postgres/kit.js";
import { steps } from "../presets/obedient.js";
import { bundled, type Child, startChild, temporaryDirectory } from "../sessions/kit.js";

const program = await bundled(new URL("./workspace-worker.ts", import.meta.url));
const database = await testDatabase();
const { pool, config } = database;
const fleet = createFleet({ pool });
afterAll(async () => {
  await fleet.close();
  await database.close();
});

const started: Child[] = [];
afterEach(async () => {
  for (const worker of started.splice(0)) await worker.kill();
});

async function startWorker(dir: string, maxOpen = 16): Promise<Child> {
  const worker = startChild(program, [JSON.stringify({ config, dir, maxOpen })]);
  started.push(worker);
  expect(await worker.line()).toBe("working");
  return worker;
}

test("runs of two users work in their own directories, and one waits for a place", async () => {
  const dir = temporaryDirectory();
  await startWorker(dir, 1);
  const write = (content: string) => steps(["bash", { command: `sleep 0.5; echo ${content} > made.txt` }]);
  const runs = ["ann", "bob"].map((user) => fleet.start(write(user), { context: { user } }));
  for (const run of await Promise.all(runs)) expect(await (await run).result).toMatchObject({ status: "completed" });

  const made = ["ann", "bob"].map((user) => readFileSync(join(dir, user, "made.txt"), "utf8"));
  expect(made).toEqual(["ann\n", "bob\n"]);
});

test("another worker goes on in the directory of the session, and in no other", async () => {
  const dir = temporaryDirectory();
  const worker = await startWorker(dir);
  const context = { user: "cat" };
  const slow = await fleet.start(
    steps(["write_file", { path: "a.txt", content: "one\n" }], ["bash", { command: "touch begun; sleep 60" }]),
    { context, sessionId: "cats" },
  );
  await expect.poll(() => existsSync(join(dir, "cat", "begun")), { timeout: 20_000 }).toBe(true);
  process.kill(worker.process.pid!, "SIGKILL");

  await startWorker(dir);
  expect(await slow.result).toMatchObject({ status: "completed", text: expect.stringContaining("not known") });
  const next = await fleet.start(steps(["read_file", { path: "a.txt" }]), { context, sessionId: "cats" });
  expect(await next.result).toMatchObject({ status: "completed", text: "1\tone" });
  await started.splice(1)[0]!.kill();

  rmSync(join(dir, "cat"), { recursive: true });
  mkdirSync(join(dir, "cat"));
  await startWorker(dir);
  const gone = await fleet.start(steps(["read_file", { path: "a.txt" }]), { context, sessionId: "cats" });
  expect(await gone.result).toMatchObject({ status: "failed", error: { code: "WORKSPACE_GONE" } });
});
