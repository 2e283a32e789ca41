import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { ProviderAdapter } from "../../src/contracts/provider.js";
import { loadSubagents } from "../../src/subagents/index.js";
import { scripted } from "../../src/testing/index.js";
import { temporaryDirectory } from "../sessions/kit.js";
import { AGENT_CORPUS } from "./agent-corpus.js";

const MODELS: Record<string, ProviderAdapter> = {
  sonnet: scripted([]),
  opus: scripted([]),
};
const models = (name: string) => MODELS[name];

function filesIn(files: Record<string, string>, dir = temporaryDirectory()): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

test.each(AGENT_CORPUS.map((each) => [each.file, each] as const))("%s becomes what it says", async (file, expected) => {
  const dir = filesIn({ [file]: expected.text });

  const { subagents, problems } = await loadSubagents({
    dirs: [dir],
    trustProject: true,
    models,
    tools: ["deploy_site"],
  });

  expect(problems.map(({ key }) => key).sort()).toEqual([...expected.problems].sort());
  for (const problem of problems) {
    expect(problem.file).toBe(join(dir, file));
    expect(problem.line).toBeGreaterThan(0);
    expect(problem.line).toBeLessThanOrEqual(expected.text.split(/\r?\n/).length);
  }
  const [agent] = subagents;
  if (expected.agent === null) {
    expect(agent).toBeUndefined();
    return;
  }
  const { name, description, prompt, tools, denied, model, ...fields } = expected.agent;
  if (name !== undefined) expect(agent!.name).toBe(name);
  if (description) expect(agent!.description).toMatch(description);
  if (prompt) expect(agent!.systemPrompt).toMatch(prompt);
  if (tools !== undefined) expect(agent!.tools ?? null).toEqual(tools);
  if (denied) expect(agent!.disallowedTools).toEqual(denied);
  if ("model" in expected.agent) expect(agent!.model).toBe(model === undefined ? undefined : MODELS[model]);
  for (const [key, value] of Object.entries(fields)) expect(Reflect.get(agent!, key)).toBe(value);
});

test("the corpus is large, and no file of it gains a tool by being wrong", async () => {
  expect(AGENT_CORPUS.length).toBeGreaterThanOrEqual(80);
  const whole = AGENT_CORPUS.filter(({ agent }) => agent && agent.tools === null).map(({ file }) => file);

  expect(whole).toEqual([
    "tools-absent.md",
    "tools-star-quoted.md",
    "tools-star.md",
    "tools-all.md",
    "tools-star-list.md",
    "disallowed.md",
    "disallowed-part.md",
    "disallowed-unknown.md",
    "prototype.md",
  ]);
});

test("a project's agents are shown and not used, unless it is trusted; the user's own always are", async () => {
  const home = temporaryDirectory();
  const user = filesIn({ "mine.md": agent("mine") }, join(home, ".claude", "agents"));
  const project = filesIn({ "theirs.md": agent("theirs") }, join(temporaryDirectory(), ".claude", "agents"));
  const names = (agents: readonly { name: string }[]) => agents.map(({ name }) => name);

  const cautious = await loadSubagents({ dirs: [user, project], home });
  const trusting = await loadSubagents({ dirs: [user, project], home, trustProject: true });

  expect([names(cautious.subagents), names(cautious.untrusted)]).toEqual([["mine"], ["theirs"]]);
  expect([names(trusting.subagents), names(trusting.untrusted)]).toEqual([["mine", "theirs"], []]);
});

test("a directory that only looks like the user's own is a project's", async () => {
  const home = temporaryDirectory();
  const project = filesIn({ "theirs.md": agent("theirs") });
  mkdirSync(join(home, ".claude"));
  symlinkSync(project, join(home, ".claude", "agents"));
  const beside = filesIn({ "x.md": agent("x") }, join(home, ".claude-evil"));

  const { subagents, untrusted } = await loadSubagents({ dirs: [join(home, ".claude", "agents"), beside], home });

  expect([subagents.length, untrusted.length]).toEqual([0, 2]);
});

test("an untrusted link that leads out of its directory is not read", async () => {
  const outside = filesIn({ "secret.md": agent("secret") });
  const dir = temporaryDirectory();
  symlinkSync(join(outside, "secret.md"), join(dir, "a.md"));

  const { untrusted, problems } = await loadSubagents({ dirs: [dir] });

  expect([untrusted.length, problems.map(({ message }) => message)]).toEqual([
    0,
    ["it is a link that leads out of its directory, so it was not read"],
  ]);
});

test("of two agents of one name the last directory counts, and within one it is reported", async () => {
  const first = filesIn({ "a.md": agent("same", "first") });
  const second = filesIn({ "a.md": agent("same", "second"), "b.md": agent("same", "third") });

  const { subagents, problems } = await loadSubagents({ dirs: [first, second], trustProject: true });

  expect(subagents.map(({ systemPrompt }) => systemPrompt)).toEqual(["third"]);
  expect(problems).toMatchObject([{ file: join(second, "b.md"), message: expect.stringContaining("also defined") }]);
});

test("directories below are read; hidden ones, other files and missing directories are not", async () => {
  const dir = filesIn({
    "team/deep/a.md": agent("a"),
    "B.MD": agent("b"),
    ".git/c.md": agent("c"),
    "d.txt": agent("d"),
    "e.md/f.md": agent("f"),
  });

  const { subagents, problems } = await loadSubagents({ dirs: [dir, join(dir, "missing")], trustProject: true });

  expect([subagents.map(({ name }) => name), problems]).toEqual([["a", "b", "f"], []]);
});

test("a file that is too large or cannot be read is reported, and the rest is loaded", async () => {
  const dir = filesIn({ "a.md": agent("a"), "large.md": agent("large") + "x".repeat(600_000) });
  symlinkSync(join(dir, "nowhere"), join(dir, "gone.md"));

  const { subagents, problems } = await loadSubagents({ dirs: [dir], trustProject: true });

  expect(subagents.map(({ name }) => name)).toEqual(["a"]);
  expect(problems.map(({ file }) => file)).toEqual([join(dir, "gone.md"), join(dir, "large.md")]);
});

test("without models every name but the parent's is a problem", async () => {
  const dir = filesIn({ "a.md": agent("a").replace("---\n\n", "model: sonnet\n---\n\n") });

  const { subagents, problems } = await loadSubagents({ dirs: [dir], trustProject: true });

  expect(subagents[0]!.model).toBeUndefined();
  expect(problems).toMatchObject([{ key: "model", line: 4 }]);
});

test("unknown options are refused", async () => {
  await expect(loadSubagents({ dirs: ["x"], trust: true } as never)).rejects.toThrow(/no option "trust"/);
  await expect(loadSubagents({} as never)).rejects.toThrow(/"dirs".*missing/);
});

function agent(name: string, prompt = "Do it."): string {
  return `---\nname: ${name}\ndescription: Does it\n---\n\n${prompt}`;
}
