import { join } from "node:path";
import type { Workspace } from "../../contracts/workspace.js";
import { askedReason } from "../../paths/sensitive-paths.js";
import { TimeSlices } from "./cooperative-yield.js";
import { createGlobMatcher, namesInGlob } from "./pattern/glob-pattern.js";
import type { SearchSource } from "./walk/search-source.js";
import { walkFiles } from "./walk/walk-files.js";

const MAX_FOUND = 100;
/** Looking for names must not take longer than the search it explains. */
const MAX_MS = 1_000;

/** The files below a directory that usually hold secrets, by their names alone, as far as a second goes. */
export async function findSecrets(
  { workspace, source }: { readonly workspace: Workspace; readonly source: SearchSource },
  directory: string,
  globs: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const slices = new TimeSlices(signal);
  const matchers = globs.map((glob) => createGlobMatcher(glob.includes("/") ? glob : `**/${glob}`));
  const isSecret = (path: string) =>
    askedReason(join(directory, path), workspace.root, "read") !== null && matchers.every((matches) => matches(path));
  const rules = await slices.waitFor(source.rules(directory, new Set(globs.flatMap((glob) => [...namesInGlob(glob)]))));
  const until = performance.now() + MAX_MS;
  const found: string[] = [];
  for (const file of walkFiles(source, rules, isSecret)) {
    if (slices.due()) await slices.pause();
    if (found.length >= MAX_FOUND || performance.now() > until) break;
    if (file instanceof Promise) await slices.waitFor(file);
    else if (file) found.push(join(directory, file.path));
  }
  return found;
}
