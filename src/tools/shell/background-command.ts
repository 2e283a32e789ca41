import { ToolError } from "../../contracts/errors.js";
import type { ArtifactStore, CommandOutcome, CommandRequest, CommandRunner } from "../../contracts/workspace.js";
import { clip } from "../../text/cut.js";
import { asOneLine } from "../../text/one-line.js";
import { cutOffBytes } from "../../text/terminal-text.js";
import { describeExit, shownOutput, whereKept } from "./format-output.js";
import { type Kept, KeptOutput } from "./output-kept.js";
import { MAX_CHARS, OutputWindow, SHOWN_BYTES } from "./output-window.js";

/** The latest output that a person may look at, whether or not the agent has read it. Unit: bytes. */
const LATEST_BYTES = 16 * 1024;
/** The part of its name in lists. */
const NAME_CHARS = 80;

export interface BackgroundCommandAbout {
  readonly id: string;
  readonly name: string;
  readonly sessionId: string;
  readonly transcriptId: string;
}

/** A command that runs on while its agent does other things. What it writes is kept until somebody reads it, bounded. */
export class BackgroundCommand {
  readonly id: string;
  readonly transcriptId: string;
  /** Whether the agent knows that it has ended. */
  reported = false;
  ended: { readonly outcome: CommandOutcome } | { readonly problem: string } | undefined;
  /** The place of all it wrote, once it has ended and wrote much. */
  kept: Kept | undefined;
  #bytes = 0;
  #latest = Buffer.alloc(0);
  #unread = new OutputWindow(SHOWN_BYTES);
  /** Begins a character or a control sequence, and is not to be read before the rest has come. */
  #cutOff: Uint8Array = new Uint8Array();
  #discarded = false;
  #end = Promise.resolve();
  readonly #output: KeptOutput;
  readonly #ending = new AbortController();
  readonly #startedAt = performance.now();
  #durationMs: number | undefined;

  constructor(
    private readonly about: BackgroundCommandAbout,
    store: ArtifactStore | undefined,
  ) {
    this.id = about.id;
    this.transcriptId = about.transcriptId;
    this.#output = new KeptOutput(store, about.sessionId);
  }

  get durationMs(): number {
    return this.#durationMs ?? performance.now() - this.#startedAt;
  }

  start(shell: CommandRunner, request: CommandRequest): void {
    this.#end = this.#run(shell, request);
  }

  async #run(shell: CommandRunner, request: CommandRequest): Promise<void> {
    const onOutput = (chunk: Uint8Array) => {
      this.#bytes += chunk.length;
      this.#latest = Buffer.concat([this.#latest, chunk.subarray(-LATEST_BYTES)]).subarray(-LATEST_BYTES);
      this.#write(chunk);
      return this.#output.write(chunk);
    };
    const ended = await shell.run({ ...request, signal: this.#ending.signal, onOutput }).then(
      (outcome) => ({ outcome }),
      (error) => ({ problem: error instanceof Error ? error.message : String(error) }),
    );
    this.#durationMs = performance.now() - this.#startedAt;
    this.#unread.write(this.#cutOff);
    if (!this.#discarded && this.#bytes > MAX_CHARS) this.kept = await this.#output.end();
    else await this.#output.discard();
    this.ended = ended;
  }

  #write(chunk: Uint8Array): void {
    const written = this.#cutOff.length === 0 ? chunk : Buffer.concat([this.#cutOff, chunk]);
    const whole = written.length - cutOffBytes(written);
    this.#unread.write(written.subarray(0, whole));
    this.#cutOff = written.slice(whole);
  }

  /** The output since the last call. A long one is cut in the middle. */
  read(): string {
    if (this.ended) this.reported = true;
    const output = this.#unread.end();
    this.#unread = new OutputWindow(SHOWN_BYTES);
    if (output.text !== undefined) return output.text;
    const rest = this.kept ? whereKept(this.#bytes, this.kept) : "all of it is kept once the command has ended";
    return shownOutput(output, rest);
  }

  /** The end of all it has written, as it was written. What the agent has to read stays unread. */
  get latest(): string {
    return this.#latest.toString("utf8");
  }

  /** Ends the command; resolves when nothing of it is left. What it wrote can still be read. */
  async kill(): Promise<void> {
    this.reported = true;
    await this.end("bash_kill");
  }

  /** The same for somebody else than the agent, which is told that it has ended. */
  async end(by: string): Promise<void> {
    this.#ending.abort(new ToolError("COMMAND_FAILED", { message: `ended by ${by}` }));
    await this.#end;
  }

  /** Ends the command and keeps nothing of it. */
  async discard(): Promise<void> {
    this.#discarded = true;
    this.#ending.abort(new ToolError("COMMAND_FAILED", { message: "its session has ended" }));
    await this.#output.discard();
    await this.#end;
  }

  /** Id, name and how it is, in one line. */
  describe(): string {
    const name = asOneLine(this.about.name);
    return `${this.id} (${clip(name, NAME_CHARS)}): ${this.state()}`;
  }

  /** "running for 1.2 s", "exit code 0 after 1.2 s", … */
  state(): string {
    const seconds = `${(this.durationMs / 1000).toFixed(1)} s`;
    if (!this.ended) return `running for ${seconds}`;
    if ("problem" in this.ended) return `${this.ended.problem} (after ${seconds})`;
    const { outcome } = this.ended;
    const how = outcome.timedOut ? "timed out" : describeExit(outcome).replace(/^E/, "e");
    return `${how} after ${seconds}`;
  }
}
