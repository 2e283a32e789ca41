// The SDK's own transport passes on what breaks the protocol, knows one process only, and waits for helpers that keep a
// pipe open; servers deserve less trust.
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { describeThrown } from "../../text/describe-thrown.js";
import { breathe } from "../../time/breathe.js";
import { asSentence, CannotConnect } from "../client/mcp-errors.js";
import { FLOODED, FloodGate } from "./flood-gate.js";
import { MessageLines } from "./message-lines.js";
import { startElsewhere } from "./server-elsewhere.js";
import { type ServerCommand, ServerProcess, type ServerProgram } from "./server-process.js";

/** The most that a server which does not read makes us keep. Unit: bytes. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
/** The time to read the last output of a server after its end: a child of it may keep the pipe open. Unit: milliseconds. */
const DRAIN_MS = 100;
/** The time a server may live on once it has closed its output. Unit: milliseconds. */
const CLOSED_MS = 200;
/** After so many messages everything else that is due has its turn. */
const MESSAGES_PER_BREATH = 64;

/** Messages with a server that is a program: one line each on its standard input and output. */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];
  /** The server is about to be gone: what it has sent is still read, and what is sent now nobody reads. */
  ondying?: ((reason: string) => void) | undefined;
  /** The reason why the connection is over; set before `onclose` is called. */
  endedBecause: string | undefined;
  readonly #command: ServerCommand;
  readonly #lines = new MessageLines();
  #process: ServerProgram | undefined;
  readonly #received: JSONRPCMessage[] = [];
  #isDelivering = false;
  #isOver = false;
  readonly #gate = new FloodGate();

  constructor(command: ServerCommand) {
    this.#command = command;
  }

  async start(): Promise<void> {
    const { start, beforeStart } = this.#command;
    await beforeStart?.().catch((cause) => {
      throw new CannotConnect(`it is not started: ${describeThrown(cause)}`, { cause });
    });
    const server = await (start ? startElsewhere(start, this.#command) : ServerProcess.start(this.#command));
    this.#process = server;
    if (this.#isOver) return server.close();
    const { child } = server;
    child.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    // A server that has closed its output will never answer again, even if it lives.
    child.stdout.once("end", () => {
      this.ondying?.("it closed its standard output.");
      const timer = setTimeout(() => void this.#end("it closed its standard output."), CLOSED_MS);
      child.once("exit", () => clearTimeout(timer));
    });
    child.once("exit", () => {
      this.ondying?.(this.#explainExit(server));
      const end = async () => {
        while (this.#isDelivering) await breathe();
        await this.#end(this.#explainExit(server));
      };
      const timer = setTimeout(end, DRAIN_MS);
      // Both outputs are read to their end by then, also what it printed last on standard error.
      child.once("close", () => {
        clearTimeout(timer);
        end();
      });
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#process?.child.stdin;
    if (!stdin || this.#isOver || !stdin.writable) throw new Error("The server has ended.");
    if (stdin.writableLength > MAX_UNSENT_BYTES) throw new Error("The server does not read its input.");
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    await this.#end("it was closed.");
  }

  /** Lines that were not messages, for finding the reason of a failure. */
  get strayOutput(): { readonly lines: number; readonly sample: string } {
    return { lines: this.#lines.strayLines, sample: this.#lines.sample };
  }

  /** The server's last words on standard error, in a sentence; empty if there were none. */
  get lastWords(): string {
    const words = this.#process?.lastWords ?? "";
    return words === "" ? "" : ` It printed last on standard error: ${asSentence(words.slice(-300))}`;
  }

  #read(chunk: Buffer): void {
    if (this.#isOver) return;
    let messages: readonly JSONRPCMessage[];
    try {
      messages = this.#lines.push(chunk);
    } catch (error) {
      return void this.#end(`${(error as Error).message}; the connection was closed.`);
    }
    this.#received.push(...messages);
    if (!this.#isDelivering) void this.#deliver();
  }

  /**
   * One message after the other. The SDK takes a notification a moment later than a response: without a pause between them
   * the last progress of a call would come after its result, and be dropped.
   */
  async #deliver(): Promise<void> {
    this.#isDelivering = true;
    this.#process?.child.stdout.pause();
    let taken = 0;
    for (let next = this.#received.shift(); next && !this.#isOver; next = this.#received.shift()) {
      if ("method" in next && this.#gate.isFlooded()) {
        void this.#end(FLOODED);
        break;
      }
      this.onmessage?.(next);
      const [following] = this.#received;
      const isLate = "method" in next && following !== undefined && !("method" in following);
      if (isLate || ++taken % MESSAGES_PER_BREATH === 0) await breathe();
    }
    this.#isDelivering = false;
    this.#process?.child.stdout.resume();
  }

  #explainExit(server: ServerProgram): string {
    const { lines, sample } = this.strayOutput;
    const stray = lines === 0 ? "" : ` Its standard output began with ${asSentence(JSON.stringify(sample))}`;
    return `its process ended with ${server.howItEnded}.${this.lastWords || stray}`;
  }

  async #end(reason: string): Promise<void> {
    if (!this.#isOver) {
      this.#isOver = true;
      this.endedBecause = reason;
      this.onclose?.();
    }
    await this.#process?.close();
  }
}
