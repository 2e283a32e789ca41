import { expect, test } from "vitest";
import { readAgentFile } from "../../src/subagents/agent-file.js";

const read = (front: string) =>
  readAgentFile(`---\nname: a\ndescription: Does a.\n${front}\n---\n\nDo it.`, "/x/a.md", {
    ownTools: new Set(),
    hasServers: false,
  });

test("an agent whose file has a hook that guards asks about each call that is not harmless", async () => {
  const { agent } = await read("hooks:\n  PreToolUse:\n    - hooks: []");
  const about = (permission: "none" | "execute") => ({ tool: { name: "t", permission }, input: {} }) as never;

  expect(await agent!.permissions!.decide(about("execute"))).toMatchObject({ behavior: "ask" });
  expect(await agent!.permissions!.decide(about("none"))).toEqual({ behavior: "allow" });
  expect((await read("hooks:\n  Stop: []")).agent!.permissions).toBeUndefined();
});

test("a field that is not known is a problem", async () => {
  const { problems } = await read("color: red\nforbid: everything");

  expect(problems).toMatchObject([{ key: "forbid", message: expect.stringContaining("does not count") }]);
});
