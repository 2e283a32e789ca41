import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import type { FileTree, Look, LookQuestion, ManyFiles, TreeFile } from "../../contracts/many-files.js";
import { quotedForShell } from "../../text/quoted-for-shell.js";
import type { LanePool } from "./lane-pool.js";
import { kindOf, type MachinePrograms, nulFields, timeOf } from "./machine-looks.js";
import { tarContents } from "./tar-contents.js";

/** Unit: milliseconds. */
const TIMEOUT_MS = 60_000;
/** A tree that takes more is too much. Unit: bytes. */
const MAX_TREE_BYTES = 32 * 1024 * 1024;
const MAX_NAMES_BYTES = 64 * 1024 * 1024;
/** `dd` counts in these. Unit: bytes. */
const BLOCK = 65_536;
/** An archive may have so much for each file besides its content, and each directory for its end. Unit: bytes. */
const PER_FILE = 12_288;
const PER_DIRECTORY = 16_384;
/** Words of one command: the system takes 128 KB of names at the least. Unit: characters. */
const MAX_WORDS = 30_000;

/** `undefined` where a program for it is missing. */
export function manyFiles(
  lanes: LanePool,
  { tree, tar, hasRipgrep }: MachinePrograms,
  looks: (question: LookQuestion) => Promise<Look>,
): ManyFiles | undefined {
  if (tree === undefined || tar === undefined) return undefined;

  /** Whether the answer had room for all. */
  async function ship(paths: readonly string[], maxBytes: number, contents: Map<string, Uint8Array>): Promise<boolean> {
    const groups = groupsOf(paths);
    const ships = groups.map(({ directory, names }, index) => {
      return `ship ${index} ${quotedForShell(directory)} ${names.map((name) => quotedForShell(`./${name}`)).join(" ")}`;
    });
    const count = Math.ceil((maxBytes + paths.length * PER_FILE + groups.length * PER_DIRECTORY) / BLOCK);
    const script = `tar='${tar}'\n{\n${ships.join("\n")}\n} | dd bs=${BLOCK} count=${count} iflag=fullblock 2>/dev/null`;
    const timeoutMs = TIMEOUT_MS + maxBytes / 1_000;
    const { bytes } = await lanes.ask({ script, maxBytes: count * BLOCK, timeoutMs });
    for (const [index, files] of tarContents(bytes)) {
      const { directory, names } = groups[index]!;
      for (const [name, content] of files) {
        contents.set(posix.join(directory, name[0] === "=" ? names[Number(name.slice(1))]! : name), content);
      }
    }
    return bytes.length < count * BLOCK;
  }

  return {
    look: (questions) => Promise.all(questions.map(looks)),
    async tree(directories, leaveOut) {
      const word = tree === "stat" ? randomBytes(8).toString("hex") : "";
      const names = leaveOut.map((name) => `-name ${quotedForShell(name)}`).join(" -o ");
      const trees = directories.map((each) => `tree ${quotedForShell(word)} ${quotedForShell(each)} ${names}`);
      const count = MAX_TREE_BYTES / BLOCK;
      const script = `{\n${trees.join("\n")}\nprintf '!\\0'\n} | dd bs=${BLOCK} count=${count} iflag=fullblock 2>/dev/null`;
      const { bytes } = await lanes.ask({ script, maxBytes: MAX_TREE_BYTES, timeoutMs: TIMEOUT_MS });
      const fields = nulFields(bytes);
      return fields.pop() === "!" ? treeOf(fields, word) : null;
    },
    async readMany(paths, maxBytes) {
      const contents = new Map<string, Uint8Array>();
      let left = paths;
      for (let room = maxBytes; left.length > 0 && room <= 4 * maxBytes + BLOCK; room = 2 * room + BLOCK) {
        const isWhole = await ship(left, room, contents);
        // A file that has grown meanwhile needs more room. A file that is missing from a whole answer cannot be read.
        left = isWhole ? [] : left.filter((path) => !contents.has(path));
      }
      return contents;
    },
    async narrow(directory, options) {
      if (!hasRipgrep) return null;
      const script = `enter ${quotedForShell(directory)} && rg ${options.map(quotedForShell).join(" ")} 2>/dev/null </dev/null`;
      const { bytes, status } = await lanes.ask({ script, maxBytes: MAX_NAMES_BYTES, timeoutMs: TIMEOUT_MS });
      return status === 0 || status === 1 ? nulFields(bytes) : null;
    },
  };
}

/** Files by the directory they are in, as many as one command takes. */
function groupsOf(paths: readonly string[]) {
  const groups: { readonly directory: string; readonly names: string[]; length: number }[] = [];
  const open = new Map<string, (typeof groups)[number]>();
  for (const path of paths) {
    const directory = posix.dirname(path);
    const known = open.get(directory);
    const group = known && known.length < MAX_WORDS ? known : { directory, names: [], length: 0 };
    if (group !== known) groups.push(group);
    open.set(directory, group);
    group.names.push(posix.basename(path));
    group.length += path.length;
  }
  return groups;
}

function treeOf(fields: readonly string[], word: string): FileTree {
  const directories: string[] = [];
  const files: TreeFile[] = [];
  const ignoreFiles = new Map<string, string>();
  const repositories: string[] = [];
  const add = (kind: TreeFile["kind"], size: string, time: string, name: string) => {
    files.push({ path: posix.join(directories.at(-1)!, name), kind, size: Number(size), mtimeMs: timeOf(time) });
  };
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at]!;
    const value = field.slice(1);
    if (field[0] === "=") directories.push(value);
    else if (field[0] === "^") repositories.push(value);
    else if (field[0] === "+") ignoreFiles.set(posix.resolve(directories.at(-1)!, value), fields[++at] ?? "");
    else if (word === "") {
      const [, kind = "", size = "", time = "", name = ""] = /^(.) (\d+) (\S+) ([\s\S]*)$/.exec(field) ?? [];
      if (name !== "") add(kindOf(kind), size, time, name);
    } else {
      for (const entry of field.split(`${word} `).slice(1)) {
        const [, mode = "", size = "", time = "", name = ""] = /^(\w+) (\d+) ([^|]*)\|([\s\S]*)\n$/.exec(entry) ?? [];
        add(KINDS[mode[0]!] ?? "other", size, time, name);
      }
    }
  }
  return { directories, files, ignoreFiles, repositories };
}

/** By the first digit of a mode. */
const KINDS: Readonly<Record<string, TreeFile["kind"]>> = { "8": "file", "4": "directory", a: "symlink" };
