// A line of the user's own below the editor: what a command of theirs prints about the session.
import { once } from "node:events";
import type { Component } from "@earendil-works/pi-tui";
import { createMarks, signalProcesses } from "../../../processes/process-tree.js";
import { startProgram } from "../../../processes/start-program.js";
import { firstCharacters } from "../../../text/cut.js";
import { coloredLine } from "../screen/safe-text.js";

/** Many changes in a row are one. Unit: milliseconds. */
const SETTLED_MS = 200;
/** A slower command is ended, and the line stays what it was. Unit: milliseconds. */
const PATIENCE_MS = 5_000;
const MAX_CHARS = 2_000;

/** The JSON that the command reads, with the names that status line scripts know. */
export interface StatusFacts {
  readonly session_id: string;
  readonly cwd: string;
  readonly version: string;
  readonly model: { readonly id: string; readonly display_name: string };
  readonly workspace: { readonly current_dir: string; readonly project_dir: string };
  readonly cost: { readonly total_cost_usd: number | null };
  readonly context_window: { readonly used_percentage: number | null };
  readonly permission_mode: string;
}

export class StatusLine implements Component {
  #line: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isAtWork = false;
  #isStale = false;
  #isEnded = false;

  constructor(
    private readonly command: string,
    private readonly facts: () => StatusFacts,
    private readonly onChange: () => void,
  ) {}

  /** The session has changed: the command is run again soon. */
  update(): void {
    if (this.#isEnded) return;
    if (this.#isAtWork) this.#isStale = true;
    else this.#timer ??= setTimeout(() => void this.#refresh(), SETTLED_MS);
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  render(): string[] {
    return this.#line;
  }

  invalidate(): void {}

  async #refresh(): Promise<void> {
    this.#timer = undefined;
    this.#isAtWork = true;
    this.#isStale = false;
    // A command that fails leaves the line as it was.
    const said = await this.#run().catch(() => undefined);
    this.#isAtWork = false;
    if (this.#isStale) this.update();
    if (said === undefined || this.#isEnded) return;
    const first = coloredLine(said.split("\n")[0] ?? "");
    this.#line = first === "" ? [] : [`  ${first}`];
    this.onChange();
  }

  async #run(): Promise<string | undefined> {
    const env = process.env as Record<string, string>;
    const { child, processes, release } = await startProgram("sh", ["-c", this.command], { env }, createMarks());
    const timer = setTimeout(() => signalProcesses(processes, "SIGKILL"), PATIENCE_MS);
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said = firstCharacters(said + text, MAX_CHARS);
    });
    child.stderr.resume();
    child.stdin.end(JSON.stringify(this.facts()));
    try {
      const [code] = await once(child, "close");
      return code === 0 ? said : undefined;
    } finally {
      clearTimeout(timer);
      release();
    }
  }
}
