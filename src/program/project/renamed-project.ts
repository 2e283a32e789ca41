// A project that was renamed or moved keeps its sessions: its state remembers which directory it was, by what stays when the
// name changes. One that was copied, or is on another disk, is another project.
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf } from "../../json/is-object.js";

const FILE = "project.json";

/** Takes over the state of the project that this directory was before it was renamed; does nothing where it was never used. */
export function followRename(root: string, dir: string, projects: string): void {
  if (existsSync(dir)) return;
  const identity = identityOf(root);
  if (identity === undefined) return;
  for (const name of namesIn(projects)) {
    const before = join(projects, name);
    const kept = readKept(join(before, FILE));
    // The old name may belong to another directory by now: then that one has lost its state to the one it belongs to.
    if (kept.identity !== identity || kept.root === root) continue;
    try {
      renameSync(before, dir);
    } catch {
      // Somebody else has it open or has taken it: the project begins without it.
    }
    return;
  }
}

/** Notes which directory the state belongs to. */
export function noteProject(root: string, dir: string): void {
  const identity = identityOf(root);
  const file = join(dir, FILE);
  const { root: keptRoot, identity: keptIdentity } = readKept(file);
  if (identity === undefined || (keptRoot === root && keptIdentity === identity)) return;
  writeFileSync(file, `${JSON.stringify({ root, identity })}\n`, { mode: 0o600 });
}

/** The number of the directory on its disk and the moment it was made. */
function identityOf(root: string): string | undefined {
  try {
    const { dev, ino, birthtimeNs } = statSync(root, { bigint: true });
    return birthtimeNs === 0n ? undefined : `${dev}-${ino}-${birthtimeNs}`;
  } catch {
    return undefined;
  }
}

function readKept(file: string): { readonly root?: unknown; readonly identity?: unknown } {
  try {
    return fieldsOf(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}

function namesIn(projects: string): string[] {
  try {
    return readdirSync(projects);
  } catch {
    return [];
  }
}
