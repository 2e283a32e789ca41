// The operations on runs, for one tenant or for all: each row that is read or changed is of this scope.
import { randomUUID } from "node:crypto";
import type { Answer } from "../contracts/approval.js";
import type { ContentPart } from "../contracts/content.js";
import type { EngineEvent } from "../contracts/event.js";
import { optionError } from "../json/check-options.js";
import { strongDigest } from "../json/digest.js";
import { isStorable } from "../sessions/postgres/options.js";
import { clip } from "../text/cut.js";
import { wait } from "../time/wait.js";
import { attemptId } from "./attempt-queue.js";
import { readEvents } from "./event-log.js";
import { closedWhileWaiting, noSuchQuestion, noSuchRun, questionWithdrawn, sessionOfAnother } from "./fleet-errors.js";
import { checkAnswer, checkEventOptions, checkListOptions, checkPrompt, checkStartOptions } from "./fleet-options.js";
import { DEFAULT_QUEUE, type FleetParts } from "./fleet-parts.js";
import type {
  FleetEventOptions,
  FleetListOptions,
  FleetResult,
  FleetRun,
  FleetRunInfo,
  FleetStartOptions,
  TenantFleet,
} from "./fleet-types.js";
import { infoOf, OPEN, type RunRow, type TenantScope } from "./run-rows.js";

const DEFAULT_PRIORITY = 100;
const LOOK_EVERY_MS = 100;
const LOOK_AT_LEAST_EVERY_MS = 1_000;

export class FleetRuns implements TenantFleet {
  constructor(
    private readonly parts: FleetParts,
    private readonly scope: TenantScope,
  ) {}

  async start(prompt: string | readonly ContentPart[], options: FleetStartOptions = {}): Promise<FleetRun> {
    const { parts, scope } = this;
    checkPrompt(prompt);
    checkStartOptions(options, Object.keys(parts.queues));
    const { sessionId, key, queue = DEFAULT_QUEUE, priority = DEFAULT_PRIORITY, delayMs = 0, context } = options;
    const { tenant = scope } = options;
    if (scope !== undefined && tenant !== scope)
      throw optionError("fleet.start()", "tenant", tenant, `"${scope}", or nothing`);
    const id = key === undefined ? randomUUID() : `run-${strongDigest([tenant ?? null, key]).slice(0, 32)}`;
    const row = {
      id,
      tenant: tenant ?? null,
      session: sessionId ?? `fleet-${id}`,
      queue,
      priority,
      version: parts.version,
      input: JSON.stringify(prompt),
      context: context === undefined ? null : JSON.stringify(context),
      begun_after: null,
    };
    const { queue: attempts } = await parts.engine();
    const isNew = await parts.writing("The run could not be queued", () =>
      parts.database.transaction(async (client, { isRepeated }) => {
        if (!(await parts.rows.insert(client, row))) return isRepeated && key === undefined;
        const owner = await parts.rows.tenantOf(client, row.session, row.tenant);
        if (owner !== row.tenant) throw sessionOfAnother(row.session);
        await attempts.add(client, { ...row, attempt: 0 }, delayMs);
        return true;
      }),
    );
    const kept = isNew ? row : await parts.rows.find(id, scope);
    return this.#runOf(id, kept?.session ?? row.session, isNew);
  }

  async answer(answer: Answer): Promise<FleetRun> {
    const { parts, scope } = this;
    const question: unknown = Object(answer).id;
    if (typeof question !== "string") throw optionError("fleet.answer()", "id", question, "the id of a question");
    checkAnswer(answer);
    if (!isStorable(question)) throw noSuchQuestion(question);
    const { queue } = await parts.engine();
    return parts.writing("The answer could not be kept", () =>
      parts.database.transaction(async (client) => {
        for (const id of await parts.rows.askersOf(client, question, scope)) {
          const row = await parts.rows.take(client, id, scope);
          if (!row || !OPEN.includes(row.status)) continue;
          await parts.rows.keepAnswer(client, id, answer);
          if (row.status === "needs-approval") await queue.again(client, row);
          return this.#runOf(id, row.session, false);
        }
        const isWithdrawn = await parts.rows.isWithdrawn(client, question, scope);
        throw isWithdrawn ? questionWithdrawn(question) : noSuchQuestion(question);
      }),
    );
  }

