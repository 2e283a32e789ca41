import { relative, sep } from "node:path";
import { markdownFilesIn } from "./markdown-files.js";
import type { ProjectDirectory } from "./project-files.js";

/** Commands that are prompts in files, with their files: `review.md` is `review`, `fix/bug.md` is `fix:bug`; a plugin's have its name in front. */
export async function commandFilesIn(
  directory: ProjectDirectory,
  plugin?: string,
): Promise<[name: string, file: string][]> {
  const files = await markdownFilesIn(directory);
  return files.map((file) => {
    const parts = relative(directory.path, file).replace(/\.md$/i, "").split(sep);
    return [[...(plugin === undefined ? [] : [plugin]), ...parts].join(":").toLowerCase(), file];
  });
}
