// Tasks as rows. A change is one transaction: it locks the task's row, applies the rules to what the row holds then, and
// writes the row. Each row says which change wrote it, so that one whose answer was lost is not made twice.
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { Task } from "../../contracts/task.js";
import { taskNotFound, tasksCorrupt } from "../../tasks/task-errors.js";
import { TaskFeed } from "../../tasks/task-feed.js";
import { parseTask } from "../../tasks/task-file.js";
import type { TaskProblem, TaskShelf } from "../../tasks/task-shelf.js";
import { type Database, failingAs } from "./database.js";

/** The time after which the difference between this machine's clock and the server's is measured again. */
const CLOCK_FOR_MS = 60_000;
const LOOK_EVERY_MS = 300;
/** A change is seen when it is committed, which may be a while after the time it bears. */
const LOOK_BACK_MS = 5_000;

interface TaskRow {
  readonly id: string;
  readonly task: string;
  readonly changed_by: string;
  readonly revision: string;
}

/** The name of the change that is being made to each shelf. */
const CHANGE = new AsyncLocalStorage<ReadonlyMap<PostgresTaskShelf, string>>();

export class PostgresTaskShelf implements TaskShelf {
  readonly #table: string;
  readonly #seen = new Map<string, Task>();
  readonly #feed = new TaskFeed(() => this.#follow());
  #clockOffset = 0;
  #clockReadAt = Number.NEGATIVE_INFINITY;
  #lastId = 0;

  constructor(
    private readonly database: Database,
    private readonly tenant: string,
    private readonly list: string,
  ) {
    this.#table = `${database.schema}.tasks`;
  }

