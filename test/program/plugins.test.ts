// Plugins of the program: where they are found, who is asked about them, and what counts when nobody is.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { CLAUDES, OPEN } from "../presets/plugins/kit.js";
import { bundleProgram, directoryWith, modelServer, runHere } from "./kit.js";
import { KEYS, TerminalWindow } from "./terminal/terminal-window.js";

let program: Awaited<ReturnType<typeof bundleProgram>>;
beforeAll(async () => {
  program = await bundleProgram();
});
afterAll(() => program.remove());

const MODEL = ["--model", "openai/gpt-5.1"];

/** Puts the files of a plugin below a directory. */
function install(directory: string, files: Readonly<Record<string, string>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

test("without a person a plugin counts where --plugin-dir names it, and is named where nobody has trusted it", async () => {
  const [cwd, home] = [directoryWith(), directoryWith()];
  install(join(home, ".loopwright/plugins/critics"), CLAUDES);
  const { url, requests } = await modelServer({ text: "Hello." }, { text: "Hello." });
  const env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: "test" };

  const cautious = await runHere(["-p", ...MODEL, "Hi"], { cwd, home, env });
  const named = await runHere(["-p", ...MODEL, "--plugin-dir", directoryWith(CLAUDES), "Hi"], { cwd, home, env });

  expect(cautious.stderr).toMatch(
    /^loopwright: plugins that are not trusted do not count: .*critics\. See --plugin-dir/,
  );
  expect(named.stderr).toContain('is called "critics" like');
  expect(requests.map(({ body }) => JSON.stringify(body).includes("critics:praise"))).toEqual([false, true]);
  expect(readFileSync(join(home, ".loopwright/plugin-data/critics/notes.txt"), "utf8")).toBe("ended\n");
});

test("plugins are found in the project, in the user's place and where Claude Code has installed them", async () => {
  const [cwd, home] = [directoryWith(), directoryWith()];
  const named = (name: string) => ({
    ".claude-plugin/plugin.json": JSON.stringify({ name }),
    "commands/go.md": "Go.\n",
  });
  install(join(cwd, ".loopwright/plugins/here"), named("here"));
  install(join(home, ".loopwright/plugins/mine"), named("mine"));
  const cache = join(home, ".claude/plugins/cache/market");
  const [on, off] = ["on", "off"].map((name) => install(join(cache, name, "1.0.0"), named(name)));
  const outside = install(join(home, "elsewhere"), named("elsewhere"));
  const entry = (installPath: string) => [{ scope: "user", installPath, version: "1.0.0" }];
  install(join(home, ".claude"), {
    "settings.json": JSON.stringify({
      enabledPlugins: { "on@market": true, "off@market": false, "elsewhere@x": true },
    }),
    "plugins/installed_plugins.json": JSON.stringify({
      version: 2,
      plugins: { "on@market": entry(on!), "off@market": entry(off!), "elsewhere@x": entry(outside) },
    }),
  });
  const { url } = await modelServer({ text: "Hello." });

  const { stdout } = await runHere(["-p", "--output-format", "json", ...MODEL, "Hi"], {
    cwd,
    home,
    env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: "test" },
  });

  const { untrusted } = JSON.parse(stdout) as { untrusted: { part: string; what: string }[] };
  expect(untrusted.map(({ part, what }) => `${part} ${what}`)).toEqual([
    "plugins mine: /mine:go",
    "plugins here: /here:go",
    "plugins on: /on:go",
  ]);
});

test("a person is shown what a plugin brings, and asked again once it has changed", { timeout: 240_000 }, async () => {
  const [cwd, home] = [directoryWith(), directoryWith()];
  const plugin = install(join(home, ".loopwright/plugins/critics"), CLAUDES);
  install(join(home, ".loopwright/plugins/verse"), { "plugin.json": OPEN["plugin.json"]! });
  const { url, requests } = await modelServer({ text: "Fixed it." }, { text: "Once more." }, { text: "And again." });
  const env = { HOME: home, OPENAI_BASE_URL: url, OPENAI_API_KEY: "test" };
  const start = () => {
    const argv = [process.execPath, program.file, ...MODEL];
    const window = new TerminalWindow(argv, { columns: 180, rows: 50, cwd, env });
    onTestFinished(() => window.close());
    return window;
  };

  const first = start();
  await first.sees("Do you trust it? [y/N]");
  expect(first.text).toContain(`The plugin critics 0.1.0 is not trusted. It brings:\n  directory: ${plugin}\n`);
  expect(first.text).toContain("subagents: critics:critic");
  expect(first.text).toContain("commands: /critics:fix:bug");
  expect(first.text).toContain('settings: hooks.Stop[0].hooks[0]: {"type":"command"');
  first.type("y\r");
  await first.sees("/help");
  first.type(`/critics:fix:bug the first${KEYS.enter}`);
  await first.sees("Fixed it.");
  expect(JSON.stringify(requests[0]!.body)).toContain(`Fix the first with ${plugin}/fix.sh`);
  first.type(`/plugins${KEYS.enter}`);
  await first.sees(/❯ 1\. critics 0\.1\.0 +trusted · 6 parts\s+2\. verse 1\.2\.0 +not trusted · 0 parts/);
  first.type(KEYS.enter);
  await first.sees("Do you trust critics 0.1.0?");
  expect(first.text).toContain("mcp: plugin_critics_shouter: node");
  first.type("1");
  await first.sees("The plugin critics is trusted from the next start on.");
  first.type(KEYS.ctrlD);
  expect(await first.exited()).toBe(0);

  appendFileSync(join(plugin, "note.sh"), "curl https://example.com\n");
  const second = start();
  await second.sees("It has changed since you trusted it. It brings:");
  second.type("n\r");
  await second.sees("/help");
  second.type(`hi${KEYS.enter}`);
  await second.sees("Once more.");
  second.type(KEYS.ctrlD);
  expect(await second.exited()).toBe(0);

  const third = start();
  await third.sees("/help");
  third.type(`hi${KEYS.enter}`);
  await third.sees("And again.");
  expect(third.scrollback).not.toContain("Do you trust it?");
  expect(requests.map(({ body }) => JSON.stringify(body).includes("critics:praise"))).toEqual([true, false, false]);
  third.type(KEYS.ctrlD);
  expect(await third.exited()).toBe(0);
});
