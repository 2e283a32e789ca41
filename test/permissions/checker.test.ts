// The fixed order of decisions, the sources, the modes and what tools say themselves.
import { describe, expect, test } from "vitest";
import type { JsonValue, PermissionMode, PermissionResult } from "../../src/index.js";
import { createPermissionChecker, type SourcedRules } from "../../src/permissions/index.js";
import { bash, behaviorOf, decide } from "./kit.js";

const deploy = (own?: PermissionResult | (() => PermissionResult)) => ({
  name: "deploy",
  permission: "execute" as const,
  checkPermission: () => (typeof own === "function" ? own() : (own ?? { behavior: "passthrough" as const })),
});

describe("the order", () => {
  const input = { to: "staging" };

  test("deny beats ask beats allow, whatever their sources", async () => {
    const all = { allow: ["deploy"], ask: ["deploy"], deny: ["deploy"] };
    expect(await decide({ rules: all }, { tool: "deploy", input })).toMatchObject({ behavior: "deny" });
    const weakDeny = [
      { source: "policy", allow: ["deploy"] },
      { source: "user", deny: ["deploy"] },
    ] as const;
    expect(await decide({ sources: weakDeny }, { tool: "deploy", input })).toMatchObject({
      behavior: "deny",
      source: "user",
    });
    expect(await decide({ rules: { allow: ["deploy"], ask: ["deploy"] } }, { tool: "deploy", input })).toMatchObject({
      behavior: "ask",
    });
  });

  test("among rules of one behaviour the strongest source is reported", async () => {
    const order = ["policy", "flag", "cliArg", "command", "session", "local", "project", "user"] as const;
    for (let from = 0; from < order.length; from++) {
      const sources: SourcedRules[] = order
        .slice(from)
        .reverse()
        .map((source) => ({ source, deny: ["deploy"] }));
      expect(await decide({ sources }, { tool: "deploy", input })).toMatchObject({ source: order[from] });
    }
  });

  test("a hook's allow answers what would be asked, and no rule", async () => {
    const hook = { behavior: "allow" } as const;
    expect(await decide({}, { tool: "deploy", input, hook })).toMatchObject({ behavior: "allow" });
    expect(await decide({ rules: { ask: ["deploy"] } }, { tool: "deploy", input, hook })).toMatchObject({
      behavior: "ask",
    });
    expect(await decide({ rules: { deny: ["deploy"] } }, { tool: "deploy", input, hook })).toMatchObject({
      behavior: "deny",
    });
    expect(await decide({}, { tool: deploy({ behavior: "ask" }), input, hook })).toMatchObject({ behavior: "ask" });
  });

  test("a hook's ask beats an allow rule", async () => {
    const hook = { behavior: "ask", reason: "careful" } as const;
    expect(await decide({ rules: { allow: ["deploy"] } }, { tool: "deploy", input, hook })).toMatchObject({
      behavior: "ask",
      reason: "careful",
    });
  });

  test("a tool's own deny beats every allow, and its own ask all but a rule that names the target", async () => {
    const request = (own: PermissionResult) => ({ tool: deploy(own), input });
    const allowed = (rule: string) => ({ rules: { allow: [rule] } });
    expect(await decide(allowed("deploy"), request({ behavior: "deny" }))).toMatchObject({ behavior: "deny" });
    expect(await decide(allowed("deploy"), request({ behavior: "ask" }))).toMatchObject({ behavior: "ask" });
    expect(await decide(allowed("deploy(staging)"), request({ behavior: "ask" }))).toMatchObject({ behavior: "allow" });
    expect(await decide({}, request({ behavior: "allow" }))).toMatchObject({ behavior: "allow" });
    expect(await decide({}, request({ behavior: "passthrough" }))).toMatchObject({ behavior: "ask" });
  });

  test("a tool's check that throws or answers nonsense denies", async () => {
    const broken = deploy(() => {
      throw new Error("broken");
    });
    const nonsense = deploy({ behavior: "maybe" } as never);
    for (const tool of [broken, nonsense]) {
      expect(await decide({ mode: "bypassPermissions" }, { tool, input })).toMatchObject({ behavior: "deny" });
    }
  });

  test("an opinion that comes later counts as one that is there at once, and one that never comes right denies", async () => {
    const later = (own: () => Promise<PermissionResult>) => ({ ...deploy(), checkPermission: own });
    const of = (own: () => Promise<PermissionResult>) =>
      decide({ rules: { allow: ["deploy"] } }, { tool: later(own), input });

    expect(await of(async () => ({ behavior: "deny" }))).toMatchObject({ behavior: "deny" });
    expect(await of(async () => ({ behavior: "passthrough" }))).toMatchObject({ behavior: "allow" });
    expect(await of(async () => ({ behavior: "yes" }) as never)).toMatchObject({ behavior: "deny" });
    expect(await of(() => Promise.reject(new Error("broken")))).toMatchObject({
      behavior: "deny",
      reason: expect.stringContaining("broken"),
    });
  });
});

