// One call of another agent: a message, and its task until it is over or asks something.
import type { AgentCard, Part, SendMessageRequest } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { wait } from "../../time/wait.js";
import type { A2aClientSdk } from "../a2a-sdk.js";
import { message } from "../message-parts.js";
import { type CallBounds, callFetch, isAllowed } from "./call-fetch.js";
import { RemoteTask } from "./remote-task.js";

const WELL_KNOWN = ".well-known/agent-card.json";
/** Attempts in a row to reach a task whose stream has broken off. */
const MAX_FAILURES = 5;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** The time for a cancellation, when the call itself has none left. */
const CANCEL_MS = 5_000;

/** A message's destination. */
export interface Destination {
  readonly contextId: string;
  /** The task that it is for; empty for a new one. */
  readonly taskId: string;
}

/** The card at an address: below its path, or else at its origin. */
export async function fetchCard(
  sdk: A2aClientSdk,
  url: string,
  bounds: CallBounds,
  signal: AbortSignal,
): Promise<AgentCard> {
  const tooMuch = () => new Error(`its card has more than ${bounds.maxBytes} bytes`);
  const send = callFetch(bounds, tooMuch);
  const fetchImpl: typeof fetch = (input, init) => send(input, { ...init, signal });
  const resolver = new sdk.DefaultAgentCardResolver({ fetchImpl, legacyCompat: { enabled: true } });
  const path = new URL(url).pathname.replace(/\/+$/, "");
  const paths = path.endsWith(".json") ? [path] : [...new Set([`${path}/${WELL_KNOWN}`, `/${WELL_KNOWN}`])];
  let failure: unknown;
  for (const each of paths) {
    try {
      const card = await resolver.resolve(bounds.origin, each);
      const { supportedInterfaces = [] } = card;
      const reachable = supportedInterfaces.filter((one) => isAllowed(bounds, one.url));
      if (reachable.length > 0) return { ...card, supportedInterfaces: reachable };
      const named = supportedInterfaces.map((one) => one.url).join(", ") || "none";
      throw new Error(`its card names no address at ${bounds.origin}: ${named}. Others need the option otherOrigins`);
    } catch (error) {
      failure ??= error;
      signal.throwIfAborted();
    }
  }
  throw failure;
}

export class RemoteCall {
  readonly task: RemoteTask;
  /** Whether the agent may have the message. */
  isSent = false;
  /** Set once the agent has sent too much: there is no use in coming back to it. */
  #exceeded: Error | undefined;
  readonly #streams: boolean;
  readonly #client: Promise<Client>;

  constructor(
    private readonly sdk: A2aClientSdk,
    card: AgentCard,
    private readonly bounds: CallBounds,
    private readonly signal: AbortSignal,
    private readonly onChange: (task: RemoteTask) => void,
  ) {
    this.task = new RemoteTask(sdk);
    const options = { fetchImpl: callFetch(bounds, () => this.#exceed()), legacyCompat: { enabled: true } };
    const transports = [new sdk.JsonRpcTransportFactory(options), new sdk.RestTransportFactory(options)];
    this.#client = new sdk.ClientFactory({ transports }).createFromAgentCard(card);
    this.#client.catch(() => {});
    this.#streams = card.capabilities?.streaming === true;
  }

  /** Resolves once the task is over, or waits. A stream that breaks off is taken up again. */
  async send(parts: Part[], { contextId, taskId }: Destination): Promise<void> {
    const client = await this.#client;
    const sent = message({ messageId: crypto.randomUUID(), contextId, taskId }, this.sdk.Role.ROLE_USER, parts);
    // Without streams an agent that works says nothing, as one that is gone: it is asked again and again instead.
    const returnImmediately = !this.#streams && taskId === "";
    const configuration = { returnImmediately, acceptedOutputModes: [], taskPushNotificationConfig: undefined };
    const request: SendMessageRequest = { tenant: "", message: sent, configuration, metadata: undefined };
    this.task.id = taskId;
    this.isSent = true;
    try {
      await this.#read(client.sendMessageStream(request, { signal: this.signal }));
    } catch (error) {
      this.signal.throwIfAborted();
      if (this.#exceeded) throw this.#exceeded;
      // Without a task there is nothing to come back to; the same for a refusal, which ends no task.
      if (this.task.id === "" || this.task.id === taskId) throw error;
    }
    for (let failures = 0, rounds = 0; this.task.state === "working"; rounds++) {
      if (this.task.id === "") throw new Error("it ended its answer without a task or a message");
      await wait(Math.min(FIRST_WAIT_MS * 2 ** rounds, LONGEST_WAIT_MS), this.signal);
      this.signal.throwIfAborted();
      const failure = await this.#comeBack(client);
      if (this.#exceeded) throw this.#exceeded;
      failures = failure === undefined ? 0 : failures + 1;
      if (failures >= MAX_FAILURES) throw failure;
    }
  }

  /** Asks the agent to stop; the call's own time may be over. */
  async cancel(): Promise<void> {
    if (this.task.id === "") return;
    const client = await this.#client;
    await client.cancelTask(
      { tenant: "", id: this.task.id, metadata: undefined },
      { signal: AbortSignal.timeout(CANCEL_MS) },
    );
  }

  #exceed(): Error {
    this.#exceeded = new Error(`it sent more than ${this.bounds.maxBytes} bytes`);
    return this.#exceeded;
  }

  async #read(updates: AsyncIterable<Parameters<RemoteTask["add"]>[0]>): Promise<void> {
    for await (const update of updates) {
      this.task.add(update);
      const { state } = this.task;
      if (update.payload?.$case !== "artifactUpdate") this.onChange(this.task);
      // A stream need not end with what it waits for; a task that is repeated may not be up to date.
      if (state !== "working" && update.payload?.$case === "statusUpdate") return;
      if (this.task.bytes > this.bounds.maxBytes) throw this.#exceed();
    }
  }

  /** The rest of the stream, or the task as it is; what both attempts failed with, if they did. */
  async #comeBack(client: Client): Promise<unknown> {
    const { id } = this.task;
    const options = { signal: this.signal };
    try {
      if (this.#streams) return await this.#read(client.resubscribeTask({ tenant: "", id }, options));
    } catch {
      // A task that is over cannot be subscribed to.
    }
    try {
      const value = await client.getTask({ tenant: "", id }, options);
      this.task.add({ payload: { $case: "task", value } });
      return undefined;
    } catch (error) {
      return error;
    }
  }
}