  async cancel(id: string): Promise<boolean> {
    if (!isStorable(String(id))) return false;
    const { parts, scope } = this;
    const { dbos, queue } = await parts.engine();
    const row = await parts.writing("The run could not be cancelled", () =>
      parts.database.transaction(async (client) => {
        const found = await parts.rows.take(client, id, scope);
        if (!found || !OPEN.includes(found.status)) return undefined;
        await parts.rows.markCancelled(client, id);
        if (found.status !== "running") await queue.settle(client, found, CANCELLED);
        return found;
      }),
    );
    if (row?.status === "queued") await dbos.client.cancelWorkflow(attemptId(id, row.attempt)).catch(() => {});
    return row !== undefined;
  }

  async *events(id: string, options: FleetEventOptions = {}): AsyncGenerator<EngineEvent> {
    checkEventOptions(options);
    const { from = 0, signal } = options;
    const { closed, database } = this.parts;
    if (!(await this.#row(id))) throw noSuchRun(id);
    const signals = signal ? AbortSignal.any([signal, closed]) : closed;
    const hasEnded = async () => {
      const row = await this.#row(id);
      return !row || !OPEN.includes(row.status);
    };
    yield* readEvents(database, id, { from, signal: signals, hasEnded });
  }

  async find(id: string): Promise<FleetRun | undefined> {
    const row = await this.#row(id);
    return row && this.#runOf(id, row.session, false);
  }

  async list(options: FleetListOptions = {}): Promise<readonly FleetRunInfo[]> {
    checkListOptions(options);
    const { parts, scope } = this;
    const rows = await parts.reading("The runs could not be listed", () => parts.rows.list(options, scope));
    return rows.map(infoOf);
  }

  async delete(id: string): Promise<boolean> {
    const { parts } = this;
    const { dbos } = await parts.engine();
    const row = await this.#row(id);
    if (!row || OPEN.includes(row.status)) return false;
    await parts.writing("The run could not be deleted", () => parts.rows.delete(id));
    const attempts = Array.from({ length: row.attempt + 1 }, (_, n) => attemptId(id, n));
    await dbos.client.deleteWorkflows(attempts);
    return true;
  }

  #runOf(id: string, sessionId: string, isNew: boolean): FleetRun {
    const info = async () => {
      const row = await this.#row(id);
      if (!row) throw noSuchRun(id);
      return infoOf(row);
    };
    const result = () => this.#resultOf(info);
    const events = () => this.events(id);
    const cancel = () => this.cancel(id);
    return {
      id,
      sessionId,
      isNew,
      isShared: true,
      get result() {
        return result();
      },
      info,
      cancel,
      abort: () => void cancel().catch(() => {}),
      [Symbol.asyncIterator]: () => events()[Symbol.asyncIterator](),
    };
  }

  async #resultOf(info: () => Promise<FleetRunInfo>): Promise<FleetResult> {
    const { closed } = this.parts;
    for (let pause = LOOK_EVERY_MS; ; pause = Math.min(pause * 1.3, LOOK_AT_LEAST_EVERY_MS)) {
      const { result } = await info();
      if (result) return result;
      await wait(pause, closed);
      if (closed.aborted) throw closedWhileWaiting();
    }
  }

  async #row(id: string): Promise<RunRow | undefined> {
    if (!isStorable(String(id))) return undefined;
    const { parts, scope } = this;
    return parts.reading(`Run "${clip(String(id), 100)}" could not be read`, () => parts.rows.find(String(id), scope));
  }
}

const CANCELLED: FleetResult = {
  status: "cancelled",
  text: "",
  usage: { inputTokens: 0, outputTokens: 0 },
  costUsd: null,
  pending: [],
};
