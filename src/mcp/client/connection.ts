// A server for as long as the host wants it: connected, and connected again. Its tools stay listed while it is away.
//
// One loop owns the session: it opens a link, waits for its end, and opens the next. Everything else reads what is there.
import type { JsonObject } from "../../contracts/json.js";
import type { BaseTool } from "../../contracts/tool.js";
import { type ClientSdk, loadClientSdk } from "../mcp-sdk.js";
import { type Backoff, type ReconnectOptions, startBackoff } from "./backoff.js";
import type { HostAnswers } from "./host-answers.js";
import { listTools } from "./listing.js";
import { isFinal, mcpDisconnected, mcpFailed, reasonOf } from "./mcp-errors.js";
import { OpenCalls } from "./open-calls.js";
import { RefreshTimer } from "./refresh-timer.js";
import { type CallTarget, callDirectly } from "./remote-call.js";
import type { ToolHost } from "./remote-tool.js";
import { resourceUris } from "./resource-tools.js";
import { type Link, openLink, type ServerTarget } from "./server-session.js";
import { type DefinitionMemory, Toolbox } from "./toolbox.js";

/**
 * `connecting`: for the first time. `disconnected`: it was there, or an attempt failed, and another one follows. `failed`:
 * no further attempt is made until a tool is called. `closed`: for good.
 */
export type McpStatus = "connecting" | "connected" | "disconnected" | "failed" | "closed";

/** A server that tools come from. */
export interface McpConnection {
  readonly name: string;
  readonly status: McpStatus;
  /**
   * The server's tools, by name; the same array until they change. They stay while the server is away, and calls then
   * fail with `MCP_DISCONNECTED`.
   */
  tools(): readonly BaseTool[];
  /** Resolves when the server is connected and its tools are listed; rejects when the first attempt has failed. */
  readonly ready: Promise<void>;
  /** The server's instructions for its use, in its own words. */
  readonly instructions: string | undefined;
  /** The reason why it is not connected, and what of its list could not be used. */
  readonly problems: readonly string[];
  /**
   * Calls a tool by the server's own name for it, on the host's account: no gate, no hooks. Resolves with the text of the result.
   *
   * @throws ToolError when the call fails, with what the server says
   */
  call(tool: string, input: JsonObject, options?: { readonly signal?: AbortSignal | undefined }): Promise<string>;
  /** The addresses of its resources, at most 200; `[]` where it has not got any. Rejects as `call` does. */
  resources(options?: { readonly signal?: AbortSignal | undefined }): Promise<readonly string[]>;
  /** Ends the connection. Resolves when no process of the server is left. */
  close(): Promise<void>;
  /** Calls `listener` after each change of the list. Returns what takes this back. A listener that throws is ignored. */
  on(event: "tools-changed", listener: (tools: readonly BaseTool[]) => void): () => void;
  /** The same for the status. */
  on(event: "status", listener: (status: McpStatus) => void): () => void;
  /** The same for a listener that only wants to know when. */
  on(event: "tools-changed" | "status", listener: () => void): () => void;
}

export interface ServerConnectionOptions extends HostAnswers {
  readonly timeoutMs: number;
  readonly maxCallMs: number;
  readonly reconnect: ReconnectOptions | null;
  readonly definitions?: DefinitionMemory | undefined;
}

/** Unit: milliseconds. */
const SLACK_MS = 1_000;

type Event = "tools-changed" | "status";
type Listener = (now: never) => void;

export class ServerConnection implements McpConnection, ToolHost {
  readonly name: string;
  readonly ready: Promise<void>;
  readonly toolTimeoutMs: number | null;
  readonly #server: ServerTarget;
  readonly #options: ServerConnectionOptions;
  readonly #calls = new OpenCalls();
  readonly #toolbox: Toolbox;
  readonly #listeners: Record<Event, Set<Listener>> = { "tools-changed": new Set(), status: new Set() };
  readonly #stop = new AbortController();
  readonly #refresh = new RefreshTimer(() => this.#reload());
  readonly #backoff: Backoff;
  #status: McpStatus = "connecting";
  #reason = "it is still being connected.";
  #sdk: ClientSdk | undefined;
  #link: Link | undefined;
  #instructions: string | undefined;
  #loop: Promise<void>;
  #listProblems: readonly string[] = [];
  /** The calls that wait for the next session. */
  readonly #waiting = new Set<{ resolve(): void; reject(error: unknown): void }>();
  #isLooping = false;
  /** Forgotten sessions in which calls are still open. */
  #forgotten: Promise<unknown> = Promise.resolve();

