// What the tests of sessions share: directories, entries, and a program in processes of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SessionStore } from "../../src/contracts/session.js";

/** A directory that ends with the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "loopwright-sessions-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export { bundled } from "../bundled.js";
export { entries } from "./entries.js";

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export async function idsOf(store: SessionStore, id: string): Promise<string[]> {
  return (await collect(store.read(id))).map((entry) => entry.id);
}

/** The names in a directory that are not session files: locks and what they leave. */
export function leftovers(directory: string): string[] {
  return readdirSync(directory).filter((name) => !name.endsWith(".jsonl"));
}

/** A program under way, and the lines it has printed. */
export interface Child {
  readonly process: ChildProcess;
  /** The next line; `null` once it has ended. */
  line(): Promise<string | null>;
  /** Ends it as a crash would, and waits until it is gone. */
  kill(): Promise<void>;
  readonly ended: Promise<void>;
}

export function startChild(program: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const lines: string[] = [];
  let rest = "";
  let isOver = false;
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop()!;
    lines.push(...parts);
    wake();
  });
  return {
    process: child,
    ended,
    async line() {
      while (lines.length === 0 && !isOver) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return lines.shift() ?? null;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
