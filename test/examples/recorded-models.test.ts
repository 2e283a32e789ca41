import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recordedModel } from "../../examples/coding-agent/recorded-model.js";
import { readTestReport } from "../../examples/coding-agent/test-report.js";
import { AgentEngine, defineTool } from "../../src/index.js";
import { recordedModel as packedModel } from "../../src/program/demo/recorded-model.js";

const REPOSITORY = fileURLToPath(new URL("../../examples/coding-agent/repository", import.meta.url));
const FAILING = ["accepts a decimal point", "counts the decimals"];
const PASSING = [
  "adds several units",
  "reads one unit",
  "refuses what is no duration",
  "tells m from ms",
  "what was written reads as the same duration",
  "writes nothing as 0ms",
  "writes the longest units first",
];

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "loopwright-report-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function report(reporter: string, env: object): string {
  cpSync(REPOSITORY, directory, { recursive: true });
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env;
  const args = ["--test", `--test-reporter=${reporter}`];
  return spawnSync(process.execPath, args, { cwd: directory, encoding: "utf8", env: { ...rest, ...env } }).stdout;
}

test.each([
  ["tap", { NO_COLOR: "1" }],
  ["tap", { FORCE_COLOR: "1", NO_COLOR: undefined }],
  ["spec", { NO_COLOR: "1" }],
  ["spec", { FORCE_COLOR: "1", NO_COLOR: undefined }],
])("the report of this Node's reporter %s with %j is read", (reporter, env) => {
  const { passed, failed } = readTestReport(report(reporter, env))!;

  expect({ failed: [...failed].sort(), passed: [...passed].sort() }).toEqual({ failed: FAILING, passed: PASSING });
});

test("neither the order of a report nor its details matter, and a text without tests is no report", () => {
  const lines = report("tap", { NO_COLOR: "1" }).split("\n");
  const backwards = lines.toReversed().join("\n");
  const namesOnly = lines.filter((line) => /^\s*(not )?ok /.test(line)).join("\n");

  expect(readTestReport(namesOnly)).toEqual(readTestReport(lines.join("\n")));
  expect([...readTestReport(backwards)!.failed].sort()).toEqual(FAILING);
  expect(readTestReport("ok, that is no test\n# fail 0\n")).toBeNull();
});

/** What a recording says to a report of two passing tests and these failing ones, in place of a real command. */
async function saidTo(provider: ReturnType<typeof recordedModel>, failing: readonly string[], files: string) {
  const names = ["one that passes", ...failing, "another that passes"];
  const lines = names.map((name, at) => `${failing.includes(name) ? "not " : ""}ok ${at + 1} - ${name}`);
  const tool = (name: string, output: string) =>
    defineTool({ name, description: name, input: { type: "object" }, permission: "none", execute: () => output });
  const tools = ["skill", "glob", "read_file", "todo_write"].map((name) => tool(name, files));
  const engine = new AgentEngine({ provider, tools: [...tools, tool("bash", lines.join("\n"))] });
  const said: string[] = [];
  engine.on("text-delta", ({ text }) => said.push(text));
  const result = await engine.run("Fix it.");
  await engine.close();
  return { said: said.join(""), error: result.error?.message ?? "" };
}

test("the demo's recording goes on exactly if the tests fail that failed when it was recorded, in any order", async () => {
  const files = 'src/parse.js "node --test"';
  const same = await saidTo(recordedModel(), FAILING.toReversed(), files);
  const fewer = await saidTo(recordedModel(), FAILING.slice(1), files);
  const others = await saidTo(recordedModel(), [...FAILING, "one more"], files);

  expect(same.said).toContain("Two fail, both on decimals");
  expect(fewer.error).toContain('{"failing":["accepts a decimal point","counts the decimals"]}');
  expect(others.error).toContain("needs a tool result like");
});

test("the packed demo's recording goes on exactly if the test fails that failed when it was recorded", async () => {
  const same = await saidTo(packedModel({ isFast: true }), ["accents are dropped and letters kept"], "slug.test.js");
  const other = await saidTo(packedModel({ isFast: true }), ["words are joined by dashes"], "slug.test.js");

  expect(same.said).toContain("One fails");
  expect(other.said).toContain("This is a recording");
});
