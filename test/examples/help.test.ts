import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { bundled } from "../bundled.js";

const run = promisify(execFile);

/** What an example prints, started in an empty directory. */
async function runExample(name: string, ...args: string[]) {
  const file = await bundled(new URL(`../../examples/${name}`, import.meta.url));
  const cwd = mkdtempSync(join(tmpdir(), "loopwright-example-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const failed = (error: { code: number; stdout: string; stderr: string }) => error;
  const { stdout, stderr, ...rest } = await run(process.execPath, [file, ...args], { cwd }).catch(failed);
  return { code: "code" in rest ? rest.code : 0, stdout, stderr, files: readdirSync(cwd) };
}

test.each([
  ["coding-agent/demo.ts", "npm run demo"],
  ["web-chat/server.ts", "--port"],
  ["fleet/main.ts", "DATABASE_URL"],
])("%s --help says how it is used, and does nothing else", async (name, mentioned) => {
  const { code, stdout, stderr, files } = await runExample(name, "--help");

  expect({ code, stderr, files }).toEqual({ code: 0, stderr: "", files: [] });
  expect(stdout).toContain(mentioned);
});

test("an option that the web chat does not have is refused with the options that it has, without a stack", async () => {
  const { code, stderr } = await runExample("web-chat/server.ts", "--prot", "80");

  expect(code).toBe(2);
  expect(stderr).toMatch(/^Unknown option '--prot'[\s\S]*--port <number>/);
  expect(stderr).not.toContain("node:internal");
});
