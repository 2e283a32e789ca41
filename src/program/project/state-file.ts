// Small JSON files of the program's own. One that is damaged counts as missing: nothing in them is worth not starting.
import { mkdir, readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { JsonValue } from "../../contracts/json.js";
import { entryPaths, writeAtomically } from "../../files/atomic-write.js";

export async function readStateFile(path: string): Promise<JsonValue | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Replaces the file in one step. Nobody else on the machine can read it. */
export async function writeStateFile(path: string, value: JsonValue): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const content = new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
  await writeAtomically(entryPaths(dirname(path)), basename(path), content, undefined, 0o600);
}
