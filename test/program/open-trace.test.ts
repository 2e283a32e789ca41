import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTrace } from "../../src/program/open-trace.js";
import { calling, directoryWith, modelServer, runHere } from "./kit.js";

const PRINT = ["-p", "--model", "openai/gpt-5.1", "What does a.txt say?"];

/** Runs the program with a model that reads a file. */
async function traced(LOOPWRIGHT_TRACE: string) {
  const [cwd, home] = [directoryWith({ "a.txt": "Hello\n" }), directoryWith()];
  const { url } = await modelServer(calling("read_file", { path: "a.txt" }), { text: "Hello." });
  const env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: "sk-0123456789abcdefghijkl", LOOPWRIGHT_TRACE };
  return { cwd, ...(await runHere(PRINT, { cwd, home, env })) };
}

test("LOOPWRIGHT_TRACE=file: what a run does is appended to the file, which its owner alone may read", async () => {
  const { cwd, code, stdout, stderr } = await traced("trace.log");

  const file = join(cwd, "trace.log");
  const stages = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => line.slice(19).split(/ +/)[0]);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "Hello.\n", stderr: "" });
  expect(stages).toEqual(
    expect.arrayContaining(["run", "prompt", "request", "response", "call", "decision", "result", "end"]),
  );
  expect(readFileSync(file, "utf8")).not.toContain("sk-0123456789");
  expect(statSync(file).mode & 0o077).toBe(0);
});

test.each(["1", "stderr"])("LOOPWRIGHT_TRACE=%s: it is written to standard error", async (to) => {
  const { code, stdout, stderr } = await traced(to);

  expect({ code, stdout }).toEqual({ code: 0, stdout: "Hello.\n" });
  expect(stderr).toMatch(/ call {6}read_file call_read_file .*\n[\s\S]* end {7}completed after 2 turns/);
});

test.each(["", "0"])('LOOPWRIGHT_TRACE="%s": nothing is written', async (to) => {
  expect(await traced(to)).toMatchObject({ code: 0, stderr: "" });
});

test("a file that cannot be written is wrong usage, and so is standard error while it is the screen", async () => {
  const env = { LOOPWRIGHT_TRACE: "1" };
  const stderr = { isTTY: true } as NodeJS.WriteStream;

  expect(await traced("missing/trace.log")).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/^loopwright: LOOPWRIGHT_TRACE: ".*missing\/trace\.log" cannot be written: .*\n$/),
  });
  await expect(openTrace({ env, stderr, cwd: "/", hasScreen: true })).rejects.toThrow(
    /^LOOPWRIGHT_TRACE=1 writes to standard error, which is the screen of this conversation\. Name a file/,
  );
});
