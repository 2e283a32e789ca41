// The agent file for Harbor: against a stub of its base class, with the real program and recorded answers of a model.
import { execFile } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleProgram, calling, directoryWith, modelServer } from "../program/kit.js";
import { checked } from "../sessions/atif-schema.js";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HARBOR = join(ROOT, "bench/harbor");
const HERE = join(ROOT, "test/harbor");

let program: Awaited<ReturnType<typeof bundleProgram>>;
beforeAll(async () => {
  program = await bundleProgram();
});
afterAll(() => program.remove());

/** The answers that a model has given to each task, and what its checks say of them. */
const RECORDED: Readonly<Record<string, readonly [answers: readonly ReturnType<typeof calling>[], reward: 0 | 1]>> = {
  "count-errors": [
    [
      calling("bash", { command: "grep -c ERROR server-log.txt > count.txt", description: "Count" }),
      { text: "There are 3." },
    ],
    1,
  ],
  "fix-sum": [
    [
      calling("read_file", { path: "sum.sh" }),
      calling("edit_file", { path: "sum.sh", old_text: "$1 - $2", new_text: "$1 + $2" }),
      { text: "It adds now." },
    ],
    1,
  ],
  "write-config": [[{ text: "I would write conf/app.ini." }], 0],
};

interface Trial {
  readonly name: string;
  readonly installs: readonly string[];
  readonly failure: string | null;
  readonly trial: { readonly agent_result: object; readonly verifier_result: object };
}

/** One task in a directory of its own. `model` is the name that Harbor is given. */
async function attempt(task: string, url: string | undefined, model = "openai/gpt-5.1") {
  const [place, logs, bin] = [directoryWith(), directoryWith(), directoryWith()];
  cpSync(join(HARBOR, "tasks", task, "environment"), place, { recursive: true });
  writeFileSync(join(bin, "loopwright"), `#!/bin/sh\nexec "${process.execPath}" "${program.file}" "$@"\n`);
  chmodSync(join(bin, "loopwright"), 0o755);
  const path = `${bin}:${process.env.PATH}`;
  const args = [join(HERE, "run_task.py"), join(HARBOR, "tasks", task), place, logs, path, model];
  const env = {
    PATH: process.env.PATH,
    PYTHONPATH: `${HARBOR}:${join(HERE, "stub")}`,
    PYTHONDONTWRITEBYTECODE: "1",
    ...(url && { OPENAI_BASE_URL: url, OPENAI_API_KEY: "test" }),
    NOT_FOR_THE_TASK: "secret",
  };
  const { stdout } = await run("python3", args, { env });
  return { logs, ...(JSON.parse(stdout) as Trial) };
}

test("the files are Python", { timeout: 120_000 }, async () => {
  const cache = directoryWith();
  const files = ["loopwright_agent.py", "score.py"].map((name) => join(HARBOR, name));
  const env = { ...process.env, PYTHONPYCACHEPREFIX: cache };

  await expect(run("python3", ["-m", "py_compile", ...files], { env })).resolves.toMatchObject({ stderr: "" });
});

test("three tasks are tried, and the job has its figures", { timeout: 300_000 }, async () => {
  const job = directoryWith();
  for (const [task, [answers, reward]] of Object.entries(RECORDED)) {
    const { url, requests } = await modelServer(...answers);

    const { name, installs, failure, trial, logs } = await attempt(task, url);

    expect({ name, failure, task, reward: trial.verifier_result }).toEqual({
      name: "loopwright",
      failure: null,
      task,
      reward: { rewards: { reward } },
    });
    expect(installs.at(-1)).toBe("npm install --global loopwright@1.2.3");
    const turns = answers.length;
    expect(trial.agent_result).toMatchObject({ n_input_tokens: 100 * turns, n_output_tokens: 10 * turns });
    expect(JSON.stringify(requests[0]!.body)).toContain(
      readFileSync(join(HARBOR, "tasks", task, "instruction.md"), "utf8").slice(0, 20),
    );
    const trajectory = checked(readFileSync(join(logs, "trajectory.json"), "utf8"));
    expect(trajectory.final_metrics).toMatchObject({ total_prompt_tokens: 100 * turns });
    mkdirSync(join(job, task));
    writeFileSync(join(job, task, "result.json"), JSON.stringify(trial));
  }

  const { stdout } = await run("python3", [join(HARBOR, "score.py"), job]);

  const figures = JSON.parse(stdout);
  expect(figures).toMatchObject({ trials: 3, passes: 2, pass_rate: 2 / 3, cache_share: 0 });
  expect(figures.dollars_a_pass).toBeCloseTo(figures.dollars / 2, 12);
  expect(figures.dollars).toBeGreaterThan(0);
  expect(figures.median_seconds).toBeGreaterThan(0);
});

test("wrong usage is an error of the agent, and counts as nothing spent", { timeout: 120_000 }, async () => {
  const { failure, trial, logs } = await attempt("fix-sum", undefined);

  expect(failure).toContain("OPENAI_API_KEY");
  expect(trial.agent_result).toEqual({ n_input_tokens: 0, n_cache_tokens: 0, n_output_tokens: 0, cost_usd: null });
  expect(existsSync(join(logs, "trajectory.json"))).toBe(false);
});

test("a sum that a cost is missing for is no sum", { timeout: 60_000 }, async () => {
  const result = (cost_usd: number | null) => ({
    task_name: "x",
    agent_result: { cost_usd },
    verifier_result: { rewards: { reward: 1 } },
  });
  const job = directoryWith({
    "a/result.json": JSON.stringify(result(0.5)),
    "b/result.json": JSON.stringify(result(null)),
    "c/result.json": "{",
    "result.json": "{}",
  });

  const { stdout } = await run("python3", [join(HARBOR, "score.py"), job]);

  expect(JSON.parse(stdout)).toMatchObject({
    trials: 2,
    passes: 2,
    dollars: null,
    dollars_a_pass: null,
    median_seconds: null,
  });
});

test("each task's own solution passes its checks, and the task as it comes does not", { timeout: 60_000 }, async () => {
  for (const task of Object.keys(RECORDED)) {
    const [place, logs] = [directoryWith(), directoryWith()];
    cpSync(join(HARBOR, "tasks", task, "environment"), place, { recursive: true });
    const check = async () => {
      await run("sh", [join(HARBOR, "tasks", task, "tests/test.sh")], {
        cwd: place,
        env: { ...process.env, LOGS: logs },
      });
      return readFileSync(join(logs, "verifier/reward.txt"), "utf8").trim();
    };
    expect(await check()).toBe("0");
    await run("sh", [join(HARBOR, "tasks", task, "solution/solve.sh")], { cwd: place });
    expect(await check()).toBe("1");
  }
});