  constructor(server: ServerTarget, options: ServerConnectionOptions) {
    this.name = server.name;
    this.#server = server;
    this.#options = options;
    this.#backoff = startBackoff(options.reconnect, this.#stop.signal);
    this.#toolbox = new Toolbox(this, options.definitions);
    // The time of a call is kept here, and the engine's clock comes later: unless the host gives its tools less. Where a person
    // or a model may be asked in the middle of a call, that clock would go on meanwhile.
    this.toolTimeoutMs = options.elicit || options.sample ? null : options.maxCallMs + SLACK_MS;
    this.ready = this.#nextSession();
    this.ready.catch(() => undefined);
    this.#loop = this.#stayConnected();
  }

  get server(): string {
    return this.name;
  }

  get status(): McpStatus {
    return this.#status;
  }

  get instructions(): string | undefined {
    return this.#instructions;
  }

  get problems(): readonly string[] {
    const { saveProblem } = this.#toolbox;
    const own = saveProblem === undefined ? this.#listProblems : [...this.#listProblems, saveProblem];
    return this.#status === "connected" ? own : [this.#reason, ...own];
  }

  tools(): readonly BaseTool[] {
    return this.#toolbox.tools;
  }

  on(event: Event, listener: Listener): () => void {
    this.#listeners[event].add(listener);
    return () => this.#listeners[event].delete(listener);
  }

