import type { ToolError } from "../../contracts/errors.js";
import { Lane, type LaneAnswer, type LaneRequest, START_MS } from "./lane.js";
import type { Machine } from "./machine.js";

/** For the shell of a lane to be ended by another. Unit: milliseconds. */
const END_MS = 5_000;

interface OpenLane {
  readonly lane: Lane;
  /** The process id of its shell on the machine, where it is known. */
  readonly id: number | undefined;
}

/** The lanes of one workspace: each request goes to one that is free, and one that was lost is replaced. */
export class LanePool {
  readonly #free: OpenLane[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #open = new Set<OpenLane>();
  #count = 0;
  #closed: ToolError | undefined;
  /** Requests so far. */
  trips = 0;

  constructor(
    private readonly machine: Machine,
    private readonly most: number,
    /** Sent to each lane first. */
    private readonly functions: string,
  ) {}

  /** One round trip. @throws ToolError `TOOL_FAILED` when the machine does not answer */
  async ask(request: LaneRequest): Promise<LaneAnswer> {
    const open = await this.#take();
    this.trips++;
    try {
      return await open.lane.ask(request);
    } finally {
      this.#give(open);
    }
  }

  /** Has another lane end what the shell of a lane, which does not answer, waits for. */
  async #endShell(id: number): Promise<void> {
    const script = `kill -s KILL -- -${id} ${id} 2>/dev/null`;
    await this.ask({ script, maxBytes: 1_000, timeoutMs: END_MS }).catch(() => {});
  }

  async #take(): Promise<OpenLane> {
    for (;;) {
      if (this.#closed) throw this.#closed;
      const open = this.#free.pop();
      if (open) return open;
      if (this.#count < this.most) break;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#count++;
    try {
      const lane = await Lane.start(this.machine, this.trips > 0 ? START_MS : undefined);
      const request = { script: `${this.functions}\nprintf '%s' "$$"`, maxBytes: 1_000, timeoutMs: 60_000 };
      const id = Number(new TextDecoder().decode((await lane.ask(request)).bytes));
      const open = { lane, id: id > 1 ? id : undefined };
      this.#open.add(open);
      if (this.#closed) open.lane.close();
      return open;
    } catch (error) {
      this.#count--;
      this.#waiting.shift()?.();
      throw error;
    }
  }

  #give(open: OpenLane): void {
    if (open.lane.isOpen) this.#free.push(open);
    else {
      this.#count--;
      this.#open.delete(open);
      if (open.id !== undefined && !this.#closed) void this.#endShell(open.id);
    }
    this.#waiting.shift()?.();
  }

  /** Ends every lane; requests that wait or come later fail with `reason`. */
  close(reason: ToolError): void {
    this.#closed ??= reason;
    for (const { lane } of this.#open) lane.close();
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
