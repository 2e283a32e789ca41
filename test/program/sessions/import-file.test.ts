// A file of another program's session, named on the command line.
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFile, isSessionFile } from "../../../src/program/sessions/import-file.js";
import { chooseSession } from "../../../src/program/sessions/session-choice.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { CLAUDE_CODE } from "../../sessions/foreign-sessions.js";
import { directoryWith } from "../kit.js";

test("--resume with a file brings its session in and says what was left out; again, it goes on with the same session", async () => {
  const cwd = directoryWith({ "old.jsonl": CLAUDE_CODE });
  const said: string[] = [];
  const place = { cwd, model: "anthropic/claude-sonnet-5", say: (text: string) => void said.push(text) };
  const store = createMemorySessionStore();

  const id = await chooseSession({ resume: "old.jsonl", continueLast: false }, store, place);
  expect(id).toMatch(/^old-\w{8}$/);
  expect(said.join("\n")).toContain(`a session of claude-code, brought in as ${id} with 6 messages.`);
  expect(said.join("\n")).toContain("1 calls had no result");
  expect(said.join("\n")).toContain("1 × novelty");
  expect(await chooseSession({ resume: join(cwd, "old.jsonl"), continueLast: false }, store, place)).toBe(id);
  expect(said.at(-1)).toContain("was brought in before");
});

test.each([
  ["missing.jsonl", "cannot be read"],
  ["notes.jsonl", "it is not JSON"],
  [".", "cannot be read"],
])("%s is refused with what is wrong with it", async (file, why) => {
  const cwd = directoryWith({ "notes.jsonl": "hello\n" });
  const place = { cwd, model: "scripted/scripted", say: () => {} };

  await expect(importFile(createMemorySessionStore(), file, place)).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringContaining(why),
  });
});

test("an id or a name is no file", () => {
  expect(["0199-abc", "my session", "s.1"].filter(isSessionFile)).toEqual([]);
  expect(["./s", "C:\\s", "s.jsonl", "export.json"].filter((given) => !isSessionFile(given))).toEqual([]);
});
