// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of files
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadPlugins } from "../../../src/presets/index.js";
import { directoryWith } from "../kit.js";
import { CLAUDES, HAIKU, OPEN, pluginDirectory } from "./kit.js";

async function trustedIn(directory: string, data = directoryWith()) {
  const [seen] = (await loadPlugins([directory], { data })).plugins;
  return loadPlugins([directory], { data, trusted: [seen!.digest] });
}

test("what a plugin brings is listed before it is trusted, and nothing of it is ready", async () => {
  const { directory, data } = pluginDirectory(OPEN);

  const { plugins, problems } = await loadPlugins([directory], { data });

  expect(problems).toEqual([]);
  expect(plugins).toMatchObject([
    { name: "verse", version: "1.2.0", description: "Poems.", isTrusted: false, directory, problems: [] },
  ]);
  expect(plugins[0]!.brings.map(({ part, what }) => `${part} ${what}`)).toEqual([
    "skills verse:haiku",
    "mcp plugin_verse_modern: node ${PLUGIN_ROOT}/server.mjs",
  ]);
  expect(plugins[0]!.skills.map(({ isTrusted }) => isTrusted)).toEqual([false]);
  expect(existsSync(join(data, "verse"))).toBe(false);
});

test("a plugin of Claude Code's brings agents, commands and hooks, too", async () => {
  const { directory, data } = pluginDirectory(CLAUDES);

  const [plugin] = (await loadPlugins([directory], { data })).plugins;

  expect(plugin!.brings.map(({ part, what }) => `${part} ${what}`)).toEqual([
    "skills critics:praise",
    "subagents critics:critic",
    "subagents critics:second",
    "commands /critics:fix:bug",
    'settings hooks.Stop[0].hooks[0]: {"type":"command","command":"sh \\"${CLAUDE_PLUGIN_ROOT}/note.sh\\""}',
    "mcp plugin_critics_shouter: node ${CLAUDE_PLUGIN_ROOT}/s.mjs",
  ]);
});

test("a trusted plugin has its places filled in", async () => {
  const { directory, data } = pluginDirectory(OPEN);

  const [plugin] = (await trustedIn(directory, data)).plugins;

  expect(plugin!.isTrusted).toBe(true);
  expect(plugin!.servers).toMatchObject([
    {
      name: "plugin_verse_modern",
      command: "node",
      args: [join(directory, "server.mjs")],
      cwd: directory,
      env: { PLUGIN_ROOT: directory, PLUGIN_DATA: join(data, "verse") },
    },
  ]);
  expect(await plugin!.skills[0]!.instructions()).toBe(`Five, seven, five. See ${directory}/form.md.`);
  expect(existsSync(join(data, "verse"))).toBe(true);
});

test("one that has changed, in any file, is not trusted", async () => {
  const { directory } = pluginDirectory(OPEN);
  const { digest } = (await loadPlugins([directory])).plugins[0]!;
  const isTrusted = async () =>
    (await loadPlugins([directory], { trusted: [digest], data: directoryWith() })).plugins[0]!.isTrusted;
  expect(await isTrusted()).toBe(true);

  appendFileSync(join(directory, "server.mjs"), "// more\n");
  expect(await isTrusted()).toBe(false);

  writeFileSync(join(directory, "server.mjs"), OPEN["server.mjs"]!);
  expect(await isTrusted()).toBe(true);
  writeFileSync(join(directory, "skills", "new.txt"), "");
  expect(await isTrusted()).toBe(false);
});

test("the history that git keeps is no part of a plugin", async () => {
  const { directory } = pluginDirectory(OPEN);
  const [before] = (await loadPlugins([directory])).plugins;

  execFileSync("git", ["init", "-q"], { cwd: directory });

  expect((await loadPlugins([directory])).plugins[0]!.digest).toBe(before!.digest);
});

test("what changes after the plugin was loaded is not read", async () => {
  const { directory } = pluginDirectory(OPEN);
  const [plugin] = (await trustedIn(directory)).plugins;

  writeFileSync(join(directory, "skills", "haiku", "SKILL.md"), HAIKU.replace("Five", "Six"));

  await expect(plugin!.skills[0]!.instructions()).rejects.toThrow("it has changed since its plugin was loaded");
});

