import { RunAbortedError } from "../../contracts/errors.js";
import type { RunStatus } from "../../contracts/run.js";
import type { Runtime } from "../../contracts/runtime.js";
import type { SubagentInfo, SubagentKind } from "../../contracts/subagent.js";
import type { UsageMeter } from "./usage-meter.js";

/** More sub-agents than anybody looks through; of a session that has more, the oldest that have ended are forgotten. */
const MAX_REMEMBERED = 2_000;

/** The part of a sub-agent's run that a roster knows. */
interface ListedRun extends Pick<Entry, "agentPath" | "meter"> {
  readonly transcriptId: string;
  readonly config: { readonly runtime: Pick<Runtime, "now"> };
  stop(status: RunStatus, error: RunAbortedError): void;
}

/** The record of a sub-agent: little, since there may be many. */
interface Entry {
  readonly id: string;
  readonly agentPath: readonly string[];
  readonly kind: SubagentKind;
  readonly startedAt: number;
  meter: UsageMeter;
  status: RunStatus | "running";
  /** While it runs. */
  stop: (() => void) | undefined;
}

/** The sub-agents of one session, for those who watch. */
export class Roster {
  readonly #entries = new Map<string, Entry>();

  /** A child that runs again, after a suspension, keeps its place. Returns what is called with how it ended. */
  add(run: ListedRun, kind: SubagentKind): (status: RunStatus) => void {
    const { transcriptId: id, agentPath, meter, config } = run;
    const startedAt = this.#entries.get(id)?.startedAt ?? config.runtime.now();
    const stop = () => run.stop("aborted", new RunAbortedError("the host stopped it"));
    const entry: Entry = { id, agentPath, kind, startedAt, meter, status: "running", stop };
    this.#entries.set(id, entry);
    if (this.#entries.size > MAX_REMEMBERED) this.#forgetOne();
    return (status) => {
      entry.status = status;
      entry.stop = undefined;
    };
  }

  /** Returns whether it was running. */
  stop(id: string): boolean {
    const { stop } = this.#entries.get(id) ?? {};
    stop?.();
    return stop !== undefined;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  list(): readonly SubagentInfo[] {
    return [...this.#entries.values()].map(({ id, agentPath, kind, startedAt, meter, status }) => {
      const { usage, costUsd } = meter;
      return { id, name: agentPath.at(-1)!, agentPath, kind, status, usage, costUsd, startedAt };
    });
  }

  #forgetOne(): void {
    for (const [id, { status }] of this.#entries) {
      if (status !== "running") return void this.#entries.delete(id);
    }
  }
}
