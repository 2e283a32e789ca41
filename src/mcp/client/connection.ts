// A server for as long as the host wants it: connected, and connected again. Its tools stay listed while it is away.
//
// One loop owns the session: it opens a link, waits for its end, and opens the next. Everything else reads what is there.
import { ToolError } from "../../contracts/errors.js";
import type { JsonObject } from "../../contracts/json.js";
import type { BaseTool } from "../../contracts/tool.js";
import { isWithinValues } from "../../json/walk.js";
import { type Backoff, type ReconnectOptions, startBackoff } from "./backoff.js";
import type { HostAnswers } from "./host-answers.js";
import { listTools } from "./listing.js";
import { isFinal, mcpDisconnected, mcpFailed, reasonOf } from "./mcp-errors.js";
import { type ClientSdk, loadClientSdk } from "./mcp-sdk.js";
import { OpenCalls } from "./open-calls.js";
import { RefreshTimer } from "./refresh-timer.js";
import { type CallTarget, callDirectly } from "./remote-call.js";
import type { ToolHost } from "./remote-tool.js";
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
  /** How the server wants to be used, in its own words. */
  readonly instructions: string | undefined;
  /** Why it is not connected, and what of its list could not be used. */
  readonly problems: readonly string[];
  /**
   * Calls a tool by the server's own name for it, on the host's account: no gate, no hooks. Resolves with the text of the result.
   *
   * @throws ToolError when the call fails, with what the server says
   */
  call(tool: string, input: JsonObject, options?: { readonly signal?: AbortSignal | undefined }): Promise<string>;
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
  readonly reconnect: ReconnectOptions | null;
  readonly definitions?: DefinitionMemory | undefined;
}

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
  #settleReady: { resolve(): void; reject(error: unknown): void } | undefined;

  constructor(server: ServerTarget, options: ServerConnectionOptions) {
    this.name = server.name;
    this.#server = server;
    this.#options = options;
    this.#backoff = startBackoff(options.reconnect, this.#stop.signal);
    this.#toolbox = new Toolbox(this, options.definitions);
    // Where a person or a model may be asked in the middle of a call, its time is kept here, and stands still meanwhile.
    this.toolTimeoutMs = options.elicit || options.sample ? null : options.timeoutMs;
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = { resolve, reject };
    });
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
    const { timeoutMs } = this.#options;
    if (!isWithinValues(input)) {
      const message = `The input of "${tool}" refers to itself, or has too many values to be sent to "${this.name}".`;
      throw new ToolError("TOOL_INPUT_INVALID", { message });
    }
    return callDirectly({ ...this.target(), timeoutMs }, tool, input, signal ?? new AbortController().signal);
  }

  async close(): Promise<void> {
    if (this.#status !== "closed") {
      this.#reason = "it was closed.";
      this.#refresh.stop();
      this.#stop.abort();
      this.#settleReady?.reject(mcpDisconnected(this.name, this.#reason));
      this.#setStatus("closed");
    }
    await Promise.all([this.#link?.close(), this.#loop]);
    await this.#toolbox.saved();
  }

  target(): CallTarget {
    const { elicit, sample, timeoutMs } = this.#options;
    if (this.#link && this.#sdk && this.#status === "connected") {
      const own = elicit || sample ? timeoutMs : null;
      return { server: this.name, sdk: this.#sdk, link: this.#link, calls: this.#calls, timeoutMs: own };
    }
    if (this.#status === "closed") throw mcpDisconnected(this.name, this.#reason);
    if (this.#status === "failed") {
      this.#backoff.reset();
      this.#setStatus("disconnected");
      this.#loop = this.#stayConnected();
    }
    throw mcpDisconnected(this.name, `${this.#reason} It is being connected; try again in a moment.`);
  }

  changeOf: ToolHost["changeOf"] = (tool) => this.#toolbox.changeOf(tool);
  accept: ToolHost["accept"] = (tool) => this.#toolbox.accept(tool);

  async #stayConnected(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        const reason = await this.#session(signal);
        if (signal.aborted) return;
        this.#reason = reason;
        this.#setStatus(this.#options.reconnect && !this.#backoff.isExhausted ? "disconnected" : "failed");
      } catch (error) {
        if (signal.aborted) return;
        this.#reason = reasonOf(error);
        this.#settleReady?.reject(error);
        this.#settleReady = undefined;
        const isOver = !this.#options.reconnect || this.#backoff.isExhausted || isFinal(error);
        this.#setStatus(isOver ? "failed" : "disconnected");
      }
      if (this.#status === "failed") return;
      await this.#backoff.wait();
    }
  }

  /** One session, from its start to its end. Resolves with the reason of the end. */
  async #session(signal: AbortSignal): Promise<string> {
    this.#sdk ??= await loadClientSdk();
    const { timeoutMs, elicit, sample, suspends } = this.#options;
    const link = await openLink(this.#sdk, this.#server, {
      timeoutMs,
      answers: { elicit, sample, suspends },
      calls: this.#calls,
      signal,
      onListChanged: () => this.#refresh.request(),
    });
    try {
      await this.#loadTools(link).catch((error) => {
        throw mcpFailed(
          this.name,
          `was connected, but did not list its tools: ${link.endedBecause ?? reasonOf(error)}`,
          error,
        );
      });
      if (signal.aborted) return this.#reason;
      this.#link = link;
      this.#instructions = link.instructions;
      const startedAt = performance.now();
      this.#setStatus("connected");
      this.#settleReady?.resolve();
      this.#settleReady = undefined;
      const reason = await new Promise<string>((resolve) => link.whenEnded(resolve));
      this.#backoff.lasted(performance.now() - startedAt);
      return reason;
    } finally {
      this.#link = undefined;
      await link.close();
    }
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