test("nothing outside its directory is read, whatever links say", async () => {
  const { directory } = pluginDirectory(OPEN);
  const outside = directoryWith({ "skills/evil/SKILL.md": HAIKU.replace("haiku", "evil"), "SKILL.md": HAIKU });
  symlinkSync(join(outside, "skills", "evil"), join(directory, "skills", "evil"));
  mkdirSync(join(directory, "skills", "linked"));
  symlinkSync(join(outside, "SKILL.md"), join(directory, "skills", "linked", "SKILL.md"));

  const [plugin] = (await trustedIn(directory)).plugins;

  expect(plugin!.skills.map(({ name }) => name)).toEqual(["verse:haiku"]);
  expect(plugin!.problems.map(({ part, message }) => `${part}: ${message}`)).toEqual(
    expect.arrayContaining([
      "plugins: is a link that leads out of the plugin, so it does not count",
      "skills: it leads out of its plugin, so it was not read",
    ]),
  );
});

test("a link within the plugin is followed", async () => {
  const { directory } = pluginDirectory({ ...OPEN, "real/ode/SKILL.md": HAIKU.replace("haiku", "ode") });
  symlinkSync("../real/ode", join(directory, "skills", "ode"));

  const [plugin] = (await trustedIn(directory)).plugins;

  expect(plugin!.skills.map(({ name }) => name)).toEqual(["verse:haiku", "verse:ode"]);
});

test.each([
  ["../elsewhere/server", "it leads out of its plugin"],
  ["/bin/sh", "it leads out of its plugin"],
  ["./link", "it leads out of its plugin"],
  ["./missing", "it cannot be read (ENOENT)"],
])("a server's command %s is refused, and the others start", async (command, why) => {
  const mcpServers = { bad: { type: "stdio", command }, good: { type: "stdio", command: "./bin/run" } };
  const { directory } = pluginDirectory({
    ...OPEN,
    "mcp.json": JSON.stringify({ mcpServers }),
    "bin/run": "#!/bin/sh\n",
  });
  symlinkSync("/bin/sh", join(directory, "link"));

  const [plugin] = (await trustedIn(directory)).plugins;

  expect(plugin!.servers.map((each) => ({ ...each }))).toMatchObject([
    { name: "plugin_verse_good", command: join(directory, "bin", "run") },
  ]);
  expect(plugin!.problems.find(({ part }) => part === "mcp")!.message).toContain(why);
});

test("a server's working directory is inside the plugin or what it keeps", async () => {
  const stdio = { type: "stdio", command: "node" };
  const mcpServers = {
    inside: { ...stdio, cwd: "./skills" },
    data: { ...stdio, cwd: "${PLUGIN_DATA}" },
    up: { ...stdio, cwd: "../.." },
  };
  const { directory, data } = pluginDirectory({ ...OPEN, "mcp.json": JSON.stringify({ mcpServers }) });

  const [plugin] = (await trustedIn(directory, data)).plugins;

  expect(plugin!.servers.map((each) => ("cwd" in each ? each.cwd : ""))).toEqual([
    join(directory, "skills"),
    join(data, "verse"),
  ]);
});

test("servers of the open format see no variable of this machine's environment", async () => {
  const mcpServers = { leak: { type: "stdio", command: "node", args: ["${HOME}"] } };
  const { directory } = pluginDirectory({ ...OPEN, "mcp.json": JSON.stringify({ mcpServers }) });

  const [plugin] = (await trustedIn(directory)).plugins;

  expect(plugin!.servers).toEqual([]);
  expect(plugin!.problems[0]!.message).toContain('"${HOME}" has no value');
});

test("a manifest's paths that lead out of the plugin are left out", async () => {
  const manifest = {
    name: "far",
    agents: "../agents",
    commands: ["/etc", "./own"],
    hooks: "./../h.json",
    mcpServers: 7,
  };
  const { directory } = pluginDirectory({
    ".claude-plugin/plugin.json": JSON.stringify(manifest),
    "own/a.md": "Do.\n",
  });

  const [plugin] = (await loadPlugins([directory])).plugins;

  expect(plugin!.brings.map(({ what }) => what)).toEqual(["/far:a"]);
  expect(plugin!.problems.map(({ message }) => message.split(":")[0])).toEqual([
    "agents",
    "commands",
    "hooks",
    "mcpServers",
  ]);
});

test("what the open format leaves open to nobody does not count, and no place is told to a server elsewhere", async () => {
  const servers = {
    web: { type: "streamable-http", url: "https://x.example/${PLUGIN_ROOT}", headers: { where: "${PLUGIN_DATA}" } },
    line: { type: "stdio", command: "node server.mjs" },
  };
  const { directory } = pluginDirectory({
    ...OPEN,
    "skills/more/deep/SKILL.md": "---\nname: deep\ndescription: Is too deep.\n---\nDeep.\n",
    "mcp.json": JSON.stringify({ mcpServers: servers }),
  });

  const [plugin] = (await trustedIn(directory)).plugins;

  expect(plugin!.skills.map(({ name }) => name)).toEqual(["verse:haiku"]);
  expect(plugin!.servers).toEqual([{ name: "plugin_verse_web", url: servers.web.url, headers: servers.web.headers }]);
  expect(plugin!.problems.map(({ message }) => message)).toEqual([
    "is deeper than skills/NAME, so it does not count",
    "line: its command is more than one word; the server is left out",
  ]);
});

