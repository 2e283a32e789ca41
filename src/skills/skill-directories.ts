// The places of skills: each in a directory of its own with a SKILL.md, also one level deeper, as collections arrange them.
import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isInside } from "../paths/inside.js";
import { byName } from "../text/by-name.js";

/** More than anybody has. */
const MAX_SKILLS = 2_000;
const MAX_DEPTH = 3;
const MAX_FILE_BYTES = 1024 * 1024;
/** Files of one skill that are named to the model. */
const MAX_RESOURCES = 60;
const MAX_ENTRIES = 2_000;

/** The SKILL.md files below a directory, by path. A directory that does not exist holds none; one that is linked in is read once. */
export async function skillFilesIn(dir: string, depth = 0, known = new Set<string>()): Promise<string[]> {
  const real = await realpath(dir).catch(() => dir);
  if (known.has(real)) return [];
  known.add(real);
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const own = entries.find((entry) => !entry.isDirectory() && /^skill\.md$/i.test(entry.name));
  if (own) return [join(dir, own.name)];
  if (depth >= MAX_DEPTH) return [];
  const files: string[] = [];
  // Links last: what is there itself counts.
  const isLink = (entry: (typeof entries)[number]) => Number(entry.isSymbolicLink());
  for (const entry of entries.sort((a, b) => isLink(a) - isLink(b) || (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    if (entry.isDirectory() || entry.isSymbolicLink())
      files.push(...(await skillFilesIn(join(dir, entry.name), depth + 1, known)));
    if (files.length >= MAX_SKILLS) break;
  }
  return files.slice(0, MAX_SKILLS);
}

/** A file's text. `within`: the directory it must really be in, whatever links say; `null` for anywhere. @throws Error */
export async function readSkillText(file: string, within: string | null): Promise<string> {
  const real = await realpath(file);
  if (within !== null && !isInside(real, await realpath(within))) {
    throw new Error("it is a link that leads out of its directory, so it was not read");
  }
  // A named pipe or a device does not hold the reader up.
  const handle = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const about = await handle.stat();
    if (!about.isFile()) throw new Error("it is not a file");
    if (about.size > MAX_FILE_BYTES) throw new Error(`it has ${about.size} bytes; at most ${MAX_FILE_BYTES} are read`);
    return decoded(await handle.readFile());
  } finally {
    await handle.close();
  }
}

/** UTF-8, or UTF-16 with its mark. @throws Error for what is not text */
function decoded(content: Buffer): string {
  const encoding = content[0] === 0xff && content[1] === 0xfe ? "utf-16le" : "utf-8";
  const text = new TextDecoder(encoding).decode(content);
  if (text.includes("\0")) throw new Error("it is not text; save it as UTF-8");
  return text;
}

/** The files beside a SKILL.md, relative to its directory, in order and bounded. */
export async function resourcesOf(directory: string): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [directory];
  for (let seen = 0; waiting.length > 0 && seen < MAX_ENTRIES && found.length < MAX_RESOURCES; ) {
    const place = waiting.shift()!;
    const entries = await readdir(place, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort(byName)) {
      seen++;
      if (entry.name.startsWith(".") || entry.name === "node_modules" || entry.name === "__pycache__") continue;
      const path = join(place, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() && !(place === directory && /^skill\.md$/i.test(entry.name))) {
        found.push(relative(directory, path).split(sep).join("/"));
      }
    }
  }
  return Object.freeze(found.slice(0, MAX_RESOURCES));
}
