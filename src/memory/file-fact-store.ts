// Facts in one file of JSON lines that people can read and correct. Each change is made under a lock that other processes
// see, on what the file holds then, and replaces the file in one step: nobody ever reads half of it.

import { randomBytes } from "node:crypto";
import * as fs from "node:fs/promises";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { Mutex } from "async-mutex";
import { SessionError } from "../contracts/errors.js";
import type { Fact, FactStore } from "../contracts/fact.js";
import {
  byDefault,
  checkOptions,
  FUNCTION,
  numberFrom,
  type OptionTable,
  required,
  STRING,
} from "../json/check-options.js";
import { dropLock, newLockOwner, takeLock } from "../processes/process-lock.js";
import { type Changed, forgetIn, listFrom, recallFrom, rememberIn, updateIn } from "./fact-book.js";
import { factIn } from "./fact-line.js";

/** Options of `createFileFactStore()`. */
export interface FileFactStoreOptions {
  /** Made when it is missing. */
  readonly dir: string;
  /** Beyond it the fact updated longest ago is forgotten. Default: 5,000. */
  readonly maxFacts?: number | undefined;
  /** Unit: milliseconds since 1970. Default: the clock of the machine. */
  readonly now?: (() => number) | undefined;
  /** Called for each line of the file that is not a fact. The line stays where it is. Default: nothing is reported. */
  readonly onProblem?: ((problem: { readonly line: number; readonly reason: string }) => void) | undefined;
}

const OPTIONS = {
  dir: required(STRING),
  maxFacts: byDefault(5_000, numberFrom(1, "facts", 1_000_000)),
  now: FUNCTION,
  onProblem: byDefault(() => {}, FUNCTION),
} satisfies OptionTable<FileFactStoreOptions>;

/** Another process holds the lock for some milliseconds. */
const LOCK_WAIT_MS = 10_000;
const LOCK_POLL_MS = 5;

/** The content of the file: its facts, and its lines that are not facts, which stay. */
interface Contents {
  readonly facts: readonly Fact[];
  readonly foreign: readonly string[];
}

/**
 * Facts in `facts.jsonl` of a directory, shared safely by any number of processes on this machine.
 *
 * Every change is on disk when its promise resolves. A line that cannot be read is reported, kept, and stops nothing.
 */
export function createFileFactStore(options: FileFactStoreOptions): FactStore {
  const settings = checkOptions("createFileFactStore()", options, OPTIONS);
  const { dir, maxFacts, now = Date.now, onProblem } = settings;
  const file = join(dir, "facts.jsonl");
  const lock = join(dir, "facts.lock");
  const owner = newLockOwner();
  const mutex = new Mutex();
  let cached: { readonly version: string; readonly contents: Contents } | null = null;

  async function read(): Promise<Contents> {
    const version = await versionOf(file);
    if (version === null) return { facts: [], foreign: [] };
    if (cached?.version === version) return cached.contents;
    const contents = parse(await readFile(file, "utf8"), onProblem);
    cached = { version, contents };
    return contents;
  }

  async function change<T>(work: (facts: readonly Fact[]) => Changed<T>): Promise<T> {
    return mutex.runExclusive(async () => {
      await mkdir(dir, { recursive: true, mode: 0o700 });
      const me = await owner;
      await waitForLock(lock, me);
      try {
        const { facts, foreign } = await read();
        const changed = work(facts);
        await replaceFile(dir, file, [...changed.facts.map((fact) => JSON.stringify(fact)), ...foreign]);
        cached = null;
        return changed.result;
      } finally {
        await dropLock(fs, lock, me);
      }
    });
  }

  return {
    remember: (fact) =>
      failingAs("SESSION_WRITE", file, () =>
        change((facts) =>
          rememberIn(facts, fact, { now: now(), newId: () => randomBytes(6).toString("hex"), maxFacts }),
        ),
      ),
    recall: (query, options) =>
      failingAs("SESSION_READ", file, async () => recallFrom((await read()).facts, query, options, now())),
    forget: (id) => failingAs("SESSION_WRITE", file, () => change((facts) => forgetIn(facts, id))),
    list: (filter) => failingAs("SESSION_READ", file, async () => listFrom((await read()).facts, filter, now())),
    update: (id, patch) => failingAs("SESSION_WRITE", file, () => change((facts) => updateIn(facts, id, patch, now()))),
  };
}

async function versionOf(file: string): Promise<string | null> {
  try {
    const { ino, size, mtimeNs } = await fs.stat(file, { bigint: true });
    return `${ino}.${size}.${mtimeNs}`;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function parse(text: string, onProblem: NonNullable<FileFactStoreOptions["onProblem"]>): Contents {
  const facts: Fact[] = [];
  const foreign: string[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const fact = factIn(line);
    if (fact) facts.push(fact);
    else {
      foreign.push(line);
      onProblem({ line: index + 1, reason: `Line ${index + 1} of the facts is not a fact; correct or remove it.` });
    }
  }
  return { facts, foreign };
}

async function replaceFile(dir: string, file: string, lines: readonly string[]): Promise<void> {
  const temporary = join(dir, `.facts-${randomBytes(6).toString("hex")}.tmp`);
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(lines.map((line) => `${line}\n`).join(""));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function waitForLock(path: string, me: Awaited<ReturnType<typeof newLockOwner>>): Promise<void> {
  const until = performance.now() + LOCK_WAIT_MS;
  for (let rival = await takeLock(fs, path, me); rival !== null; rival = await takeLock(fs, path, me)) {
    if (performance.now() > until) {
      throw new SessionError("SESSION_BUSY", {
        message: `The facts are locked by process ${rival.pid} on ${rival.host}. Try again once it has finished; if it is gone for good, remove ${path}.`,
        retryable: true,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS + Math.random() * LOCK_POLL_MS));
  }
}

/** Failures of the machine become errors of ours; errors of ours pass. */
async function failingAs<T>(code: "SESSION_READ" | "SESSION_WRITE", file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const errno = codeOf(cause);
    if (errno === undefined) throw cause;
    const what = code === "SESSION_READ" ? "read" : "changed";
    throw new SessionError(code, {
      message: `The facts in ${file} could not be ${what}: ${(cause as Error).message}.`,
      details: { errno },
      cause,
    });
  }
}

function codeOf(error: unknown): string | undefined {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return typeof code === "string" && syscall !== undefined ? code : undefined;
}