test("hooks and servers may stand in the manifest itself", async () => {
  const manifest = {
    name: "inline",
    hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] },
    mcpServers: { here: { command: "./run.sh" } },
  };
  const { directory } = pluginDirectory({ ".claude-plugin/plugin.json": JSON.stringify(manifest), "run.sh": "" });

  const [plugin] = (await trustedIn(directory)).plugins;

  expect(plugin!.servers).toMatchObject([
    { name: "plugin_inline_here", command: join(directory, "run.sh"), cwd: directory },
  ]);
  expect(plugin!.hooks).toHaveLength(1);
});

test.each([
  ["broken JSON", { "plugin.json": "{" }, "plugin.json:1 is not valid JSON"],
  ["another schema", { "plugin.json": '{"name":"x"}' }, 'another "$schema"'],
  ["a name that is none", { ".claude-plugin/plugin.json": '{"name":"../x"}' }, 'the name "../x"'],
  ["no plugin", { "README.md": "Hello." }, "holds no plugin.json"],
])("%s stops that plugin and none of the others", async (_, files, why) => {
  const broken = directoryWith(files as unknown as Record<string, string>);
  const { directory } = pluginDirectory(OPEN);

  const { plugins, problems } = await loadPlugins([broken, join(broken, "missing"), directory]);

  expect(plugins.map(({ name }) => name)).toEqual(["verse"]);
  expect(problems.map(({ source }) => source)).toEqual([broken, join(broken, "missing")]);
  expect(problems[0]!.message).toContain(why);
});

test("a file that is too large to be a plugin's is refused before it is read", async () => {
  const { directory } = pluginDirectory(OPEN);
  writeFileSync(join(directory, "giant.bin"), "");
  truncateSync(join(directory, "giant.bin"), 300 * 1024 * 1024);

  const { plugins, problems } = await loadPlugins([directory]);

  expect(plugins).toEqual([]);
  expect(problems[0]!.message).toContain("has more than 256 MB of files");
});

test("a giant skill file is one problem, and the plugin is used without it", async () => {
  const { directory } = pluginDirectory({ ...OPEN, "skills/giant/SKILL.md": "x".repeat(2 * 1024 * 1024) });

  const [plugin] = (await trustedIn(directory)).plugins;

  expect(plugin!.skills.map(({ name }) => name)).toEqual(["verse:haiku"]);
  expect(plugin!.problems[0]!.message).toContain("at most 1048576 are read");
});

test("a pipe in a plugin holds nobody up", async () => {
  const { directory } = pluginDirectory(OPEN);
  execFileSync("mkfifo", [join(directory, "skills", "SKILL.md")]);

  const { plugins } = await loadPlugins([directory]);

  expect(plugins.map(({ name }) => name)).toEqual(["verse"]);
});

test("of two of one name the first counts", async () => {
  const [first, second] = [directoryWith(OPEN), directoryWith(OPEN)];

  const { plugins, problems } = await loadPlugins([first, second, first]);

  expect(plugins.map(({ directory }) => directory)).toEqual([first]);
  expect(problems).toEqual([
    { part: "plugins", source: second, message: `is called "verse" like ${JSON.stringify(first)}, which counts` },
  ]);
});

test("a directory without a manifest is called as it is named", async () => {
  const { "skills/haiku/SKILL.md": skill } = OPEN;
  const parent = directoryWith({ "My Poems/skills/haiku/SKILL.md": skill! });
  renameSync(join(parent, "My Poems"), join(parent, "My_Poems"));

  const { plugins } = await loadPlugins([join(parent, "My_Poems")]);

  expect(plugins.map(({ name, brings }) => [name, brings.map(({ what }) => what)])).toEqual([
    ["my-poems", ["my-poems:haiku"]],
  ]);
});

test("fields that are not known are reported, and the plugin is used", async () => {
  const manifest = { ...JSON.parse(OPEN["plugin.json"]!), surprise: 1 };
  const { directory } = pluginDirectory({ ...OPEN, "plugin.json": JSON.stringify(manifest) });

  const [plugin] = (await loadPlugins([directory])).plugins;

  expect(plugin!.problems).toMatchObject([{ part: "plugins", line: 1, message: expect.stringContaining("surprise") }]);
});
