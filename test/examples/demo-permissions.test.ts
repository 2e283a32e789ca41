import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chatChunks, createFaultServer, type FaultServer, sse } from "loopwright/testing/fault-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundled } from "../bundled.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FILES = ["src/a.txt", "src/b.txt", "c.txt"];

let directory: string;
let server: FaultServer;
let child: ChildProcess | undefined;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "loopwright-live-"));
  mkdirSync(join(directory, "src"));
  for (const file of FILES) writeFileSync(join(directory, file), "Hello\n");
  const edits = FILES.map((path, index) => {
    const args = { path, old_text: "Hello", new_text: "Good morning" };
    return { body: sse(chatChunks({ toolCalls: [{ id: `call_${index}`, name: "edit_file", arguments: args }] })) };
  });
  server = await createFaultServer([...edits, { body: sse(chatChunks({ text: "All done." })) }]);
});

afterEach(async () => {
  child?.kill("SIGKILL");
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

/** How often the demo asked, and which files it changed. */
async function runDemo(answers: string, ...flags: string[]) {
  child = spawn(
    process.execPath,
    [
      await bundled(new URL("../../examples/coding-agent/demo.ts", import.meta.url)),
      ...flags,
      "--dir",
      directory,
      "Greet better",
    ],
    {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NO_COLOR: "1",
        OPENAI_BASE_URL: server.url,
        OPENAI_API_KEY: "test",
      },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  let output = "";
  child.stdout!.on("data", (data) => (output += data));
  child.stdin!.end(answers);
  await new Promise((resolve) => child!.once("close", resolve));
  const changed = FILES.filter((file) => readFileSync(join(directory, file), "utf8") === "Good morning\n");
  return { asked: output.split("Allow this?").length - 1, changed, output };
}

test("'always' answers for the other files of the directory, and for no file elsewhere", async () => {
  const { asked, changed, output } = await runDemo("a\n");

  expect(output).toContain("a = always allow edit_file(/src/**)");
  expect({ asked, changed }).toEqual({ asked: 2, changed: ["src/a.txt", "src/b.txt"] });
});

test("--yes asks nothing", async () => {
  expect(await runDemo("", "--yes")).toMatchObject({ asked: 0, changed: FILES });
});
