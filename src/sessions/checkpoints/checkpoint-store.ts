// The files of checkpoints, in one directory:
//   journal/    one line for each change and each rewind of a session
//   kept/       what files held, a directory for each session
//   rewinding/  the plan of a rewind that is under way, one file for each session; there from before the first file is
//               touched until the rewind is in the journal
import { dirname, join } from "node:path";
import { SessionError } from "../../contracts/errors.js";
import type { SessionStore } from "../../contracts/session.js";
import { fileNameOf, sessionIdOf } from "../file-name.js";
import { fileSessionStoreOn } from "../file-session-store.js";
import { codeOf, type FileSystem, syncDirectory } from "../file-system.js";
import type { Durability } from "../session-file-writer.js";
import { fileNamesIn, ignoreMissing, KeptContents, writeWhole } from "./checkpoint-content.js";
import { type CheckpointRecord, toEntry, toRecord } from "./checkpoint-record.js";

interface StoreOptions {
  /** Absolute. */
  readonly dir: string;
  readonly durability: Durability;
  readonly maxBytes: number;
}

export class CheckpointStore {
  readonly #journal: SessionStore;
  readonly #contents = new Map<string, KeptContents>();
  readonly #rewinding: string;

  constructor(
    private readonly files: FileSystem,
    private readonly options: StoreOptions,
  ) {
    const { dir, durability } = options;
    this.#journal = fileSessionStoreOn(files, { dir: join(dir, "journal"), durability });
    this.#rewinding = join(dir, "rewinding");
  }

  contentsOf(sessionId: string): KeptContents {
    const { dir, ...options } = this.options;
    const known = this.#contents.get(sessionId);
    if (known) return known;
    const directory = join(dir, "kept", fileNameOf(sessionId).replace(/\.jsonl$/, ""));
    const contents = new KeptContents(this.files, { dir: directory, ...options });
    this.#contents.set(sessionId, contents);
    return contents;
  }

  /** All or nothing of the record is kept. */
  append(sessionId: string, record: CheckpointRecord): Promise<void> {
    return this.#journal.append(sessionId, [toEntry(record)]);
  }

  /** Oldest first. */
  async records(sessionId: string): Promise<CheckpointRecord[]> {
    const records: CheckpointRecord[] = [];
    for await (const entry of this.#journal.read(sessionId)) records.push(...toRecord(entry));
    return records;
  }

  async sessionsWithPlan(): Promise<string[]> {
    return (await fileNamesIn(this.files, this.#rewinding)).flatMap((name) => sessionIdOf(name) ?? []);
  }

  async findPlan(sessionId: string): Promise<CheckpointRecord | null> {
    const path = this.#planOf(sessionId);
    let text: string;
    try {
      text = await this.files.readFile(path, "utf8");
    } catch (error) {
      if (codeOf(error) === "ENOENT") return null;
      throw error;
    }
    try {
      return JSON.parse(text) as CheckpointRecord;
    } catch (cause) {
      throw damaged(sessionId, path, cause);
    }
  }

  async writePlan(sessionId: string, plan: CheckpointRecord): Promise<void> {
    const { durability } = this.options;
    await this.files.mkdir(this.#rewinding, { recursive: true, mode: 0o700 });
    await writeWhole(this.files, this.#planOf(sessionId), Buffer.from(JSON.stringify(plan)), durability);
    if (durability === "power") await syncDirectory(this.files, this.#rewinding);
  }

  async removePlan(sessionId: string): Promise<void> {
    await this.files.unlink(this.#planOf(sessionId)).catch(ignoreMissing);
    // A plan that was taken back must not come again after a loss of power.
    if (this.options.durability === "power") await syncDirectory(this.files, this.#rewinding);
  }

  /** Makes what was done to these paths survive a loss of power, if that is promised. Directories that are gone need nothing. */
  async settle(paths: readonly string[]): Promise<void> {
    if (this.options.durability === "process") return;
    for (const directory of new Set(paths.map((path) => dirname(path)))) {
      await syncDirectory(this.files, directory).catch(ignoreMissing);
    }
  }

  async forget(sessionId: string): Promise<void> {
    await this.contentsOf(sessionId).clear();
    this.#contents.delete(sessionId);
    await this.#journal.delete(sessionId);
  }

  #planOf(sessionId: string): string {
    return join(this.#rewinding, fileNameOf(sessionId));
  }
}

function damaged(sessionId: string, path: string, cause: unknown): SessionError {
  return new SessionError("SESSION_CORRUPT", {
    message: `The plan of a rewind of session "${sessionId}" is damaged ("${path}"). No file was touched. Compare the files with a backup, then remove the plan.`,
    details: { file: path },
    cause,
  });
}
