// The handler behind the SDK's transports, on a hub: a task is a run of it, and the runs that went on with that one.
import type {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from "@a2a-js/sdk";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import type { HubRun, RunHub } from "../../http/hub/hub-types.js";
import { badRequest } from "../../http/requests/request-body.js";
import { isEngineEvent } from "../../http/run-source.js";
import { followSignal } from "../../time/follow-signal.js";
import type { A2aServerSdk } from "../a2a-sdk.js";
import type { A2aRunOptions } from "./a2a-caller.js";
import { type Caller, callerOf } from "./call-state.js";
import { promptOfMessage } from "./prompt.js";
import { answersOf, textOfParts } from "./questions.js";
import type { SessionTask } from "./session-tasks.js";
import type { StoredTasks } from "./stored-tasks.js";
import { CONTEXT_ID_RULE, isContextId, type TaskAddress, taskAddress } from "./task-address.js";
import { TaskUpdates } from "./task-updates.js";

export type Card = Awaited<ReturnType<A2ARequestHandler["getAgentCard"]>>;

/** A run that works for a task. */
interface Work {
  readonly address: TaskAddress;
  readonly runId: string;
  /** The task as it is when the run begins. */
  readonly task: Task;
  /** The run's. It is waited for at the end alone: a promise keeps all who wait for it. */
  readonly result: Promise<unknown> | undefined;
}

export interface TaskHandlerOptions {
  readonly sdk: A2aServerSdk;
  readonly hub: RunHub;
  readonly tasks: StoredTasks;
  readonly card: Card;
  optionsFor(caller: Caller, contextId: string): Promise<A2aRunOptions>;
  /** The part of an error that a client may learn, as one of the SDK's. */
  explain(error: unknown): Error;
}

export class TaskHandler implements A2ARequestHandler {
  constructor(private readonly options: TaskHandlerOptions) {}

  async getAgentCard(): Promise<Card> {
    return this.options.card;
  }

  sendMessage(request: SendMessageRequest, context: ServerCallContext): Promise<Task> {
    return this.#explained(async () => {
      const { tasks } = this.options;
      const { address, task, result } = await this.#begin(request, callerOf(context));
      const { returnImmediately = false, historyLength } = request.configuration ?? {};
      if (returnImmediately) return tasks.withHistory(task, historyLength);
      await settled(result);
      return tasks.withHistory((await tasks.get(address)).task, historyLength);
    });
  }

  async *sendMessageStream(request: SendMessageRequest, context: ServerCallContext): AsyncGenerator<StreamResponse> {
    const caller = callerOf(context);
    yield* this.#follow(await this.#explained(() => this.#begin(request, caller)), caller);
  }

  async *resubscribe({ id }: SubscribeToTaskRequest, context: ServerCallContext): AsyncGenerator<StreamResponse> {
    const caller = callerOf(context);
    const { address, task, isRunning } = await this.#explained(() => this.options.tasks.find(caller.user, id));
    const running = isRunning ? this.options.hub.findRunning(address.sessionId) : undefined;
    if (!running) yield snapshot(task);
    else yield* this.#follow({ address, task, runId: running.id, result: running.result }, caller);
  }

  getTask({ id, historyLength }: GetTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.#explained(async () => {
      const { tasks } = this.options;
      return tasks.withHistory((await tasks.find(callerOf(context).user, id)).task, historyLength);
    });
  }

  listTasks(request: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    return this.#explained(() => this.options.tasks.list(callerOf(context).user, request));
  }

  cancelTask({ id }: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.#explained(async () => {
      const { sdk, hub, tasks } = this.options;
      const { address, isRunning, isWaiting } = await tasks.find(callerOf(context).user, id);
      const running = isRunning ? hub.findRunning(address.sessionId) : undefined;
      if (running) {
        running.abort?.("The task was canceled.");
        await settled(running.result);
      } else if (isWaiting) {
        const signal = AbortSignal.abort("The task was canceled.");
        await settled((await hub.answer([], { sessionId: address.sessionId, signal })).result);
      } else throw new sdk.TaskNotCancelableError();
      return (await tasks.get(address)).task;
    });
  }

  async getAuthenticatedExtendedAgentCard(): Promise<never> {
    throw new this.options.sdk.UnsupportedOperationError("There is no other card than the public one.");
  }

  createTaskPushNotificationConfig = () => this.#noPush();
  getTaskPushNotificationConfig = () => this.#noPush();
  listTaskPushNotificationConfigs = () => this.#noPush();
  deleteTaskPushNotificationConfig = () => this.#noPush();

  async #noPush(): Promise<never> {
    throw new this.options.sdk.PushNotificationNotSupportedError();
  }

  /** Starts what a message asks for, or brings it to the task it is for. */
  async #begin({ message, configuration }: SendMessageRequest, caller: Caller): Promise<Work> {
    const { hub, tasks } = this.options;
    if (!message) throw badRequest("The request has no message.", "message");
    if (configuration?.taskPushNotificationConfig) return this.#noPush();
    if (message.taskId !== "") return this.#goOn(await tasks.find(caller.user, message.taskId), message, caller);
    const contextId = message.contextId || crypto.randomUUID();
    if (!isContextId(contextId)) throw badRequest(`The context's id is not ${CONTEXT_ID_RULE}.`, "contextId");
    const prompt = promptOfMessage(message);
    const { sessionId } = taskAddress(caller.user, contextId, "");
    const run = hub.start(prompt, { ...(await this.options.optionsFor(caller, contextId)), sessionId });
    await run.started;
    const address = taskAddress(caller.user, contextId, run.id);
    const sent = { ...message, contextId, taskId: address.id };
    return this.#working(address, run, { artifacts: [], history: [sent] });
  }

  async #goOn({ address, task, pending, isRunning, isWaiting }: SessionTask, message: Message, caller: Caller) {
    const { sdk, hub } = this.options;
    const { contextId, sessionId } = address;
    if (message.contextId !== "" && message.contextId !== contextId)
      throw badRequest("The message names another context than that of its task.", "contextId");
    const running = isRunning ? hub.findRunning(sessionId) : undefined;
    if (running) {
      const text = textOfParts(message);
      if (text === "") throw badRequest("A task at work takes text alone. Send a text part.", "parts");
      if (hub.steer(running.id, text)) return { address, task, runId: running.id, result: running.result };
    }
    if (!isWaiting)
      throw new sdk.UnsupportedOperationError("The task takes no more messages. Send one without its id.");
    const answers = pending.length > 0 ? answersOf(message, pending, caller.user) : [];
    const run = await hub.answer(answers, { ...(await this.options.optionsFor(caller, contextId)), sessionId });
    if (pending.length === 0 && textOfParts(message) !== "") run.steer(textOfParts(message));
    return this.#working(address, run, task);
  }

  #working(address: TaskAddress, run: HubRun, { artifacts, history }: Pick<Task, "artifacts" | "history">): Work {
    const { sdk, tasks } = this.options;
    const { id, contextId } = address;
    const status = { state: sdk.TaskState.TASK_STATE_WORKING, message: undefined, timestamp: new Date().toISOString() };
    const task: Task = { id, contextId, status, artifacts, history, metadata: undefined };
    tasks.begin(run.id, address, task, settled(run.result));
    return { address, task, runId: run.id, result: run.result };
  }

  /** A task and what becomes of it until its run is over: from the run's beginning, each thing once. */
  async *#follow({ address, runId, task, result }: Work, { left }: Caller): AsyncGenerator<StreamResponse> {
    const { hub, tasks } = this.options;
    yield snapshot(task);
    let updates = new TaskUpdates(address, namesOf(task));
    const events = hub.subscribe(runId, 0, { sessionId: address.sessionId })[Symbol.asyncIterator]();
    const unfollow = followSignal(left, () => void events.return?.());
    try {
      for (let step = await events.next(); !step.done; step = await events.next()) {
        const event = step.value;
        if (isEngineEvent(event)) yield* updates.read(event);
        else if (event.type === "session") {
          // The client was too slow for the log: it gets the task as it is, and the answer when it is whole.
          const { task } = await tasks.get(address);
          updates = new TaskUpdates(address, namesOf(task));
          yield snapshot(task);
        }
      }
      if (left.aborted) return;
      await settled(result);
      yield* updates.finish((await tasks.get(address)).task);
    } catch (error) {
      throw this.options.explain(error);
    } finally {
      unfollow();
      await events.return?.();
    }
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.options.explain(error);
    }
  }
}

function snapshot(value: Task): StreamResponse {
  return { payload: { $case: "task", value } };
}

function namesOf({ artifacts }: Task): ReadonlySet<string> {
  return new Set(artifacts.map(({ artifactId }) => artifactId));
}

async function settled(result: Promise<unknown> | undefined): Promise<void> {
  await result?.catch(() => {});
}
