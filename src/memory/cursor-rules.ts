// Cursor's rules: `.mdc` files that say themselves when they count.
import { join } from "node:path";
import type { ProjectFiles } from "../files/project-files.js";
import { readProjectFile } from "../files/project-files.js";
import { readFrontmatter } from "../frontmatter/frontmatter.js";
import { byName } from "../text/by-name.js";
import { clip } from "../text/cut.js";
import { asOneLine } from "../text/one-line.js";

const MAX_RULES = 100;
const MAX_BYTES = 100_000;
const MAX_DEPTH = 3;

/** A rule in a file. */
export interface CursorRule {
  readonly path: string;
  /** When to read it; `null`: it counts always. */
  readonly when: string | null;
}

/** The rules of `.cursor/rules`, in order of their paths. One that cannot be read says nothing about when it counts. */
export async function cursorRulesIn(files: ProjectFiles, root: string): Promise<CursorRule[]> {
  const paths = await rulesBelow(files, join(root, ".cursor", "rules"));
  return Promise.all(
    paths.slice(0, MAX_RULES).map(async (path) => {
      const bytes = await readProjectFile(files, path, { maxBytes: MAX_BYTES, within: root }).catch(
        () => new Uint8Array(),
      );
      const { fields } = await readFrontmatter(new TextDecoder().decode(bytes), path);
      if (fields?.alwaysApply === true) return { path, when: null };
      const { globs, description } = fields ?? {};
      const about = [globs, description].flat().filter((each) => typeof each === "string" && each.trim() !== "");
      return { path, when: about.length === 0 ? "when it is asked for" : clip(asOneLine(about.join("; ")), 200) };
    }),
  );
}

async function rulesBelow(files: ProjectFiles, dir: string, depth = 0): Promise<string[]> {
  const found: string[] = [];
  for (const { name, kind } of [...(await files.list(dir))].sort(byName)) {
    if (kind === "directory" && depth < MAX_DEPTH) found.push(...(await rulesBelow(files, join(dir, name), depth + 1)));
    else if (name.endsWith(".mdc")) found.push(join(dir, name));
  }
  return found;
}
