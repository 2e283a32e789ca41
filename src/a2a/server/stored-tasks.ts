// The tasks of a user, found by their ids and listed: in the sessions of the user, and nowhere else.
import type { ListTasksRequest, ListTasksResponse, Task } from "@a2a-js/sdk";
import { isHarnessError } from "../../contracts/errors.js";
import type { SessionEntry } from "../../contracts/session.js";
import type { EngineParts } from "../../engine/engine-parts.js";
import type { RunHub } from "../../http/hub/hub-types.js";
import { badRequest } from "../../http/requests/request-body.js";
import type { A2aServerSdk } from "../a2a-sdk.js";
import { type SessionTask, tasksOfSession } from "./session-tasks.js";
import { isContextId, readTaskId, sessionPrefix, type TaskAddress, type UserId } from "./task-address.js";

/** Sessions of a user that a list is made of, the newest. */
const MAX_LISTED_SESSIONS = 1_000;
const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;

export class StoredTasks {
  /** By run: the tasks at work here, for as long as the session may not have them yet. */
  readonly #begun = new Map<string, SessionTask>();

  constructor(
    private readonly sdk: A2aServerSdk,
    private readonly hub: RunHub,
    private readonly config: EngineParts["config"],
  ) {}

  /** A task that a run has begun to work for, until `over`. */
  begin(runId: string, address: TaskAddress, task: Task, over: Promise<unknown>): void {
    this.#begun.set(runId, { address, task, pending: [], isRunning: true, isWaiting: false });
    void over.then(() => this.#begun.delete(runId));
  }

  /** @throws TaskNotFoundError of the SDK, the same for a task of another user as for one that never was */
  async find(user: UserId, id: string): Promise<SessionTask> {
    const address = readTaskId(user, id);
    if (!address) throw new this.sdk.TaskNotFoundError();
    return this.get(address);
  }

  /** @throws TaskNotFoundError of the SDK */
  async get({ id, contextId, sessionId }: TaskAddress): Promise<SessionTask> {
    const tasks = await this.#tasksOf(contextId, sessionId);
    const found = tasks.find(({ task }) => task.id === id);
    if (!found) throw new this.sdk.TaskNotFoundError();
    return found;
  }

  /** Newest first. */
  async list(user: UserId, request: ListTasksRequest): Promise<ListTasksResponse> {
    const { contextId, status, pageToken, historyLength, includeArtifacts } = request;
    const pageSize = request.pageSize ?? DEFAULT_PAGE;
    if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE)
      throw badRequest(`The page size is not a number from 1 to ${MAX_PAGE}.`, "pageSize");
    const after = request.statusTimestampAfter ? Date.parse(request.statusTimestampAfter) : Number.NEGATIVE_INFINITY;
    if (Number.isNaN(after)) throw badRequest("statusTimestampAfter is not a time.", "statusTimestampAfter");
    const prefix = sessionPrefix(user);
    const contexts = contextId ? [contextId] : await this.#contextsOf(prefix);
    const found: Task[] = [];
    for (const each of contexts.filter(isContextId))
      found.push(...(await this.#tasksOf(each, prefix + each)).map(({ task }) => task));
    const wanted = found
      .filter((task) => (status ? task.status?.state === status : true) && timeOf(task) >= after)
      .sort((a, b) => timeOf(b) - timeOf(a) || (a.id < b.id ? 1 : -1));
    const start = pageToken ? wanted.findIndex(({ id }) => id === pageToken) + 1 : 0;
    if (pageToken && start === 0) throw badRequest("The page token is not one of this list.", "pageToken");
    const page = wanted.slice(start, start + pageSize);
    return {
      tasks: page.map((task) => ({
        ...this.withHistory(task, historyLength),
        artifacts: includeArtifacts ? task.artifacts : [],
      })),
      nextPageToken: start + pageSize < wanted.length ? page.at(-1)!.id : "",
      pageSize,
      totalSize: wanted.length,
    };
  }

  /** The task with the newest messages of its history; all of them for no length. */
  withHistory(task: Task, length: number | undefined): Task {
    if (length === undefined) return task;
    if (!Number.isInteger(length) || length < 0)
      throw badRequest("historyLength is not a number of messages.", "historyLength");
    return { ...task, history: length === 0 ? [] : task.history.slice(-length) };
  }

  async #contextsOf(prefix: string): Promise<string[]> {
    const contexts: string[] = [];
    for await (const { id } of this.config.store.list({ prefix, limit: MAX_LISTED_SESSIONS }))
      contexts.push(id.slice(prefix.length));
    return contexts;
  }

  async #tasksOf(contextId: string, sessionId: string): Promise<SessionTask[]> {
    const runningId = this.hub.findRunning(sessionId)?.id;
    const entries: SessionEntry[] = [];
    for await (const entry of this.config.store.read(sessionId)) entries.push(entry);
    const isOpen = runningId === undefined && entries.length > 0 && entries.at(-1)!.type !== "run-end";
    const isBusy = isOpen && (await this.#isLocked(sessionId));
    const isStructured = this.config.output !== null;
    const tasks = tasksOfSession(this.sdk, entries, { contextId, sessionId, runningId, isBusy, isStructured });
    const begun = runningId === undefined ? undefined : this.#begun.get(runningId);
    if (!begun || entries.some(({ runId }) => runId === runningId)) return tasks;
    return [...tasks.filter(({ task }) => task.id !== begun.task.id), begun];
  }

  async #isLocked(sessionId: string): Promise<boolean> {
    try {
      const release = await this.config.store.lock(sessionId);
      await release();
      return false;
    } catch (error) {
      if (isHarnessError(error, "SESSION_BUSY")) return true;
      throw error;
    }
  }
}

function timeOf(task: Task): number {
  return Date.parse(task.status?.timestamp ?? "");
}
