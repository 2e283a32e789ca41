import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundled } from "../bundled.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { ANTHROPIC_API_KEY: _a, OPENAI_API_KEY: _o, GEMINI_API_KEY: _g, OPENAI_BASE_URL: _b, ...env } = process.env;

async function demo(...flags: string[]) {
  const args = [await bundled(new URL("../../examples/coding-agent/demo.ts", import.meta.url)), ...flags];
  return spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8", env: { ...env, NO_COLOR: "1" } });
}

test("the demo with --plan shows planning, execution, verification and the final report, without a key", async () => {
  const directory = mkdtempSync(join(tmpdir(), "plan-demo-"));

  const { status, stdout } = await demo(
    "--dir",
    directory,
    "--plan",
    'create output/hello.txt with this content: "Hi there"',
  );

  const phases = ["Choosing a skill", "Planning", "Execution", "Verification", "Final report"];
  const places = phases.map((phase) => stdout.indexOf(`\n    ${phase}\n`));
  expect(places.every((place, at) => place > (places[at - 1] ?? 0))).toBe(true);
  expect(stdout).toContain("4 of 4 tasks done");
  expect(readFileSync(join(directory, "output/hello.txt"), "utf8")).toBe("Hi there\n");
  expect(status).toBe(0);
  rmSync(directory, { recursive: true });
});
