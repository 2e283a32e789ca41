// The rules that the user has allowed for good, kept with the project's state. A file of the project's own could be written by
// the agent, or come with a pull request.
import type { PermissionUpdate } from "../../contracts/permission.js";
import { compileRules, defaultDirectories, type SourcedRules } from "../../permissions/rules/rules.js";
import type { ProjectState } from "./project-state.js";
import { readStateFile, writeStateFile } from "./state-file.js";

type Behavior = "allow" | "ask" | "deny";
type SavedRules = { readonly [B in Behavior]: readonly string[] };

/** The rules that still can be read. */
export async function readSavedRules({ rules }: ProjectState): Promise<SourcedRules> {
  return { source: "local", ...(await readRules(rules)) };
}

/** Adds and removes rules. Resolves with the file they are in. */
export async function saveRules({ rules: file }: ProjectState, updates: readonly PermissionUpdate[]): Promise<string> {
  const rules: Record<Behavior, readonly string[]> = { ...(await readRules(file)) };
  for (const update of updates) {
    if (!("rules" in update)) continue;
    const { type, behavior, rules: changed } = update;
    const kept = type === "replaceRules" ? [] : rules[behavior].filter((rule) => !changed.includes(rule));
    rules[behavior] = type === "removeRules" ? kept : [...kept, ...changed];
  }
  await writeStateFile(file, { allow: [...rules.allow], ask: [...rules.ask], deny: [...rules.deny] });
  return file;
}

async function readRules(file: string): Promise<SavedRules> {
  const found = Object(await readStateFile(file)) as { readonly [B in Behavior]?: unknown };
  return { allow: rulesIn(found.allow), ask: rulesIn(found.ask), deny: rulesIn(found.deny) };
}

function rulesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((rule) => typeof rule === "string" && isReadable(rule)) : [];
}

function isReadable(rule: string): boolean {
  try {
    compileRules([{ source: "local", allow: [rule] }], defaultDirectories(undefined));
    return true;
  } catch {
    return false;
  }
}
