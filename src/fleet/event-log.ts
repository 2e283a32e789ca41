// The events of a run in the database. The attempt that owns the run numbers them on from the last one, under the row's lock:
// readers see them in order and without gaps.
import type { EngineEvent } from "../contracts/event.js";
import type { Database } from "../sessions/postgres/database.js";
import { wait } from "../time/wait.js";
import type { RunRows } from "./run-rows.js";

/** Deltas of one answer that come within it are kept as one event. */
const WRITE_EVERY_MS = 60;
const READ_AT_ONCE = 500;
const LOOK_EVERY_MS = 100;
const LOOK_AT_LEAST_EVERY_MS = 1_000;

/** Writes the events of one attempt. */
export class FleetEventWriter {
  #buffer: EngineEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(
    private readonly rows: RunRows,
    private readonly run: string,
    private readonly owner: string,
    private lastSeq: number,
    /** Called once, when the run is no longer this attempt's, or cannot be written. */
    private readonly onLost: (error?: unknown) => void,
  ) {}

  add(event: EngineEvent): void {
    if (this.#isOver) return;
    const last = this.#buffer.at(-1);
    const joined = last && joinedDelta(last, event);
    if (joined) this.#buffer[this.#buffer.length - 1] = joined;
    else this.#buffer.push(event);
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_EVERY_MS);
  }

  /** Resolves when everything added before is written, or the run is lost. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const events = this.#buffer;
    if (events.length === 0 || this.#isOver) return;
    this.#buffer = [];
    try {
      if (!(await this.#insert(events))) this.#lose();
      const asked = events.flatMap((event) => (event.type === "approval-requested" ? event.request : []));
      await this.rows.addQuestions(this.rows.database, this.run, asked);
    } catch (error) {
      this.#lose(error);
    }
  }

  #lose(error?: unknown): void {
    this.#isOver = true;
    this.onLost(error);
  }

  /** `false`: the run is not this attempt's any more. */
  async #insert(events: readonly EngineEvent[]): Promise<boolean> {
    const { database } = this.rows;
    const s = database.schema;
    const before = this.lastSeq;
    const after = before + events.length;
    const jsons = events.map((event) => JSON.stringify(event));
    const { rowCount } = await database.query(
      `WITH one AS (
         UPDATE ${s}.fleet_runs SET last_seq = $4, changed_at = clock_timestamp()
         WHERE id = $1 AND owner = $2 AND last_seq = $3 RETURNING id)
       INSERT INTO ${s}.fleet_events (run, seq, event)
       SELECT one.id, $3 + item.n, item.event FROM one, unnest($5::text[]) WITH ORDINALITY AS item (event, n)`,
      [this.run, this.owner, before, after, jsons],
    );
    this.lastSeq = after;
    if (rowCount === events.length) return true;
    // The statement may have been sent twice, and have met its own work.
    const { rows } = await database.query(`SELECT last_seq, owner FROM ${s}.fleet_runs WHERE id = $1`, [this.run]);
    return rows[0]?.owner === this.owner && Number(rows[0].last_seq) === after;
  }
}

function joinedDelta(last: EngineEvent, next: EngineEvent): EngineEvent | null {
  if (last.type !== next.type || last.runId !== next.runId || last.turn !== next.turn) return null;
  if (last.agentPath.join("/") !== next.agentPath.join("/")) return null;
  if (last.type === "text-delta" && next.type === "text-delta") return { ...next, text: last.text + next.text };
  if (last.type === "reasoning-delta" && next.type === "reasoning-delta")
    return { ...next, text: last.text + next.text };
  if (last.type !== "tool-input-delta" || next.type !== "tool-input-delta" || last.index !== next.index) return null;
  return { ...next, json: last.json + next.json };
}

export interface EventReading {
  /** The number of the last event the reader has. */
  readonly from: number;
  readonly signal: AbortSignal | undefined;
  /** Nothing will come any more. */
  readonly hasEnded: () => Promise<boolean>;
}

/** The events of a run from a position on, until it has ended. */
export async function* readEvents(
  database: Database,
  run: string,
  { from, signal, hasEnded }: EventReading,
): AsyncGenerator<EngineEvent> {
  const text = `SELECT seq, event FROM ${database.schema}.fleet_events WHERE run = $1 AND seq > $2 ORDER BY seq LIMIT ${READ_AT_ONCE}`;
  for (let last = from, pause = LOOK_EVERY_MS; !signal?.aborted; ) {
    // Asked before the events are read: what was written before the end is then there.
    const isLast = await hasEnded();
    const { rows } = await database.query(text, [run, last]);
    for (const { seq, event } of rows as { seq: string; event: string }[]) {
      if (signal?.aborted) return;
      last = Number(seq);
      yield { ...(JSON.parse(event) as EngineEvent), seq: last };
    }
    if (isLast && rows.length < READ_AT_ONCE) return;
    pause = rows.length > 0 ? LOOK_EVERY_MS : Math.min(pause * 1.3, LOOK_AT_LEAST_EVERY_MS);
    if (rows.length < READ_AT_ONCE) await wait(pause, signal);
  }
}