  /** The server's time, so that leases mean the same on every machine. */
  now(): number {
    return Math.round(Date.now() + this.#clockOffset);
  }

  find(id: string): Promise<Task | undefined> {
    return this.#reading(async () => {
      const row = await this.#rowOf(id);
      if (row) return this.#parse(row);
      this.#seen.delete(id);
      return undefined;
    });
  }

  readAll(): Promise<{ tasks: Task[]; problems: TaskProblem[] }> {
    return this.#reading(async () => {
      await this.#readClock();
      const { rows } = await this.database.query(
        `SELECT id, task, changed_by, revision FROM ${this.#table} WHERE tenant = $1 AND list = $2`,
        [this.tenant, this.list],
      );
      const read = (rows as TaskRow[]).map(({ id, task }) => ({ id, task: parseTask(task, id) }));
      const tasks = read.flatMap(({ task }) => (typeof task === "string" ? [] : task));
      const problems = read.flatMap(({ id, task }) =>
        typeof task === "string" ? { file: this.#nameOf(id), message: task } : [],
      );
      this.#seen.clear();
      for (const task of tasks) this.#seen.set(task.id, task);
      return { tasks, problems };
    });
  }

  lastSeen(): Iterable<Task> {
    return [...this.#seen.values()];
  }

  add(make: (id: string) => Task, id: string | undefined): Promise<Task | undefined> {
    return this.#writing(async () => {
      await this.#readClock();
      if (id !== undefined) return this.#insert(make(id));
      for (;;) {
        const added = await this.#insert(make(String(++this.#lastId)));
        if (added) return added;
        this.#lastId = Math.max(this.#lastId, await this.#highestNumber());
      }
    });
  }

  change(
    id: string,
    step: (task: Task) => Promise<Task | undefined> | Task | undefined,
    { isPatient = true }: { readonly isPatient?: boolean } = {},
  ): Promise<Task | undefined> {
    const name = CHANGE.getStore()?.get(this) ?? randomUUID();
    return this.#writing(async () => {
      await this.#readClock();
      const next = await this.database.transaction(async () => {
        const row = await this.#rowOf(id, isPatient ? "FOR UPDATE" : "FOR UPDATE SKIP LOCKED");
        if (!row && !isPatient) return undefined;
        if (!row) throw taskNotFound(id);
        const task = this.#parse(row);
        return row.changed_by === name ? task : this.#update(await step(task), name);
      });
      return next && this.#keep(next);
    });
  }

  changeGraph<T>(work: () => Promise<T>): Promise<T> {
    return CHANGE.run(new Map(CHANGE.getStore()).set(this, randomUUID()), () =>
      this.#writing(() =>
        this.database.transaction(async (client) => {
          const name = `loopwright.tasks/${this.tenant}/${this.list}`;
          await client.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [name]);
          return work();
        }),
      ),
    );
  }

  watch(signal: AbortSignal | undefined): AsyncIterable<Task> {
    return this.#feed.watch(signal);
  }

  async #insert(task: Task): Promise<Task | undefined> {
    const name = randomUUID();
    const { rowCount } = await this.database.query(
      `INSERT INTO ${this.#table} (tenant, list, id, task, changed_by, changed_at, revision)
       VALUES ($1, $2, $3, $4, $5, clock_timestamp(), nextval('${this.database.schema}.task_revisions'))
       ON CONFLICT DO NOTHING`,
      [this.tenant, this.list, task.id, textOf(task), name],
    );
    // The statement may have been sent twice, and have met its own row.
    const isMade = rowCount === 1 || (await this.#rowOf(task.id))?.changed_by === name;
    return isMade ? this.#keep(task) : undefined;
  }

  async #update(task: Task | undefined, name: string): Promise<Task | undefined> {
    if (!task) return undefined;
    await this.database.query(
      `UPDATE ${this.#table} SET task = $4, changed_by = $5, changed_at = clock_timestamp(),
         revision = nextval('${this.database.schema}.task_revisions')
       WHERE tenant = $1 AND list = $2 AND id = $3`,
      [this.tenant, this.list, task.id, textOf(task), name],
    );
    return task;
  }

  async #rowOf(id: string, lock = ""): Promise<TaskRow | undefined> {
    const { rows } = await this.database.query(
      `SELECT id, task, changed_by, revision FROM ${this.#table} WHERE tenant = $1 AND list = $2 AND id = $3 ${lock}`,
      [this.tenant, this.list, id],
    );
    return rows[0];
  }

  async #highestNumber(): Promise<number> {
    const { rows } = await this.database.query(
      `SELECT coalesce(max(id::bigint), 0) AS highest FROM ${this.#table}
       WHERE tenant = $1 AND list = $2 AND id ~ '^[1-9][0-9]{0,14}$'`,
      [this.tenant, this.list],
    );
    return Number(rows[0].highest);
  }

  #parse({ id, task }: TaskRow): Task {
    const parsed = parseTask(task, id);
    if (typeof parsed === "string") throw tasksCorrupt([{ file: this.#nameOf(id), message: parsed }]);
    this.#seen.set(id, parsed);
    return parsed;
  }

  #keep(task: Task): Task {
    this.#seen.set(task.id, task);
    this.#feed.publish(task);
    return task;
  }

  #nameOf(id: string): string {
    return `${this.#table} ${this.list}/${id}`;
  }

  async #readClock(): Promise<void> {
    if (performance.now() - this.#clockReadAt < CLOCK_FOR_MS) return;
    const before = Date.now();
    const { rows } = await this.database.query(`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now`);
    this.#clockOffset = Math.round(Number(rows[0].now) - (before + Date.now()) / 2);
    this.#clockReadAt = performance.now();
  }

  /** Looks for changes of others, every now and then, until nobody watches. */
  #follow(): () => void {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    let since = this.now();
    const known = new Map<string, string>();
    const look = async () => {
      try {
        since = await this.#publishSince(since, known);
      } catch {
        // A server that cannot be reached now is asked again.
      }
      if (!isOver) timer = setTimeout(look, LOOK_EVERY_MS).unref();
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }

  /** `known`: the revisions that were published, by task. Resolves with where to look from next. */
  async #publishSince(since: number, known: Map<string, string>): Promise<number> {
    await this.#readClock();
    const { rows } = await this.database.query(
      `SELECT id, task, changed_by, revision, extract(epoch FROM changed_at) * 1000 AS at FROM ${this.#table}
       WHERE tenant = $1 AND list = $2 AND changed_at > to_timestamp($3::double precision / 1000) ORDER BY revision`,
      [this.tenant, this.list, since],
    );
    for (const row of rows as (TaskRow & { readonly at: string })[]) {
      if (known.get(row.id) === row.revision) continue;
      known.set(row.id, row.revision);
      const task = parseTask(row.task, row.id);
      if (typeof task !== "string") this.#feed.publish(task);
    }
    const next = Math.max(since, this.now() - LOOK_BACK_MS);
    if (rows.length === 0) known.clear();
    return next;
  }

  #reading<T>(work: () => Promise<T>): Promise<T> {
    return failingAs("SESSION_READ", `The tasks of "${this.list}" could not be read`, work);
  }

  #writing<T>(work: () => Promise<T>): Promise<T> {
    return failingAs("SESSION_WRITE", `The tasks of "${this.list}" could not be changed`, work);
  }
}

function textOf(task: Task): string {
  return JSON.stringify({ v: 1, ...task });
}
