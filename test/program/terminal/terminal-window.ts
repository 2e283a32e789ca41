// A terminal as a person has it: the program runs in a real pseudo-terminal, and a real emulator says what is on the screen.
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

const PATIENCE_MS = Number(process.env.TERMINAL_PATIENCE_MS ?? 240_000);
const QUIET_MS = 100;

export const KEYS = {
  enter: "\r",
  escape: "\x1b",
  up: "\x1b[A",
  down: "\x1b[B",
  tab: "\t",
  shiftTab: "\x1b[Z",
  ctrlC: "\x03",
  ctrlD: "\x04",
  ctrlG: "\x07",
  ctrlJ: "\n",
  ctrlO: "\x0f",
  ctrlR: "\x12",
  ctrlT: "\x14",
  ctrlU: "\x15",
  altO: "\x1bo",
} as const;

export interface WindowOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

export class TerminalWindow {
  /** Every byte the program has written. */
  raw = "";
  readonly #pty;
  readonly #screen;
  readonly #exit: Promise<{ readonly exitCode: number; readonly signal?: number | undefined }>;
  readonly #watchers = new Set<() => void>();
  #isOver = false;

  constructor(command: readonly string[], { columns = 80, rows = 30, cwd, env = {} }: WindowOptions) {
    const { PATH = "", HOME = "" } = process.env;
    this.#screen = new xterm.Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true });
    this.#pty = spawn(command[0]!, command.slice(1), {
      cols: columns,
      rows,
      cwd,
      env: { PATH, HOME, TERM: "xterm-256color", LANG: "C.UTF-8", ...env },
    });
    this.#pty.onData((data) => {
      this.raw += data;
      this.#screen.write(data, () => this.#changed());
    });
    this.#exit = new Promise((resolve) => {
      const end = (exit: { readonly exitCode: number; readonly signal?: number | undefined }) => {
        this.#isOver = true;
        // The emulator reads what it was given last before it says so.
        this.#screen.write("", () => {
          this.#changed();
          resolve(exit);
        });
      };
      this.#pty.onExit((exit) => {
        // The last bytes of a program may come behind its end.
        const endWhenQuiet = (length: number) => {
          if (this.raw.length === length) end(exit);
          else setTimeout(endWhenQuiet, QUIET_MS, this.raw.length);
        };
        setTimeout(endWhenQuiet, QUIET_MS, this.raw.length);
      });
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  /** What is on the screen, without trailing whitespace. */
  get text(): string {
    return this.#lines(this.#screen.buffer.active.baseY);
  }

  /** The same with everything that scrolled away. */
  get scrollback(): string {
    return this.#lines(0);
  }

  get isCursorVisible(): boolean {
    return this.raw.lastIndexOf("\x1b[?25h") > this.raw.lastIndexOf("\x1b[?25l");
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  paste(text: string): void {
    this.#pty.write(`\x1b[200~${text}\x1b[201~`);
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows);
    this.#pty.resize(columns, rows);
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(this.#pty.pid, signal);
  }

  /** Resolves once `what` is on the screen; rejects with the screen when it does not come. */
  async sees(what: string | RegExp): Promise<void> {
    await this.#until(() => matches(this.text, what), `"${what}" to be on the screen`);
  }

  /** Resolves once the program has written these bytes. */
  async wrote(bytes: string): Promise<void> {
    await this.#until(() => this.raw.includes(bytes), `${JSON.stringify(bytes)} to be written`);
  }

  /** Resolves once `what` is gone from the screen. */
  async seesNoMore(what: string | RegExp): Promise<void> {
    await this.#until(() => !matches(this.text, what), `"${what}" to leave the screen`);
  }

  /** Resolves with the exit code, or 128 and the signal's number. */
  async exited(): Promise<number> {
    const { exitCode, signal } = await this.#exit;
    return signal ? 128 + signal : exitCode;
  }

  async close(): Promise<void> {
    if (!this.#isOver) this.#pty.kill("SIGKILL");
    await this.#exit;
    this.#screen.dispose();
  }

  #until(isTrue: () => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: Error) => {
        clearTimeout(timer);
        this.#watchers.delete(check);
        if (error) reject(error);
        else resolve();
      };
      const fail = (why: string) => end(new Error(`Waited for ${what}; ${why}. The screen:\n${this.text}`));
      const check = () => {
        if (!this.#isMidFrame && isTrue()) end();
        else if (this.#isOver) fail("the program has ended");
      };
      const timer = setTimeout(() => fail(`${PATIENCE_MS / 1_000} seconds were not enough`), PATIENCE_MS);
      this.#watchers.add(check);
      check();
    });
  }

  /** A frame that has come in part only is not looked at. */
  get #isMidFrame(): boolean {
    return this.raw.lastIndexOf("\x1b[?2026h") > this.raw.lastIndexOf("\x1b[?2026l");
  }

  #changed(): void {
    for (const check of [...this.#watchers]) check();
  }

  #lines(first: number): string {
    const { active } = this.#screen.buffer;
    const lines: string[] = [];
    for (let row = first; row < active.length; row++) lines.push(active.getLine(row)?.translateToString(true) ?? "");
    return lines.join("\n").trimEnd();
  }
}

function matches(text: string, what: string | RegExp): boolean {
  return typeof what === "string" ? text.includes(what) : what.test(text);
}
