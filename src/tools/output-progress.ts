import { terminalText } from "./terminal-text.js";

/** At most one update in this time. */
const INTERVAL_MS = 100;
/** Of what arrived in between, at most the newest. */
const MAX_BYTES = 8 * 1024;

/** What a running command wrote since the last update: `omittedBytes` came before `output` and is not shown. */
export type OutputUpdate = { readonly output: string; readonly omittedBytes?: number };

/** Tells observers what a command writes, ten times a second at most and with bounded text. */
export class OutputProgress {
  #decoder = new TextDecoder();
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly report: (update: OutputUpdate) => void) {}

  write(chunk: Uint8Array): void {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#pendingBytes > 64 * MAX_BYTES) this.#pending = [Buffer.concat(this.#pending).subarray(-MAX_BYTES)];
    this.#timer ??= setTimeout(() => this.#flush(), INTERVAL_MS);
  }

  /** Reports what is left, and stops. */
  end(): void {
    if (this.#timer) this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const newest = Buffer.concat(this.#pending).subarray(-MAX_BYTES);
    const omittedBytes = this.#pendingBytes - newest.length;
    this.#pending = [];
    this.#pendingBytes = 0;
    const output = terminalText(this.#decoder.decode(newest, { stream: true }));
    this.report(omittedBytes > 0 ? { output, omittedBytes } : { output });
  }
}
