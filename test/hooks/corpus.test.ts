import { isHarnessError } from "loopwright";
import { createPermissionChecker } from "loopwright/permissions";
import { expect, test } from "vitest";
import { CORPUS } from "./corpus/settings-files.js";
import { load, project } from "./kit.js";

const countsOf = (hooks: Readonly<Record<string, readonly unknown[] | undefined>>) =>
  Object.fromEntries(Object.entries(hooks).map(([event, list]) => [event, list?.length ?? 0]));

test.each(CORPUS)("of $about comes what is expected", async ({ file, isRefused, ...expected }) => {
  const dir = await project({ ".claude/settings.json": file });
  const settings = await load(dir).catch((error: unknown) => error as never);

  if (isRefused) {
    expect(isHarnessError(settings, "SETTINGS_INVALID")).toBe(true);
    return;
  }
  expect({
    allow: settings.sources[0]?.allow.length,
    deny: settings.sources[0]?.deny.length,
    ask: settings.sources[0]?.ask,
    hooks: countsOf(settings.hooks as never),
    mode: settings.mode,
    problems: settings.problems.map(({ key }) => key),
    unsupported: settings.unsupported.map(({ key }) => key),
  }).toEqual({
    allow: expected.allow ?? 0,
    deny: expected.deny ?? 0,
    ask: expected.ask ?? [],
    hooks: expected.hooks ?? {},
    mode: expected.mode,
    problems: expected.problems ?? [],
    unsupported: expected.unsupported ?? [],
  });
  // What was loaded is what a checker takes.
  createPermissionChecker({ sources: settings.sources });
});

test.each(CORPUS)("$about never keeps a host from starting when the project is not trusted", async (entry) => {
  const dir = await project({ ".claude/settings.json": entry.file });

  const settings = await load(dir, { trustProject: false });

  expect(settings.sources.flatMap(({ allow }) => allow)).toEqual([]);
  expect(Object.values(settings.hooks).flat()).toEqual([]);
  if (entry.isRefused) expect(settings.problems.length).toBeGreaterThan(0);
  else expect(settings.sources[0]?.deny.length).toBe(entry.deny ?? 0);
  createPermissionChecker({ sources: settings.sources });
});

test("a deny rule that is not understood asks in every mode, also under an allow of the tool", async () => {
  const dir = await project({
    ".claude/settings.json": { permissions: { deny: ["Agent(model:opus)"], allow: ["Agent"] } },
  });
  const { sources } = await load(dir);
  const behaviors = await Promise.all(
    (["default", "acceptEdits", "bypassPermissions", "dontAsk", "plan"] as const).map(async (mode) => {
      const checker = createPermissionChecker({ sources, mode });
      return (await checker.decide({ tool: "task", input: { prompt: "x", subagent_type: "a" } })).behavior;
    }),
  );

  expect(behaviors).toEqual(["ask", "ask", "ask", "deny", "ask"]);
});
