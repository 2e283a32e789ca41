// The record of files that may have been written from untrusted content: beside git's index, where the calls of an agent do not write.
// For each it says what the file was before, if it is one that may instruct an agent.
import { createHash } from "node:crypto";
import { closeSync, constants, openSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join, parse, relative, resolve } from "node:path";
import type { Label } from "../../contracts/label.js";
import type { CommandRunner, Workspace } from "../../contracts/workspace.js";
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
  #version = "";
  /** Its text as it was read last, and what was noted since: whoever notes something leaves what is there as it is. */
  #known = "";
  #writingBack = Promise.resolve();
  /** Absolute. */
  readonly #file: string;

  constructor(
    private readonly place: FilesPlace | undefined,
    private readonly tracked: Tracked | undefined,
  ) {
    this.#file = join(tracked?.shared ?? "", UNTRUSTED_RECORD);
    if (!tracked || !place || !("shell" in place)) return;
    place.shell.afterEach?.((run) => {
      const work = this.#writingBack.then(() => this.#writeBack(run));
      this.#writingBack = work.catch(() => {});
      return work;
    });
  }

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
    const known = this.#written.get(path) ?? NO_LABEL;
    if (!this.#keep(path, label) || !this.tracked) return;
    const { repository } = this.tracked;
    if (!isInside(path, repository) && !isInside(repository, path)) return;
    const sources = label.sources.map(({ entryId: _, ...source }) => source);
    const lines: object[] = [];
    for (let at = 0; at < before.length; at += FILES_IN_LINE)
      lines.push({ before: Object.fromEntries(before.slice(at, at + FILES_IN_LINE)) });
    // One that was cut off, as on a full disk, does not take these with it.
    const texts = [...lines, { path: relative(repository, path), label: { ...label, sources } }].map(
      (line) => `\n${JSON.stringify(line)}\n`,
    );
    await this.#append(texts).catch((error) => {
      // The next try is no second one.
      this.#written.set(path, known);
      throw error;
    });
    await this.#read();
    // A command that runs meanwhile may have removed them already.
    if (!this.#known.includes(texts.join(""))) this.#known += texts.join("");
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

  async #append(texts: readonly string[], run?: CommandRunner["run"]): Promise<void> {
    if (this.#isHere) return append(this.#file, texts.join(""));
    const at = quotedForShell(this.#file);
    for (const text of texts) await this.#do(`[ ! -L ${at} ] && printf '%s' ${quotedForShell(text)} >> ${at}`, run);
  }

  async #do(command: string, run: CommandRunner["run"] = (request) => (this.place as Workspace).shell.run(request)) {
    const { exitCode } = await run({ command, cwd: this.tracked!.repository, timeoutMs: 60_000 });
    if (exitCode !== 0)
      throw new Error(`"${this.#file}" could not be written (exit code ${exitCode}): make it writable.`);
  }

  get #isHere(): boolean {
    return !this.place || !("shell" in this.place) || this.place.files.onDisk === true;
  }

  /** Puts in its place what was on record before a command ended that has removed or changed it. */
  async #writeBack(run: CommandRunner["run"]): Promise<void> {
    const text = this.#known === "" ? "" : await this.#text();
    if (text === "?" || text.startsWith(this.#known)) return;
    // Without a repository no file is trusted, until there is one again.
    if ((await settle(this.place!, (disk) => disk.kindOf(dirname(this.#file)))) === null) return;
    const whole = `${this.#known}\n${text.replaceAll("\0", "?")}`;
    if (this.#isHere) rmSync(this.#file, { force: true });
    else await this.#do(`rm -f ${quotedForShell(this.#file)}`, run);
    await this.#append(whole.match(/[\s\S]{1,20000}/gu)!, run);
  }

  /** The text in its place. What cannot be read, or is a link, is `?`. */
  #text(): Promise<string> | string {
    return settle(this.place!, (disk) => {
      const text = disk.kindOf(this.#file) === null ? "" : (textOf(disk, this.#file, MAX_RECORD) ?? "?");
      return text !== "?" && disk.isLink(this.#file) ? "?" : text;
    });
  }

  /** The notes since it was last read. */
  async #read(): Promise<void> {
    if (!this.tracked || !this.place) return;
    if (this.place.files.onDisk) {
      const { size, ctimeNs } = statSync(this.#file, { throwIfNoEntry: false, bigint: true }) ?? {};
      const version = `${size} ${ctimeNs}`;
      if (version === this.#version) return;
      this.#version = version;
    }
    const found = await this.#text();
    const isLonger = found.startsWith(this.#known);
    if (isLonger && found !== "?") this.#known = found;
    const text = isLonger ? found : `${this.#known}\n${found}`;
    let mayAllBe = false;
    for (const line of text.split("\n")) {
      if (line !== "") mayAllBe = this.#readLine(line, this.tracked.repository, mayAllBe) || mayAllBe;
    }
  }

  /**
   * Whether a line is about every file, as one may be that is not understood. After one (`isAfterAll`) nobody notes what files were before:
   * it is from a command.
   */
  #readLine(line: string, repository: string, isAfterAll: boolean): boolean {
    let said: { readonly path?: unknown; readonly label?: unknown; readonly before?: unknown };
    try {
      said = Object(JSON.parse(line));
    } catch {
      said = {};
    }
    const { path, before } = said;
    if (isObject(before)) {
      for (const [name, id] of isAfterAll ? [] : Object.entries(before)) {
        const file = resolve(repository, name);
        if (typeof id === "string" && !this.#before.has(file)) this.#before.set(file, id);
      }
      return false;
    }
    const label = readLabel(said.label);
    const isWhole = typeof path === "string" && label !== undefined;
    const at = isWhole ? resolve(repository, path) : repository;
    this.#keep(at, isWhole ? label : UNLABELLED);
    return at === repository;
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
