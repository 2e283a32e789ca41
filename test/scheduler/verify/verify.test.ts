// Results that look right and are not.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createPermissionChecker } from "../../../src/permissions/index.js";
import { scripted, text } from "../../../src/providers/scripted/index.js";
import { type Criterion, createScheduler } from "../../../src/scheduler/index.js";
import { textsOf } from "../../subagents/kit.js";
import { act, actTool, onDisk, scheduling, task } from "../kit.js";

/** What becomes of a task that did nothing and has this criterion. */
async function checked(criterion: Criterion, disk: Awaited<ReturnType<typeof onDisk>>) {
  const scheduler = createScheduler({
    engine: disk.engine,
    workspace: disk.workspace,
    decomposer: (goal) => ({ goal, tasks: [task("a", { tool: { name: "list_dir", input: {} }, criterion })] }),
    limits: { maxAttempts: 1, maxReplans: 0 },
  });
  const { tasks } = await scheduler.run("goal").result;
  return tasks[0]!;
}

test("a file criterion looks at the disk, inside the sandbox, and through the gate", async () => {
  const disk = await onDisk();
  const { root } = disk;
  mkdirSync(join(root, "dir"));
  writeFileSync(join(root, "a.txt"), "one\ntwo\n");
  symlinkSync("/etc/passwd", join(root, "out"));
  const cases: [Criterion, string | RegExp][] = [
    [{ kind: "file", path: "a.txt" }, "done"],
    [{ kind: "file", path: "a.txt", contains: "two" }, "done"],
    [{ kind: "file", path: "a.txt", equals: "one\ntwo\n" }, "done"],
    [{ kind: "file", path: "dir" }, "done"],
    [{ kind: "file", path: "a.txt", contains: "three" }, /does not contain "three"/],
    [{ kind: "file", path: "a.txt", equals: "one\ntwo" }, /is not what it has to be/],
    [{ kind: "file", path: "dir", contains: "x" }, /is a directory/],
    [{ kind: "file", path: "missing.txt" }, /does not exist/],
    [{ kind: "file", path: "out", contains: "root" }, /could not be looked at/],
    [{ kind: "file", path: "../../etc/passwd" }, /could not be looked at/],
  ];
  for (const [criterion, expected] of cases) {
    const { status, reason } = await checked(criterion, disk);
    if (expected === "done") expect({ status, reason }).toMatchObject({ status: "done" });
    else expect({ status, reason }).toMatchObject({ status: "failed", reason: expect.stringMatching(expected) });
  }
});

test("a file that a rule denies to readers is not looked at for a plan either", async () => {
  const root = (await onDisk()).root;
  writeFileSync(join(root, "secret.txt"), "abc");
  const disk = await onDisk({
    root,
    permissions: createPermissionChecker({ rules: { deny: ["read_file(secret.txt)"] } }),
  });

  const { status, reason } = await checked({ kind: "file", path: "secret.txt", contains: "a" }, disk);

  expect({ status, reason }).toMatchObject({ status: "failed", reason: expect.stringContaining("may not be read") });
});

test("a command decides by its exit code, after the gate", async () => {
  const disk = await onDisk();
  const { root } = disk;
  writeFileSync(join(root, "ok.sh"), "exit 0\n");
  chmodSync(join(root, "ok.sh"), 0o755);

  const passed = await checked({ kind: "command", command: "test -f ok.sh" }, disk);
  const failed = await checked({ kind: "command", command: "grep nothing ok.sh" }, disk);
  const asked = await checked({ kind: "command", command: "node -e 0" }, disk);

  expect(passed).toMatchObject({ status: "done", evidence: ["`test -f ok.sh` ended with exit code 0"] });
  expect(failed).toMatchObject({ status: "failed", reason: expect.stringContaining("exit code 1") });
  expect(asked.status).toBe("needs-approval");
});

const verdict = (verdict: string, evidence: readonly string[], reason = "Because.") =>
  text(JSON.stringify({ verdict, evidence, reason }));

test("a judge is believed only with quotes that are in the result", async () => {
  const outcomes: unknown[] = [];
  const verdicts = [
    verdict("pass", ["the sky  is\nblue"]),
    verdict("pass", ["the sky is green"]),
    verdict("pass", ["the sky is blue", "and so is the sea"]),
    verdict("pass", []),
    verdict("pass", [" ", "…"]),
    verdict("fail", ["the sky is blue"], "It says nothing of the sea."),
  ];
  for (const said of verdicts) {
    const provider = scripted([text("I looked: the sky is blue today."), said]);
    const { scheduler } = scheduling([task("a", { criterion: { kind: "judge", question: "Is it blue?" } })], {
      engine: { provider },
      limits: { maxAttempts: 1, maxReplans: 0 },
    });
    const { tasks } = await scheduler.run("goal").result;
    outcomes.push(tasks[0]!.status === "done" ? tasks[0]!.evidence : tasks[0]!.reason!.split("\n")[0]);
    expect(provider.requests[1]?.tools).toEqual([]);
    expect(textsOf(provider.requests[1] as never).join("\n")).toContain("I looked: the sky is blue today.");
  }

  expect(outcomes).toEqual([
    ['"the sky is blue"'],
    'The verdict does not count: it quotes "the sky is green", which is not in the result.',
    'The verdict does not count: it quotes "and so is the sea", which is not in the result.',
    "The verdict does not count: it accepts the result without evidence from it.",
    "The verdict does not count: it accepts the result without evidence from it.",
    "The judge did not accept it: It says nothing of the sea.",
  ]);
});

test("a predicate has to return true: anything else, and throwing, refuses the result", async () => {
  const outcomes: unknown[] = [];
  for (const answer of [
    true,
    1,
    undefined,
    "yes",
    { passed: true },
    Promise.resolve(true),
    Promise.reject(new Error("no")),
  ]) {
    const { scheduler } = scheduling([act("a")], {
      engine: { tools: [actTool((id) => id)] },
      predicates: { any: () => answer as never },
      limits: { maxAttempts: 1, maxReplans: 0 },
    });
    outcomes.push((await scheduler.run("goal").result).status);
  }

  expect(outcomes).toEqual(["done", "failed", "failed", "failed", "failed", "done", "failed"]);
});

test("a verifier of the host decides in place of the criterion, or with it", async () => {
  const seen: unknown[] = [];
  const { scheduler } = scheduling([act("a"), act("b")], {
    engine: { tools: [actTool((id) => id)] },
    verifier: async ({ id }, { output }, { verify }) => {
      seen.push([id, output, (await verify()).passed]);
      return id === "a" ? true : { passed: false, reason: "I do not like it.", evidence: ["b"] };
    },
    limits: { maxAttempts: 1, maxReplans: 0, maxParallel: 1 },
  });

  const { tasks } = await scheduler.run("goal").result;

  expect(seen).toEqual([
    ["a", "a", true],
    ["b", "b", true],
  ]);
  expect(tasks).toMatchObject([
    { status: "done" },
    { status: "failed", reason: expect.stringContaining("I do not like it.") },
  ]);
});
