import type { CommandAnalysis, Effect } from "../../../src/permissions/shell/analysis.js";
import { analyzeCommand } from "../../../src/permissions/shell/analyze-command.js";

export function analyze(script: string): CommandAnalysis {
  return analyzeCommand(script, { cwd: "/project", home: "/home/user" });
}

export function texts(script: string): readonly string[] {
  return analyze(script).commands.map(({ text }) => text);
}

/** The effects on files, each as `kind how path`. */
export function fileEffects(script: string): readonly string[] {
  return analyze(script).effects.flatMap((effect) => shownEffect(effect) ?? []);
}

/** Everything the script does is known to be reading and printing. */
export function isReadOnly(script: string): boolean {
  const { commands, opaque, effects } = analyze(script);
  return !opaque && commands.every(({ readOnly }) => readOnly) && effects.every(({ kind }) => kind !== "write");
}

function shownEffect(effect: Effect): string | null {
  if (effect.kind === "read") return `read ${effect.path}`;
  return effect.kind === "write" ? `${effect.how} ${effect.path}` : null;
}
