// Cursor's rules: `.mdc` files that say themselves when they count.
import { join } from "node:path";
import { markdownFilesIn } from "../files/markdown-files.js";
import type { ProjectFiles } from "../files/project-files.js";
import { readProjectFile } from "../files/project-files.js";
import { readFrontmatter } from "../frontmatter/frontmatter.js";
import { clip } from "../text/cut.js";
import { asOneLine } from "../text/one-line.js";

const MAX_RULES = 100;
const MAX_BYTES = 100_000;

/** A rule in a file. */
export interface CursorRule {
  readonly path: string;
  /** The condition for reading it; `null`: it counts always. */
  readonly when: string | null;
}

/** The rules of `.cursor/rules`, in order of their paths. One that cannot be read says nothing about when it counts. */
export async function cursorRulesIn(files: ProjectFiles, root: string): Promise<CursorRule[]> {
  const paths = await markdownFilesIn({ path: join(root, ".cursor", "rules"), files }, ".mdc");
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