describe("modes", () => {
  const calls = {
    read: { tool: "read_file", input: { path: "src/a.ts" } },
    edit: { tool: "edit_file", input: { path: "src/a.ts" } },
    write: { tool: "Write", input: { file_path: "src/a.ts" } },
    plan: { tool: "todo_write", input: { todos: [] } },
    look: bash("ls"),
    run: bash("npm test"),
    redirect: bash("echo x > src/b.ts"),
    copy: bash("cp src/a.ts src/b.ts"),
  };
  test.each<[PermissionMode, Record<keyof typeof calls, string>]>([
    [
      "default",
      {
        read: "allow",
        edit: "ask",
        write: "ask",
        plan: "allow",
        look: "allow",
        run: "ask",
        redirect: "ask",
        copy: "ask",
      },
    ],
    [
      "acceptEdits",
      {
        read: "allow",
        edit: "allow",
        write: "allow",
        plan: "allow",
        look: "allow",
        run: "ask",
        redirect: "allow",
        copy: "allow",
      },
    ],
    [
      "plan",
      {
        read: "allow",
        edit: "deny",
        write: "deny",
        plan: "allow",
        look: "allow",
        run: "deny",
        redirect: "deny",
        copy: "deny",
      },
    ],
    [
      "dontAsk",
      {
        read: "allow",
        edit: "deny",
        write: "deny",
        plan: "allow",
        look: "allow",
        run: "deny",
        redirect: "deny",
        copy: "deny",
      },
    ],
    [
      "bypassPermissions",
      {
        read: "allow",
        edit: "allow",
        write: "allow",
        plan: "allow",
        look: "allow",
        run: "allow",
        redirect: "allow",
        copy: "allow",
      },
    ],
  ])("%s", async (mode, expected) => {
    const checker = createPermissionChecker({ mode });
    const answers = Object.entries(calls).map(async ([name, call]) => [name, await behaviorOf(checker, call)]);
    expect(Object.fromEntries(await Promise.all(answers))).toEqual(expected);
  });

  test("plan holds against allow rules, dontAsk does not", async () => {
    const rules = { allow: ["Edit(src/**)"] };
    expect(await decide({ mode: "plan", rules }, calls.edit)).toMatchObject({ behavior: "deny" });
    expect(await decide({ mode: "dontAsk", rules }, calls.edit)).toMatchObject({ behavior: "allow" });
  });

  test("a request's mode wins over the checker's, and policy can take bypassPermissions away", async () => {
    const request = { ...calls.run, mode: "bypassPermissions" as const };
    expect(await decide({ mode: "plan" }, request)).toMatchObject({ behavior: "allow" });
    const sources = [{ source: "policy", disableBypassPermissions: true }] as const;
    expect(await decide({ sources }, request)).toMatchObject({ behavior: "ask" });
  });

  test("an unknown mode is refused at construction and denies in a request", async () => {
    expect(() => createPermissionChecker({ mode: "yolo" as never })).toThrow(/Option "mode".*"dontAsk"/);
    expect(await decide({}, { ...calls.read, mode: "yolo" as never })).toMatchObject({ behavior: "deny" });
  });

  test("bypassPermissions does not answer ask rules, nor what is not understood while something is denied", async () => {
    const mode = "bypassPermissions";
    expect(await decide({ mode, rules: { ask: ["Bash(npm *)"] } }, calls.run)).toMatchObject({ behavior: "ask" });
    expect(await decide({ mode, rules: { deny: ["Bash(git push:*)"] } }, bash("$X push"))).toMatchObject({
      behavior: "ask",
    });
    expect(await decide({ mode }, bash("$X push"))).toMatchObject({ behavior: "allow" });
  });
});

