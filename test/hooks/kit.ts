// A project with settings and hook scripts, and an engine that runs them.
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AgentEngine, type EngineEvent, type EngineOptions, type PermissionGate, type RunResult } from "loopwright";
import { type LoadSettingsOptions, loadSettings, type Settings } from "loopwright/hooks";
import { type ScriptedProvider, scripted, type Turn } from "loopwright/providers/scripted";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";
import { onTestFinished } from "vitest";

const ALLOW: PermissionGate = { decide: () => ({ behavior: "allow" }) };

/** A temporary project; scripts are executable. Paths are relative to it. */
export async function project(files: Readonly<Record<string, string | object>>): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "hooks-test-")));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const file = join(dir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
    if (/\.(sh|mjs|py)$/.test(path)) await chmod(file, 0o755);
  }
  return dir;
}

/** Settings with one group of command handlers. */
export function onEvent(
  event: string,
  command: string,
  more: { matcher?: string; [key: string]: unknown } = {},
): object {
  const { matcher, ...handler } = more;
  return {
    hooks: {
      [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [{ type: "command", command, ...handler }] }],
    },
  };
}

/** Loads a project's settings, trusting it unless told otherwise, without those of whoever runs the tests. */
export async function load(dir: string, options: LoadSettingsOptions = {}): Promise<Settings> {
  const settings = await loadSettings(dir, { trustProject: true, home: null, ...options });
  onTestFinished(() => settings.close());
  return settings;
}

export interface Played {
  readonly result: RunResult;
  readonly events: readonly EngineEvent[];
  readonly provider: ScriptedProvider;
}

/** Runs a scripted model with the built-in tools in a project, under its settings. */
export async function play(
  dir: string,
  turns: readonly Turn[],
  options: Partial<EngineOptions> & { readonly settings?: Settings } = {},
): Promise<Played> {
  const { settings = await load(dir), ...engineOptions } = options;
  const workspace = await createWorkspace({ root: dir });
  onTestFinished(() => workspace.close());
  const provider = scripted(turns);
  const engine = new AgentEngine({
    provider,
    tools: builtinTools(workspace),
    permissions: ALLOW,
    hooks: settings.hooks,
    ...engineOptions,
  });
  const run = engine.stream("do it");
  const events: EngineEvent[] = [];
  for await (const event of run) events.push(event);
  const result = await run.result;
  await run.idle;
  await engine.close();
  return { result, events, provider };
}
