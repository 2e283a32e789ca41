// The hooks that plugins bring, in files with `hooks` as settings have them.
import type { Hook, HookPoint } from "../../contracts/hook.js";
import { isGuarding } from "../../engine/run/hooks/combine-hooks.js";
import type { ProjectFiles } from "../../files/project-files.js";
import { listOf, type OptionRule, optionOf } from "../../json/check-options.js";
import { readSettingsFile } from "./settings-file.js";
import { type HandlerContext, readHooks } from "./settings-hooks.js";
import { readerOf, SettingsFindings } from "./settings-reader.js";

/** A file of a plugin with `hooks`. */
export interface PluginHooks {
  /** Absolute. */
  readonly file: string;
  readonly files: ProjectFiles;
  /** Variables that its commands get: `CLAUDE_PLUGIN_ROOT` and the like. */
  readonly variables: Readonly<Record<string, string>>;
  /** Called before one of its commands is started, which is not when it throws: at a point that guards something that blocks. */
  readonly beforeStart?: (() => Promise<void>) | undefined;
}

export const PLUGIN_HOOKS: OptionRule = listOf(
  optionOf((value) => typeof Object(value).file === "string", "{ file, files, variables }"),
  "files of plugins",
);

/** The hooks of a file, by point: those of a plugin that is not trusted are findings. */
export async function readPluginHooks(
  { file: path, files, variables, beforeStart }: PluginHooks,
  isTrusted: boolean,
  found: SettingsFindings,
  context: Pick<HandlerContext, "dir"> & Partial<HandlerContext>,
): Promise<[HookPoint, Hook[]][]> {
  const report = found.problem.bind(found);
  const file = await readSettingsFile(files, path, { report, refuse: report });
  if (!file) return [];
  const reader = readerOf({ source: isTrusted ? "user" : "project", file }, context.dir, false, found);
  // Two plugins may say the same of files of their own.
  const own = {
    ...context,
    beforeStart: beforeStart && blocking(beforeStart),
    env: { ...context.env, ...variables },
    seen: new Map(),
  } as HandlerContext;
  return readHooks(reader, own);
}

/** The check before a hook is run; where it fails, a hook that guards something blocks. */
function blocking(check: () => Promise<void>): HandlerContext["beforeStart"] {
  return (point) =>
    check().catch((error) => {
      throw Object.assign(error, isGuarding(point) && { onFailure: "block" });
    });
}

/** The commands that a plugin's hooks would run, and the problems of these hooks. None of them is in force. */
export async function describePluginHooks(
  hooks: PluginHooks,
): Promise<Pick<SettingsFindings, "untrusted" | "problems">> {
  const found = new SettingsFindings(() => {});
  await readPluginHooks(hooks, false, found, { dir: "" });
  return found;
}
