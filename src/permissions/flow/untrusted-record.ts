// The record of files that may have been written from untrusted content: beside git's index, where the calls of an agent do not write.
// For each it says what the file was before, if it is one that may instruct an agent.
import { createHash } from "node:crypto";
import { closeSync, constants, openSync, statSync, writeSync } from "node:fs";
import { join, parse, relative, resolve } from "node:path";
import type { Label } from "../../contracts/label.js";
import { isObject } from "../../json/is-object.js";
import { joinLabels, NO_LABEL, UNLABELLED } from "../../labels/join-labels.js";
import { readLabel } from "../../labels/read-label.js";
import { isInside } from "../../paths/inside.js";
import { UNTRUSTED_RECORD } from "../../paths/sensitive-paths.js";
import { quotedForShell } from "../../text/quoted-for-shell.js";
import { textOf } from "../lookup/disk-view.js";
import { type FilesPlace, settle, type Tracked } from "./tracked-files.js";

/** More files are not told apart: then every file counts as written so. */
export const MAX_FILES = 20_000;
/** Unit: bytes. */
const MAX_RECORD = 16_000_000;
/** So many files are in one line at most, since a command takes no longer word. */
const FILES_IN_LINE = 400;

/** The notes of this and other processes. Without a repository, of this one alone. */
export class UntrustedRecord {
  readonly #written = new Map<string, Label>();
  /** The ids of what files were before anything on record was written into them; the first word counts. */
  readonly #before = new Map<string, string>();
  #bytes = 0;

  constructor(
    private readonly place: FilesPlace | undefined,
    private readonly tracked: Tracked | undefined,
  ) {}

  /** The sources that the files at or below the paths, or the directories around them, were written from. */
  async of(paths: readonly string[] | "all"): Promise<Label> {
    await this.#read();
    return this.#of(paths);
  }

  #of(paths: readonly string[] | "all"): Label {
    const near = [...this.#written].filter(
      ([at]) => paths === "all" || paths.some((path) => isInside(at, path) || isInside(path, at)),
    );
    return near.reduce((all, [, label]) => joinLabels(all, label), NO_LABEL);
  }

  /** Whether a file's content is what git's index had before anything on record was written into it. */
  isAsBefore(path: string, content: Uint8Array): boolean {
    const id = createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
    return this.#before.get(path) === id;
  }

  /** Notes it for this process; for others, where it lies in the repository. */
  async note(path: string, label: Label): Promise<void> {
    await this.#read();
    const before = this.#idsBelow(path);
    if (!this.#keep(path, label) || !this.tracked) return;
    const { repository } = this.tracked;
    if (!isInside(path, repository) && !isInside(repository, path)) return;
    const sources = label.sources.map(({ entryId: _, ...source }) => source);
    const lines: object[] = [];
    for (let at = 0; at < before.length; at += FILES_IN_LINE)
      lines.push({ before: Object.fromEntries(before.slice(at, at + FILES_IN_LINE)) });
    await this.#append([...lines, { path: relative(repository, path), label: { ...label, sources } }]);
  }

  /** Of files that may instruct, at or below a path and not on record yet: their names and ids. */
  #idsBelow(path: string): [string, string][] {
    const { repository = "", ids = [] } = this.tracked ?? {};
    if (this.#written.has(repository)) return [];
    return [...ids].filter(([name]) => {
      const file = join(repository, name);
      return isInside(file, path) && !this.#before.has(file) && this.#of([file]).integrity === "trusted";
    });
  }

  /** Whether that was not known. */
  #keep(path: string, label: Label): boolean {
    const place = this.#written.size < MAX_FILES || this.#written.has(path) ? path : parse(path).root;
    const before = this.#written.get(place) ?? NO_LABEL;
    const now = joinLabels(before, label);
    this.#written.set(place, now);
    return now !== before;
  }

  async #append(lines: readonly object[]): Promise<void> {
    const record = join(this.tracked!.shared, UNTRUSTED_RECORD);
    // One that was cut off, as on a full disk, does not take these with it.
    const texts = lines.map((line) => `\n${JSON.stringify(line)}\n`);
    if (!this.place || !("shell" in this.place) || this.place.files.onDisk) return append(record, texts.join(""));
    for (const text of texts) {
      const command = `[ ! -L ${quotedForShell(record)} ] && printf '%s' ${quotedForShell(text)} >> ${quotedForShell(record)}`;
      const { exitCode } = await this.place.shell.run({ command, cwd: this.tracked!.repository, timeoutMs: 60_000 });
      if (exitCode !== 0)
        throw new Error(`"${record}" could not be written (exit code ${exitCode}): make it writable.`);
    }
  }

  /** The notes since it was last read. */
  async #read(): Promise<void> {
    if (!this.tracked || !this.place) return;
    const { repository, shared } = this.tracked;
    const record = join(shared, UNTRUSTED_RECORD);
    const bytes = this.place.files.onDisk ? (statSync(record, { throwIfNoEntry: false })?.size ?? 0) : -1;
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    const text = await settle(this.place, (disk) =>
      disk.kindOf(record) === null ? "" : (textOf(disk, record, MAX_RECORD) ?? "?"),
    );
    for (const line of text.split("\n")) if (line !== "") this.#readLine(line, repository);
  }

  /** A line that is not understood may be about any file. */
  #readLine(line: string, repository: string): void {
    let said: { readonly path?: unknown; readonly label?: unknown; readonly before?: unknown };
    try {
      said = Object(JSON.parse(line));
    } catch {
      said = {};
    }
    const { path, before } = said;
    if (isObject(before)) {
      for (const [name, id] of Object.entries(before)) {
        const file = resolve(repository, name);
        if (typeof id === "string" && !this.#before.has(file)) this.#before.set(file, id);
      }
      return;
    }
    const label = readLabel(said.label);
    const isWhole = typeof path === "string" && label !== undefined;
    this.#keep(isWhole ? resolve(repository, path) : repository, isWhole ? label : UNLABELLED);
  }
}

/** The repository's author may have put a link there, or something that never answers. */
function append(record: string, text: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(record, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    const bytes = Buffer.from(text);
    if (writeSync(file, bytes) < bytes.length)
      throw new Error(`"${record}" could not be written whole: free some space on its disk.`);
  } finally {
    closeSync(file);
  }
}
