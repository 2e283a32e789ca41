import { terminalText } from "../../text/terminal-text.js";

/** At most one update in this time. */
const INTERVAL_MS = 100;
/** The newest output in between that is reported at most. */
const MAX_BYTES = 8 * 1024;

/**
 * The output of a running command since the last update: `omittedBytes` came before `output` and is not shown. A carriage return
 * before or behind it means what it means on a terminal: the line is written again.
 */
export type OutputUpdate = { readonly output: string; readonly omittedBytes?: number };

/** Shows observers what a command writes, ten times a second at most and with bounded text. */
export class OutputProgress {
  #decoder = new TextDecoder();
  /** The newest chunks, at least `MAX_BYTES` of them when there are that many. */
  #newest: Uint8Array[] = [];
  #newestBytes = 0;
  /** Since the last update. */
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly report: (update: OutputUpdate) => void) {}

  write(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#newest.push(chunk);
    this.#newestBytes += chunk.length;
    while (this.#newestBytes - this.#newest[0]!.length >= MAX_BYTES) this.#newestBytes -= this.#newest.shift()!.length;
    this.#timer ??= setTimeout(() => this.#flush(), INTERVAL_MS);
  }

  /** Reports what is left, and stops. */
  end(): void {
    if (this.#timer) this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const newest = Buffer.concat(this.#newest).subarray(-MAX_BYTES);
    const omittedBytes = this.#bytes - newest.length;
    this.#newest = [];
    this.#newestBytes = 0;
    this.#bytes = 0;
    const text = this.#decoder.decode(newest, { stream: true });
    const output = `${/^[^\n]*\r[^\r\n]/.test(text) ? "\r" : ""}${terminalText(text)}${text.endsWith("\r") ? "\r" : ""}`;
    this.report(omittedBytes > 0 ? { output, omittedBytes } : { output });
  }
}
