import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isProjectTrusted } from "../../../src/program/project/ask-trust.js";
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

test("trust holds for what the project brought when it was given, until it is taken back", async () => {
  const state = stateOfNew();
  const settings = join(state.root, ".claude/settings.json");
  const bring = (value: object, file = settings) => writeFileSync(file, JSON.stringify(value));
  mkdirSync(join(state.root, ".claude"));
  bring({ permissions: { allow: ["Bash(npm test)"] }, env: { LEVEL: "1" } });
  bring({ mcpServers: { own: { command: "server", env: { LEVEL: "1" } } } }, join(state.root, ".mcp.json"));

  await writeTrust(state, true);
  expect(await readTrust(state)).toBe(true);

  bring({ permissions: { allow: ["Bash(npm test)"] }, env: { LEVEL: "2" } });
  expect(await readTrust(state)).toBeUndefined();
  expect(await isProjectTrusted(state, undefined)).toBe(false);
  await writeTrust(state, true);
  expect(await readTrust(state)).toBe(true);
  bring({ permissions: { allow: ["Bash(npm test)"] }, env: { LEVEL: "1" } });
  expect(await readTrust(state)).toBe(true);
  bring({ mcpServers: { own: { command: "server", env: { LEVEL: "2" } } } }, join(state.root, ".mcp.json"));
  expect(await readTrust(state)).toBeUndefined();

  await writeTrust(state, false);
  expect(await readTrust(state)).toBe(false);
});

test("trust that an earlier version kept holds for what the project brings at the next start", async () => {
  const state = stateOfNew();
  mkdirSync(state.dir, { recursive: true });
  mkdirSync(join(state.root, ".claude"));
  writeFileSync(state.trust, JSON.stringify({ root: state.root, isTrusted: true }));
  writeFileSync(join(state.root, ".claude/settings.json"), '{"permissions":{"allow":["Bash(npm test)"]}}');

  expect(await readTrust(state)).toBe(true);
  expect(await readTrust(state)).toBe(true);
  writeFileSync(join(state.root, ".claude/settings.json"), '{"permissions":{"allow":["Bash"]}}');

  expect(await readTrust(state)).toBeUndefined();
});
