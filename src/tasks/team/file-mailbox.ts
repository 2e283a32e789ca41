// Messages as files: a directory for each member, and in it a file for each message that nobody has taken. To take one is
// to remove its file, which of several processes one can do.

import { mkdir, readdir, readFile, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { createAtomically, entryPaths, isTemporaryName } from "../../files/atomic-write.js";
import { sha256 } from "../../files/sha256.js";
import { checkOptions, type OptionTable, required, STRING } from "../../json/check-options.js";
import { watchDirectory } from "../directory-watch.js";
import { MAILBOX_OPTIONS, type Mailbox, type MailboxOptions, mailboxFull, type TeamMessage } from "./mailbox.js";

/** Options of `createFileMailbox()`. */
export interface FileMailboxOptions extends MailboxOptions {
  /** Made when it is needed. Not the directory of a task store. */
  readonly dir: string;
}

const OPTIONS = { ...MAILBOX_OPTIONS, dir: required(STRING) } satisfies OptionTable<FileMailboxOptions>;
const MAX_FILE_BYTES = 1024 * 1024;
/** A file that a crash left half written; a living writer's is younger. */
const STALE_MS = 60_000;

/**
 * Keeps messages as files, for teams of several processes.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function createFileMailbox(options: FileMailboxOptions): Mailbox {
  const { dir, maxWaiting } = checkOptions("createFileMailbox()", options, OPTIONS);
  return new FileMailbox(dir, maxWaiting);
}

class FileMailbox implements Mailbox {
  #count = 0;

  constructor(
    private readonly dir: string,
    private readonly maxWaiting: number,
  ) {}

  async send(message: TeamMessage): Promise<void> {
    const dir = this.#directoryOf(message.to);
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const { length } = await readdir(dir);
    if (length >= this.maxWaiting) throw mailboxFull(message.to, this.maxWaiting);
    const json = Buffer.from(`${JSON.stringify({ v: 1, ...message })}\n`);
    for (let isNew = false; !isNew; ) isNew = await createAtomically(entryPaths(dir), this.#nameOf(message), json);
  }

  async take(name: string): Promise<readonly TeamMessage[]> {
    const dir = this.#directoryOf(name);
    const taken: TeamMessage[] = [];
    for (const file of (await readdir(dir).catch(() => [])).sort()) {
      const path = join(dir, file);
      const message = file.endsWith(".json") ? await readMessage(path, name) : undefined;
      if (message && (await isRemoved(path))) taken.push(message);
      else if (isTemporaryName(file)) await removeIfStale(path);
    }
    return taken;
  }

  watch(name: string, onMail: () => void): () => void {
    return watchDirectory(this.#directoryOf(name), async () => onMail());
  }

  /** Names may differ in case alone, and hold characters that a file's name may not. */
  #directoryOf(name: string): string {
    return join(this.dir, sha256(name).slice(0, 16));
  }

  /** In order of the names, messages are in the order in which they were sent. */
  #nameOf({ sentAt }: TeamMessage): string {
    const random = Math.random().toString(36).slice(2, 10);
    return `${String(sentAt).padStart(15, "0")}-${String(++this.#count).padStart(6, "0")}-${random}.json`;
  }
}

/** `undefined` for what is not a message; such a file stays where it is. */
async function readMessage(path: string, name: string): Promise<TeamMessage | undefined> {
  try {
    const about = await stat(path);
    if (!about.isFile() || about.size > MAX_FILE_BYTES) return undefined;
    const { v, from, to, text, sentAt } = JSON.parse(await readFile(path, "utf8"));
    const isWhole = typeof from === "string" && typeof text === "string" && Number.isFinite(sentAt);
    return v === 1 && to === name && isWhole ? Object.freeze({ from, to, text, sentAt }) : undefined;
  } catch {
    return undefined;
  }
}

/** `false` when somebody else has taken it. */
function isRemoved(path: string): Promise<boolean> {
  return unlink(path).then(
    () => true,
    () => false,
  );
}

async function removeIfStale(path: string): Promise<void> {
  const about = await stat(path).catch(() => undefined);
  if (about && Date.now() - about.mtimeMs > STALE_MS) await rm(path, { force: true });
}
