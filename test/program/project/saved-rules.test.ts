import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectStateOf } from "../../../src/program/project/project-state.js";
import { readSavedRules, saveRules } from "../../../src/program/project/saved-rules.js";
import { readTrust, writeTrust } from "../../../src/program/project/trust.js";
import { directoryWith } from "../kit.js";

const stateOfNew = () => projectStateOf(directoryWith(), { LOOPWRIGHT_HOME: directoryWith() });

test("rules are kept outside the project, each once, and can be taken back", async () => {
  const state = stateOfNew();
  const add = { type: "addRules", behavior: "allow", rules: ["bash(npm test)"], destination: "localSettings" } as const;

  const file = await saveRules(state, [add, add, { ...add, behavior: "deny", rules: ["bash(git push *)"] }]);
  const kept = await readSavedRules(state);
  await saveRules(state, [{ ...add, type: "removeRules" }]);

  expect(file.startsWith(state.root)).toBe(false);
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(kept).toEqual({ source: "local", allow: ["bash(npm test)"], ask: [], deny: ["bash(git push *)"] });
  expect((await readSavedRules(state)).allow).toEqual([]);
});

test("what is damaged or is not a rule counts for nothing", async () => {
  const state = stateOfNew();
  mkdirSync(state.dir, { recursive: true });

  writeFileSync(state.rules, '{ "allow": ["bash(", 5, "bash(ls)"], "deny": "all" }');
  expect(await readSavedRules(state)).toEqual({ source: "local", allow: ["bash(ls)"], ask: [], deny: [] });
  writeFileSync(state.rules, "{ nonsense");
  expect(await readSavedRules(state)).toEqual({ source: "local", allow: [], ask: [], deny: [] });
});

test("trust holds for the directory it was given to", async () => {
  const state = stateOfNew();

  expect(await readTrust(state)).toBeUndefined();
  await writeTrust(state, true);

  expect(await readTrust(state)).toBe(true);
  expect(await readTrust({ ...state, root: join(state.root, "other") })).toBeUndefined();
});