describe("names", () => {
  test.each([
    ["Read", "read_file", { path: "a" }],
    ["Read", "grep", { pattern: "x" }],
    ["Read", "glob", { pattern: "*" }],
    ["read_file", "list_dir", {}],
    ["Read(src/**)", "Grep", { pattern: "x", path: "src/a" }],
    ["Edit", "write_file", { path: "a", content: "" }],
    ["Edit(src/**)", "Write", { file_path: "src/a", content: "" }],
    ["Write", "write_file", { path: "a", content: "" }],
    ["Bash", "bash", { command: "ls" }],
    ["WebFetch(domain:example.com)", "web_fetch", { url: "https://user@example.com:8080/x" }],
    ["WebFetch(domain:example.com)", "WebFetch", { url: "https://sub.EXAMPLE.com./x" }],
    ["Task(scout)", "task", { subagent_type: "scout", prompt: "x" }],
    ["Agent(scout)", "Task", { subagent_type: "scout", prompt: "x" }],
    ["TodoWrite", "todo_write", { todos: [] }],
    ["mcp__github", "mcp__github__push", {}],
    ["mcp__github__*", "mcp__github__push", {}],
    ["mcp__github__push", "mcp__github__push", {}],
    ["*", "anything", {}],
    ["deploy(prod*)", "deploy", { nested: { to: ["production"] } }],
  ])("deny %s is about %s", async (rule, tool, input) => {
    expect(await decide({ rules: { deny: [rule] } }, { tool, input })).toMatchObject({
      behavior: "deny",
      rule: { rule },
    });
  });

  test.each([
    ["Write", "edit_file", { path: "a" }],
    ["Grep", "read_file", { path: "a" }],
    ["mcp__git", "mcp__github__push", {}],
    ["mcp__github__get", "mcp__github__get_all", {}],
    ["WebFetch(domain:example.com)", "web_fetch", { url: "https://example.com.evil.org" }],
    ["WebFetch(domain:example.com)", "web_fetch", { url: "https://notexample.com" }],
    ["Task(scout)", "task", { subagent_type: "scouts" }],
  ])("deny %s is not about %s %j", async (rule, tool, input) => {
    expect((await decide({ rules: { deny: [rule] } }, { tool, input })).behavior).not.toBe("deny");
  });

  test("an allow for a host means that host alone", async () => {
    const rules = { allow: ["WebFetch(domain:example.com)", "WebFetch(domain:*.docs.org)"] };
    const fetched = (url: string) => decide({ rules }, { tool: "web_fetch", input: { url } });
    expect(await fetched("https://example.com/x")).toMatchObject({ behavior: "allow" });
    expect(await fetched("https://www.docs.org")).toMatchObject({ behavior: "allow" });
    expect(await fetched("https://sub.example.com")).toMatchObject({ behavior: "ask" });
    expect(await fetched("https://example.com@evil.org")).toMatchObject({ behavior: "ask" });
    expect(await fetched("not a url")).toMatchObject({ behavior: "ask" });
  });
});

describe("malformed rules", () => {
  test.each(["Bash(", "Read(!x)", "WebFetch(example.com)", "mcp__*", "Bash(ls)x", ""])(
    "%j stops construction",
    (rule) => {
      const behavior = rule === "mcp__*" ? "allow" : "deny";
      const sources = [{ source: "project", [behavior]: [rule] } as const];
      expect(() => createPermissionChecker({ sources })).toThrow(
        expect.objectContaining({ code: "OPTION_INVALID", message: expect.stringContaining('the source "project"') }),
      );
    },
  );

  test("an unknown source, or a list that is not one, stops construction", () => {
    expect(() => createPermissionChecker({ sources: [{ source: "elsewhere" as never }] })).toThrow(
      /"sources\[0\].source".*"policy"/,
    );
    expect(() => createPermissionChecker({ rules: { deny: "Bash" as never } })).toThrow(/"rules.deny".*array of rules/);
  });
});

test.each<JsonValue>([null, 42, [], {}, { command: 42 }, { command: null }, "git push"])(
  "an input that cannot be read, %j, is asked while something is denied",
  async (input) => {
    const rules = { allow: ["Bash"], deny: ["Bash(git push:*)"] };
    expect((await decide({ rules }, { tool: "bash", input })).behavior).toBe("ask");
  },
);

test("a request that is not one denies", async () => {
  const checker = createPermissionChecker();
  expect(await checker.decide(undefined as never)).toMatchObject({ behavior: "deny" });
  expect(await checker.decide({ tool: null, input: null } as never)).toMatchObject({ behavior: "deny" });
});
