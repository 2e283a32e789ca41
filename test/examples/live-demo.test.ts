import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chatChunks, createFaultServer, type FaultServer, sse } from "loopwright/testing/fault-server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connectLiveModel, findLiveModel } from "../../examples/coding-agent/live-model.js";
import { bundled } from "../bundled.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let directory: string;
let server: FaultServer;
let baseURL: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "loopwright-live-"));
  writeFileSync(join(directory, "greeting.txt"), "Hello\n");
  const edit = { path: "greeting.txt", old_text: "Hello", new_text: "Good morning" };
  const usage = { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010 };
  server = await createFaultServer([
    { status: 503, headers: { "retry-after-ms": "1" } },
    { body: sse(chatChunks({ toolCalls: [{ name: "edit_file", arguments: edit }], usage })) },
    {
      body: sse(
        chatChunks({ toolCalls: [{ id: "call_2", name: "bash", arguments: { command: "touch ran" } }], usage }),
      ),
    },
    { body: sse(chatChunks({ text: "All done.", usage })) },
  ]);
  baseURL = server.url;
});

afterEach(async () => {
  child?.kill("SIGKILL");
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs the demo on the directory and types these answers. */
async function runDemo(
  answers: string,
  ...args: string[]
): Promise<{ readonly output: string; readonly code: number | null }> {
  child = spawn(
    process.execPath,
    [await bundled(new URL("../../examples/coding-agent/demo.ts", import.meta.url)), ...args],
    {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NO_COLOR: "1",
        OPENAI_BASE_URL: baseURL,
        OPENAI_API_KEY: "test",
      },
    },
  );
  let output = "";
  child.stdout!.on("data", (data) => (output += data));
  child.stderr!.on("data", (data) => (output += data));
  child.stdin!.end(answers);
  const code = await new Promise<number | null>((resolve) => child!.once("close", resolve));
  return { output, code };
}

test("the demo works in the user's directory with a live model, and asks before it writes or runs anything", async () => {
  const { output, code } = await runDemo("y\nn\n", "--dir", directory, "--model", "gpt-5.1", "Greet better");

  expect(output).toMatch(/^ 1 +$/m);
  expect(output).toContain("\n    The answer failed (OVERLOADED); asking again");
  expect(output).toContain("\n    edit_file greeting.txt");
  expect(output).toContain("Allow this? [y/N] y\n");
  expect(output).toContain("All done.");
  expect(output).toMatch(/\$0\.\d{4}/);
  expect(readFileSync(join(directory, "greeting.txt"), "utf8")).toBe("Good morning\n");
  expect(existsSync(join(directory, "ran"))).toBe(false);
  expect(code).toBe(0);
});

test("an input that has ended says no to everything", async () => {
  const { output, code } = await runDemo("", "--dir", directory, "Greet better");

  expect(output).toContain("The user said no.");
  expect(readFileSync(join(directory, "greeting.txt"), "utf8")).toBe("Hello\n");
  expect(code).toBe(0);
});

test("a directory without a task, or a task without a directory, is refused before anything is asked of a model", async () => {
  const withoutTask = await runDemo("", "--dir", directory);
  const withoutDirectory = await runDemo("", "Greet better");

  expect([withoutTask.code, withoutDirectory.code]).toEqual([2, 2]);
  expect(withoutTask.output).toContain("A directory needs a task");
  expect(withoutDirectory.output).toContain("A task needs a directory");
  expect(server.requests).toEqual([]);
});

test("what the environment has wrong is reported without a stack, and help is given when it is asked for", async () => {
  baseURL = "localhost:8080/v1";
  const wrong = await runDemo("", "--dir", directory, "Greet better");
  const help = await runDemo("", "--help");

  expect([wrong.code, help.code]).toEqual([2, 0]);
  expect(wrong.output).toMatch(/^The variable OPENAI_BASE_URL is not usable/);
  expect(wrong.output).not.toContain("at openai");
  expect(help.output).toMatch(/^Usage: npm run demo/);
});

test.each([
  [{ ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, undefined, "anthropic"],
  [{ OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" }, undefined, "openai"],
  [{ GEMINI_API_KEY: "k" }, undefined, "google"],
  [{ ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, "gpt-5.1", "openai"],
  [{ GEMINI_API_KEY: "k", OPENAI_API_KEY: "k" }, "gemini-2.5-flash", "google"],
  [{ ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, "openai/gpt-5.1", "openai"],
  [{ OPENAI_API_KEY: "k" }, "anthropic/claude-sonnet-5", undefined],
  [{}, undefined, undefined],
] as const)("with %j and the model %s the demo uses %s", (env, wanted, vendor) => {
  const found = findLiveModel(env as NodeJS.ProcessEnv, wanted);

  expect(found?.vendor).toBe(vendor);
  if (wanted && found) expect(found.model).toBe(wanted.replace(/^.*\//, ""));
});

test("each vendor of the demo is one of the library's adapters", () => {
  for (const name of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"]) vi.stubEnv(name, "k");
  for (const vendor of ["anthropic", "openai", "google"] as const) {
    expect(connectLiveModel({ vendor, model: "m" })).toMatchObject({ id: vendor, model: "m" });
  }
});
