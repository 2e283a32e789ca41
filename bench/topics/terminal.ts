// What a person at the terminal waits for: the first frame, and the letter of a key once much has been said.
import { spawn as spawnProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import { programPath } from "../child.js";
import { median } from "../measure.js";
import { startModelServer } from "../model-server.js";
import { isQuick, type Row, report } from "../row.js";

const STARTS = isQuick ? 7 : 21;
const TURNS = isQuick ? 300 : 2_000;
const KEYS = 60;
/** In a conversation of several screens: the terminal is not asked to draw more than one of them. */
const LINES = TURNS + 10;

const program = fileURLToPath(new URL("../node_modules/loopwright/dist/program/main.js", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "loopwright-bench-terminal-"));
const home = join(directory, "home");
const project = join(directory, "project");
for (const path of [home, project]) mkdirSync(path);
mkdirSync(join(home, ".loopwright"));
writeFileSync(join(project, "long.txt"), "a line of the file\n".repeat(LINES));

/** A program in a pseudo-terminal. */
class Terminal {
  #written = "";
  #wake: () => void = () => {};
  readonly #pty;

  constructor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const { PATH = "" } = process.env;
    const options = { cols: 80, rows: 30, cwd: project, env: { PATH, HOME: home, TERM: "xterm-256color", ...env } };
    this.#pty = spawn(process.execPath, [...args], options);
    this.#pty.onData((data) => {
      this.#written += data;
      this.#wake();
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** Resolves once `what` was written, since the last key. */
  async wrote(what: string): Promise<void> {
    while (!this.#written.includes(what)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  type(text: string): void {
    this.#written = "";
    this.#pty.write(text);
  }

  kill(): void {
    this.#pty.kill("SIGKILL");
  }
}

async function firstFrame(): Promise<number> {
  const startedAt = performance.now();
  const terminal = new Terminal([program], { OPENAI_API_KEY: "none", LOOPWRIGHT_MODEL: "openai/bench" });
  await terminal.wrote("esc interrupts");
  const ms = performance.now() - startedAt;
  await terminal.wrote("shift+tab");
  terminal.kill();
  return ms;
}

async function emptyProcess(): Promise<number> {
  const startedAt = performance.now();
  const child = spawnProcess(process.execPath, ["-e", "0"]);
  await once(child, "exit");
  return performance.now() - startedAt;
}

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

/** The time from a key to its letter on the screen, of most keys, and the memory then. */
async function afterTurns(turns: number): Promise<{ readonly keyMs: number; readonly mb: number }> {
  const server = await startModelServer(programPath("long-answer"), [String(turns)]);
  const terminal = new Terminal([program, "--max-turns", String(turns + 1), "Read it all"], {
    OPENAI_API_KEY: "none",
    OPENAI_BASE_URL: server.url,
    LOOPWRIGHT_MODEL: "openai/bench",
  });
  try {
    await terminal.wrote("All read.");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const times: number[] = [];
    for (let key = 0; key < KEYS; key++) {
      const letter = String.fromCharCode(97 + (key % 26));
      const startedAt = performance.now();
      terminal.type(letter);
      await terminal.wrote(letter);
      times.push(performance.now() - startedAt);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return { keyMs: times.sort((a, b) => a - b)[Math.floor(KEYS * 0.9)]!, mb: residentMb(terminal.pid) };
  } finally {
    terminal.kill();
    server.stop();
  }
}

try {
  const times = { node: [] as number[], ours: [] as number[] };
  for (let i = 0; i < STARTS; i++) {
    times.node.push(await emptyProcess());
    times.ours.push(await firstFrame());
  }
  const rows: Row[] = [
    {
      what: "the terminal's first frame, beyond an empty process",
      unit: "ms",
      ours: median(times.ours) - median(times.node),
      budgets: [{ max: 120 }],
    },
  ];
  if (process.platform === "linux") {
    const few = await afterTurns(TURNS / 10);
    const many = await afterTurns(TURNS);
    rows.push(
      {
        what: `from a key to its letter after ${TURNS} turns, 9 of 10 within (floor: after a tenth of them)`,
        unit: "ms",
        floor: few.keyMs,
        ours: many.keyMs,
        budgets: [{ max: 16 }],
      },
      {
        what: `RSS of the terminal after ${TURNS} turns (floor: after a tenth of them)`,
        unit: "MB",
        floor: few.mb,
        ours: many.mb,
        budgets: [{ max: 1.4, times: "floor" }],
      },
    );
  }
  report(rows);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
