import { expect, test } from "vitest";
import { readAgentFile } from "../../src/subagents/agent-file.js";
import { readAgentServers } from "../../src/subagents/read-agent-servers.js";

const CONTEXT = { ownTools: new Set<string>(), hasServers: false };
const read = async (fields: string) => {
  const { agent } = await readAgentFile(`---\nname: a\ndescription: A.\n${fields}\n---\nWork.\n`, "/x/a.md", CONTEXT);
  return agent!;
};

test.each([
  ["PreToolUse", "hooks:\n  PreToolUse: []"],
  ["PermissionRequest", "hooks:\n  PermissionRequest: []"],
  ["a list", "hooks:\n  - PreToolUse"],
  ["text", "hooks: guard.sh"],
])("an agent file whose hooks may guard calls asks before each that is not harmless: %s", async (_, hooks) => {
  const gate = (await read(hooks)).permissions!;
  for (const [permission, behavior] of [
    ["none", "allow"],
    ["read_only", "ask"],
    ["read_write", "ask"],
    ["execute", "ask"],
  ]) {
    expect(await gate.decide({ tool: { permission } } as never)).toMatchObject({ behavior });
  }
});

test("hooks that guard nothing ask nothing", async () => {
  for (const hooks of ["hooks:\n  PostToolUse: []", "hooks:", "color: red"])
    expect((await read(hooks)).permissions).toBeUndefined();
});

test("only true makes an agent work in the background", async () => {
  for (const written of ['"false"', "0", "1", "no", '"true"', "null"])
    expect([written, (await read(`background: ${written}`)).kind]).toEqual([written, undefined]);
  expect((await read("background: true")).kind).toBe("background");
});

test("of two servers of one name the first counts, and no more than fifty are read", () => {
  const problems: string[] = [];
  const report = (_key: string, message: string) => void problems.push(message);
  expect(readAgentServers([{ db: { command: "first" } }, { db: { command: "second" } }, "db"], report)).toEqual([
    { name: "db", entry: { command: "first" } },
  ]);
  const many = Array.from({ length: 51 }, (_, n) => `s${n}`);
  expect(readAgentServers(many.slice(0, 50), report).map(({ name }) => name)).toEqual(many.slice(0, 50));
  expect(problems).toHaveLength(2);
  expect(readAgentServers(many, report).map(({ name }) => name)).toEqual(many.slice(0, 50));
  expect(problems[2]).toBe("it has 51 servers; the first 50 are read");
});