  async call(tool: string, input: JsonObject, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<string> {
    return callDirectly(this.target(), tool, input, signal ?? new AbortController().signal);
  }

  async resources({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<readonly string[]> {
    return resourceUris(this.target(), signal ?? new AbortController().signal);
  }

  async close(): Promise<void> {
    if (this.#status !== "closed") {
      this.#reason = "it was closed.";
      this.#refresh.stop();
      this.#stop.abort();
      this.#settle(mcpDisconnected(this.name, this.#reason));
      this.#setStatus("closed");
    }
    await Promise.all([this.#link?.close(), this.#loop, this.#forgotten]);
    await this.#toolbox.saved();
  }

  target(): CallTarget {
    if (this.#link && this.#sdk && this.#status === "connected") {
      const renew: CallTarget["renew"] = (forgotten) => this.#renew(forgotten);
      const isComingBack = () => this.#status === "disconnected";
      const own = { server: this.name, calls: this.#calls, limits: this.#options };
      return { ...own, sdk: this.#sdk, link: this.#link, renew, isComingBack };
    }
    if (this.#status === "closed") throw mcpDisconnected(this.name, this.#reason);
    if (this.#status === "failed") {
      this.#backoff.reset();
      this.#setStatus("disconnected");
      if (!this.#isLooping) this.#loop = this.#stayConnected();
    }
    throw mcpDisconnected(this.name, `${this.#reason} It is being connected; try again in a moment.`);
  }

  async #renew(forgotten: Link): Promise<Link> {
    const isNext = this.#status !== "closed" && (this.#link === undefined || this.#link === forgotten);
    const next = isNext && this.#nextSession();
    forgotten.forget();
    await next;
    return this.target().link;
  }

  /** Resolves when the next session is open; rejects when the next attempt has failed. */
  #nextSession(): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.add({ resolve, reject }));
  }

  #settle(error?: unknown): void {
    for (const { resolve, reject } of this.#waiting) error === undefined ? resolve() : reject(error);
    this.#waiting.clear();
  }

  changeOf: ToolHost["changeOf"] = (tool) => this.#toolbox.changeOf(tool);
  accept: ToolHost["accept"] = (tool) => this.#toolbox.accept(tool);

  async #stayConnected(): Promise<void> {
    this.#isLooping = true;
    while (!this.#stop.signal.aborted && (await this.#tryOnce())) await this.#backoff.wait();
  }

  /** One session, or one attempt to open it. Resolves with whether another one follows, after a while. */
  async #tryOnce(): Promise<boolean> {
    const { signal } = this.#stop;
    try {
      while (!signal.aborted && (await this.#session(signal)) === "forgotten");
    } catch (error) {
      if (signal.aborted) return false;
      this.#reason = reasonOf(error);
      this.#settle(error);
      this.#setStatus(this.#mayTryAgain && !isFinal(error) ? "disconnected" : "failed");
    }
    this.#isLooping = this.#status === "disconnected";
    return this.#isLooping;
  }

  get #mayTryAgain(): boolean {
    return this.#options.reconnect !== null && !this.#backoff.isExhausted;
  }

  /** One session, from its start to its end. Resolves with how it ended. */
  async #session(signal: AbortSignal): Promise<"ended" | "forgotten"> {
    this.#sdk ??= await loadClientSdk();
    const { timeoutMs, elicit, sample, suspends } = this.#options;
    const link = await openLink(this.#sdk, this.#server, {
      timeoutMs,
      answers: { elicit, sample, suspends },
      calls: this.#calls,
      signal,
      onListChanged: () => this.#refresh.request(),
      onUsable: (changed, whyNot) => {
        if (this.#link === changed && !signal.aborted) this.#setUsable(changed, whyNot);
      },
    });
    try {
      await this.#loadTools(link).catch((error) => this.#throwNotListed(link.endedBecause ?? reasonOf(error), error));
      // Everything that it had printed before its end was read.
      if (!link.isUsable) this.#throwNotListed(await link.ended);
      if (signal.aborted) return "ended";
      this.#link = link;
      this.#instructions = link.instructions;
      const startedAt = performance.now();
      this.#setStatus("connected");
      this.#settle();
      await link.ended;
      this.#backoff.lasted(performance.now() - startedAt);
      return link.isForgotten ? "forgotten" : "ended";
    } finally {
      this.#link = undefined;
      const closed = link.close();
      if (link.isForgotten) this.#forgotten = Promise.all([this.#forgotten, closed]);
      else await closed;
    }
  }

  #throwNotListed(why: string, cause?: unknown): never {
    throw mcpFailed(this.name, `was connected, but did not list its tools: ${why}`, cause);
  }

  /** A server that is about to be gone may take a while, and so may its processes: it is not called meanwhile. */
  #setUsable({ isForgotten }: Link, whyNot: string | undefined): void {
    this.#reason = whyNot ?? this.#reason;
    const isUp = this.#status === "connected";
    if (whyNot === undefined) this.#setStatus("connected");
    else if (isUp) this.#setStatus(this.#mayTryAgain || isForgotten ? "disconnected" : "failed");
  }

  async #reload(): Promise<void> {
    const link = this.#link;
    if (!link) return;
    try {
      await this.#loadTools(link);
    } catch (error) {
      this.#listProblems = [`its list could not be read again: ${reasonOf(error)}`];
      link.check();
    }
  }

  async #loadTools(link: Link): Promise<void> {
    const { signal } = this.#stop;
    const { tools, problems } = await listTools(link.client, { timeout: this.#options.timeoutMs, signal });
    const isChanged = await this.#toolbox.update(tools, link);
    this.#listProblems = problems;
    if (isChanged) this.#emit("tools-changed");
  }

  #setStatus(status: McpStatus): void {
    if (this.#status === status || this.#status === "closed") return;
    this.#status = status;
    this.#emit("status");
  }

  #emit(event: Event): void {
    for (const listener of [...this.#listeners[event]]) {
      try {
        listener((event === "status" ? this.#status : this.tools()) as never);
      } catch {
        // Promised: a listener cannot harm the connection.
      }
    }
  }
}
