import type { Look, LookQuestion, Walk } from "../../contracts/many-files.js";
import type { FileStat } from "../../contracts/workspace.js";
import { quotedForShell } from "../../text/quoted-for-shell.js";
import type { LanePool } from "./lane-pool.js";
import { tarContents } from "./tar-contents.js";

const TIMEOUT_MS = 60_000;
/** The longest answer: names, and the same again of contents; what does not fit in is not known. Unit: bytes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Longer names exist on no file system, so nothing can be created there either. Unit: bytes. */
const MAX_NAME_BYTES = 255;
/** Questions that go in one request. */
const MAX_QUESTIONS = 1_000;

const KINDS: Readonly<Record<string, FileStat["kind"] | "symlink">> = { f: "file", d: "directory", l: "symlink" };

/** The programs that a machine has for work on many files. */
export interface MachinePrograms {
  /** The form in which its `find` prints what it found. */
  readonly tree: string | undefined;
  /** Its `tar`, so that it takes names as they are. */
  readonly tar: string | undefined;
  readonly hasRipgrep: boolean;
}

/** The kind of a field that begins with its letter. */
export function kindOf(field: string): FileStat["kind"] | "symlink" {
  return KINDS[field[0]!] ?? "other";
}

/** Questions that are asked in one turn of the event loop go in one request. */
export function createLooks(lanes: LanePool, { tar }: MachinePrograms): (question: LookQuestion) => Promise<Look> {
  let waiting: { readonly question: LookQuestion; settle(look: Promise<Look>): void }[] = [];

  function send(): void {
    const batch = waiting;
    waiting = [];
    for (let at = 0; at < batch.length; at += MAX_QUESTIONS) {
      const some = batch.slice(at, at + MAX_QUESTIONS);
      const answers = lookAtAll(lanes, some.map(({ question }) => question), tar); // biome-ignore format: one line
      for (const [index, { settle }] of some.entries()) settle(answers.then((looks) => looks[index]!));
    }
  }

  return (question) =>
    new Promise((resolve) => {
      if (waiting.length === 0) queueMicrotask(send);
      waiting.push({ question, settle: resolve });
    });
}

async function lookAtAll(lanes: LanePool, questions: readonly LookQuestion[], tar: string | undefined) {
  const follows = questions.map(({ path, stat, names }) => {
    const more = `${stat ? "s" : ""}${names ? "n" : ""}`;
    return `follow ${quotedForShell(path)}${more && `\nalso ${more}`}`;
  });
  const wholes = questions.flatMap(({ path, maxBytes }, index) =>
    tar === undefined || maxBytes === undefined ? [] : `whole ${index} ${quotedForShell(path)} ${maxBytes}`,
  );
  if (wholes.length > 0) {
    const limit = `dd bs=65536 count=${MAX_BYTES / 65_536} iflag=fullblock 2>/dev/null`;
    follows.push(`tar='${tar}'`, "printf '\\0'", `{\n${wholes.join("\n")}\n} | ${limit}`);
  }
  const { bytes } = await lanes.ask({
    script: follows.join("\n"),
    maxBytes: 2 * MAX_BYTES,
    timeoutMs: TIMEOUT_MS,
  });
  const end = wholes.length > 0 ? emptyField(bytes) : bytes.length;
  const looks = looksIn(nulFields(bytes.subarray(0, end)));
  if (looks.length !== questions.length) throw new Error("The machine did not look at every path it was asked for.");
  for (const [index, files] of tarContents(bytes.subarray(end + 1))) {
    for (const content of files.values()) looks[index] = { ...looks[index]!, bytes: content };
  }
  return looks;
}

/** The fields that `follow` and `also` print. */
export function looksIn(fields: readonly string[]): Look[] {
  const looks: Look[] = [];
  let links: string[] = [];
  let found: Pick<Walk, "path" | "kind"> = { path: "/", kind: null };
  let names: NonNullable<Look["names"]>[number][] = [];
  for (const field of fields) {
    const [tag, value] = [field[0], field.slice(1)];
    if (tag === "l") links.push(value);
    else if (tag === "t") {
      looks.push({ ...found, links, ...troubleOf(found, value) });
      links = [];
    } else if (tag === "=") {
      const [size = ""] = value.split(" ", 1);
      looks[looks.length - 1] = { ...looks.at(-1)!, size: Number(size), mtimeMs: timeOf(value.slice(size.length)) };
    } else if (tag !== "/") found = { path: value, kind: tag === "n" ? null : (kindOf(field) as FileStat["kind"]) };
    else if (value !== "") names.push({ name: value.slice(1), kind: kindOf(value) });
    else {
      looks[looks.length - 1] = { ...looks.at(-1)!, names };
      names = [];
    }
  }
  return looks;
}

function troubleOf({ path, kind }: Pick<Walk, "path" | "kind">, said: string): Pick<Walk, "trouble"> {
  if (said !== "") return { trouble: said as NonNullable<Walk["trouble"]> };
  const isLong = kind === null && path.split("/").some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES);
  return isLong ? { trouble: "too-long" } : {};
}

/** Whole seconds, and the same time with its fraction where the system has one. Unit: milliseconds. */
export function timeOf(said: string): number {
  return (Number.parseInt(said, 10) + Number(/\.\d+/.exec(said)?.[0] ?? 0)) * 1_000;
}

/** The position of the NUL that is a field of its own. */
function emptyField(bytes: Uint8Array): number {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf("\0\0");
  return at === -1 ? bytes.length : at + 1;
}

export function nulFields(said: Uint8Array | string): string[] {
  const text = typeof said === "string" ? said : new TextDecoder().decode(said);
  return text.split("\0").slice(0, -1);
}
