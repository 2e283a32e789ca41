// What settings forbid beside hooks and rules, whichever file says it.
import { join } from "node:path";
import { expect, test } from "vitest";
import { load, project } from "../kit.js";

const server = (name: string, about: object = { command: "run" }) => ({ name, ...about });

test("a list of servers names them by name, command or address, and a name alone is no way past the others", async () => {
  const dir = await project({
    ".claude/settings.json": {
      allowedMcpServers: [
        { serverName: "a" },
        { serverCommand: ["npx", "good"] },
        { serverUrl: "https://*.example.com/mcp" },
      ],
      deniedMcpServers: [{ serverUrl: "https://bad.example.com/mcp" }, { serverName: "evil" }],
    },
  });
  const { serverRefusal } = (await load(dir)).restrictions;
  const isAllowed = (name: string, about: object) => serverRefusal(server(name, about)) === null;

  expect(isAllowed("x", { command: "npx", args: ["good"] })).toBe(true);
  expect(isAllowed("a", { command: "npx", args: ["good", "--more"] })).toBe(false);
  expect(isAllowed("evil", { command: "npx", args: ["good"] })).toBe(false);
  expect(isAllowed("x", { url: "https://one.example.com/mcp" })).toBe(true);
  expect(isAllowed("a", { url: "https://one.example.org/mcp" })).toBe(false);
  expect(isAllowed("x", { url: "https://evil.org/.example.com/mcp" })).toBe(false);
  for (const url of [
    "https://bad.example.com/mcp",
    "https://BAD.example.com/mcp/",
    "https://bad.example.com/x/../mcp?q=1",
  ]) {
    expect(isAllowed("x", { url })).toBe(false);
  }
});

test("lists of trusted files are joined, and one of a project that is not trusted only narrows them", async () => {
  const home = await project({ ".claude/settings.json": { enabledMcpjsonServers: ["a", "b"] } });
  const dir = await project({ ".claude/settings.json": { enabledMcpjsonServers: ["b", "c"] } });
  const enabled = async (trustProject: boolean) => {
    const { restrictions } = await load(dir, { home, trustProject });
    return ["a", "b", "c", "d"].filter((name) => restrictions.serverRefusal(server(name)) === null);
  };

  expect([await enabled(true), await enabled(false)]).toEqual([["a", "b", "c"], ["b"]]);
});

test.each([
  ["opus", "anthropic/claude-opus-5-5", true],
  ["claude-opus-5", "anthropic/claude-opus-5-5-20261101", true],
  ["claude-opus-5-5", "us.anthropic.claude-opus-5-5-v1:0", true],
  ["claude-opus-5-5", "anthropic/claude-opus-5", false],
  ["openai/gpt-5", "openai/gpt-5.1", true],
  ["gpt-5", "openai/gpt-50", false],
])("the name %s and the model %s: %s", async (name, model, isMeant) => {
  const dir = await project({ ".claude/settings.json": { deniedModels: [name] } });

  expect((await load(dir)).restrictions.modelRefusal(model) !== null).toBe(isMeant);
});

test("an http hook for an address that is not allowed blocks where it guards, and is left out elsewhere", async () => {
  const hook = [{ hooks: [{ type: "http", url: "https://elsewhere.example/x" }] }];
  const dir = await project({
    ".claude/settings.json": {
      allowedHttpHookUrls: ["https://hooks.example/*"],
      hooks: {
        PreToolUse: hook,
        Stop: hook,
        SessionEnd: [{ hooks: [{ type: "http", url: "https://hooks.example/y" }] }],
      },
    },
  });

  const { hooks, problems } = await load(dir);
  const input = { hookEventName: "PreToolUse", toolName: "bash", toolInput: {} };
  const answer = await hooks.PreToolUse?.[0]?.run(input as never, { signal: AbortSignal.any([]) } as never);

  expect(answer).toMatchObject({ decision: "block" });
  expect([hooks.Stop?.length, hooks.SessionEnd?.length]).toEqual([0, 1]);
  expect(problems.map(({ key }) => key)).toEqual(["hooks.PreToolUse[0].hooks[0].url", "hooks.Stop[0].hooks[0].url"]);
});

test("a project that is not trusted cannot take away the user's hooks", async () => {
  const url = "https://audit.example/x";
  const home = await project({ ".claude/settings.json": { hooks: { Stop: [{ hooks: [{ type: "http", url }] }] } } });
  const dir = await project({
    ".claude/settings.json": { allowedHttpHookUrls: [], disableAllHooks: true, allowManagedHooksOnly: true },
  });

  expect((await load(dir, { home, trustProject: false })).hooks.Stop).toHaveLength(1);
});

test("managed settings are the strongest, and what counts there alone counts there alone", async () => {
  const managed = await project({
    "managed-settings.json": { permissions: { allow: ["Bash(pwd)"] }, allowManagedPermissionRulesOnly: true },
    "managed-settings.d/10-more.json": { deniedMcpServers: [{ serverName: "bad" }], allowManagedHooksOnly: true },
  });
  const own = {
    permissions: { allow: ["Bash"], deny: ["Read(./a)"] },
    hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] },
  };
  const dir = await project({ ".claude/settings.json": own });

  const settings = await load(dir, { managed });
  const without = await load(await project({ ".claude/settings.json": { ...own, allowManagedHooksOnly: true } }), {
    managed: null,
  });

  expect(settings.sources.map(({ source, allow, deny }) => [source, allow, deny])).toEqual([
    ["project", [], ["Read(./a)"]],
    ["policy", ["Bash(pwd)"], []],
    ["policy", [], []],
  ]);
  expect(settings.hooks.Stop).toBeUndefined();
  expect(settings.restrictions.serverRefusal(server("bad"))).toContain(
    join(managed, "managed-settings.d/10-more.json"),
  );
  expect(without.hooks.Stop).toHaveLength(1);
  expect(without.ignored.map(({ key }) => key)).toEqual(["allowManagedHooksOnly"]);
});

test.each([
  { strictPluginOnlyCustomization: ["skills"] },
  { policyHelper: { path: "/x" } },
  { allowedProviders: ["bedrock"] },
])("managed settings that nothing enforces are refused: %o", async (file) => {
  const managed = await project({ "managed-settings.json": file });

  await expect(load(await project({}), { managed })).rejects.toMatchObject({ code: "SETTINGS_INVALID" });
});

test("the places of a sandbox are absolute, and a prohibition of any file counts", async () => {
  const dir = await project({
    ".claude/settings.json": {
      sandbox: {
        enabled: true,
        filesystem: { denyRead: ["secrets", "//etc/x"], denyWrite: ["./lock"], allowWrite: ["out"] },
        network: { allowedDomains: ["a.example"], deniedDomains: ["b.example"] },
      },
    },
  });
  const about = { file: join(dir, ".claude/settings.json"), failIfUnavailable: false, deniedHosts: ["b.example"] };
  const denied = { unreadable: [join(dir, "secrets"), "/etc/x"], unwritable: [join(dir, "lock")] };

  const trusted = await load(dir);
  const untrusted = await load(dir, { trustProject: false });

  expect(trusted.restrictions.sandbox).toEqual({
    ...about,
    ...denied,
    allowedHosts: ["a.example"],
    writable: [join(dir, "out")],
  });
  expect(untrusted.restrictions.sandbox).toEqual({ ...about, ...denied, allowedHosts: [], writable: [] });
});
