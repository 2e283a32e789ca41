// The places of skills: each in a directory of its own with a SKILL.md, also one level deeper, as collections arrange them.
import { join, relative, sep } from "node:path";
import type { ProjectDirectory, ProjectEntry, ProjectFiles } from "../files/project-files.js";
import { readProjectFile } from "../files/project-files.js";
import { byName } from "../text/by-name.js";

/** More than anybody has. */
const MAX_SKILLS = 2_000;
const MAX_DEPTH = 3;
const MAX_FILE_BYTES = 1024 * 1024;
/** Files of one skill that are named to the model. */
const MAX_RESOURCES = 60;
const MAX_ENTRIES = 2_000;

/** The SKILL.md files below a directory, by path. A directory that does not exist holds none; one that is linked in is read once. */
export async function skillFilesIn(
  { path: dir, files }: ProjectDirectory,
  depth = 0,
  known = new Set<string>(),
): Promise<string[]> {
  const real = await files.realPath(dir).catch(() => dir);
  if (known.has(real)) return [];
  known.add(real);
  const entries = await files.list(dir);
  const own = entries.find(({ name, kind }) => kind !== "directory" && /^skill\.md$/i.test(name));
  if (own) return [join(dir, own.name)];
  if (depth >= MAX_DEPTH) return [];
  const found: string[] = [];
  // Links last: what is there itself counts.
  const isLink = ({ kind }: ProjectEntry) => Number(kind === "symlink");
  for (const { name, kind } of [...entries].sort((a, b) => isLink(a) - isLink(b) || (a.name < b.name ? -1 : 1))) {
    if (name.startsWith(".") || name === "node_modules") continue;
    if (kind === "directory" || kind === "symlink") {
      found.push(...(await skillFilesIn({ path: join(dir, name), files }, depth + 1, known)));
    }
    if (found.length >= MAX_SKILLS) break;
  }
  return found.slice(0, MAX_SKILLS);
}

/** A file's text. `within`: the directory it must really be in, whatever links say; `null` for anywhere. @throws Error */
export async function readSkillText(files: ProjectFiles, file: string, within: string | null): Promise<string> {
  return decoded(await readProjectFile(files, file, { maxBytes: MAX_FILE_BYTES, within }));
}

/** UTF-8, or UTF-16 with its mark. @throws Error for what is not text */
function decoded(content: Uint8Array): string {
  const encoding = content[0] === 0xff && content[1] === 0xfe ? "utf-16le" : "utf-8";
  const text = new TextDecoder(encoding).decode(content);
  if (text.includes("\0")) throw new Error("it is not text; save it as UTF-8");
  return text;
}

/** The files beside a SKILL.md, relative to its directory, in order and bounded. */
export async function resourcesOf(files: ProjectFiles, directory: string): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [directory];
  for (let seen = 0; waiting.length > 0 && seen < MAX_ENTRIES && found.length < MAX_RESOURCES; ) {
    const place = waiting.shift()!;
    const entries = await files.list(place);
    for (const { name, kind } of [...entries].sort(byName)) {
      seen++;
      if (name.startsWith(".") || name === "node_modules" || name === "__pycache__") continue;
      const path = join(place, name);
      if (kind === "directory") waiting.push(path);
      else if (kind === "file" && !(place === directory && /^skill\.md$/i.test(name))) {
        found.push(relative(directory, path).split(sep).join("/"));
      }
    }
  }
  return Object.freeze(found.slice(0, MAX_RESOURCES));
}
