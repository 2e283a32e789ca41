// What the engine's tests share: small tools, a model and a store that wait for the test, and ways to look at a run.
import { loadLoop } from "../../src/engine/load-loop.js";
import type {
  AgentRun,
  BaseTool,
  EngineEvent,
  EngineOptions,
  EventOf,
  EventType,
  PermissionGate,
  ProviderAdapter,
  ProviderEvent,
  ProviderRequest,
  RunResult,
  SessionEntry,
  SessionStore,
  ToolCall,
} from "../../src/index.js";
import { AgentEngine, validateTranscript } from "../../src/index.js";
import { type ScriptedProvider, scripted, type Turn } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";

// What tests count in turns of the event loop must not depend on a file being read: test/engine/load-loop.test.ts is about that.
await loadLoop();

/** Lets every call run. */
export const ALLOW: PermissionGate = { decide: () => ({ behavior: "allow" }) };

export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** A promise settled by the test. */
export function deferred<T = void>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Lets everything run that can run without the test's help. */
export async function quiet(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
}

/** A tool by hand: every argument reaches it. */
export function tool(name: string, execute: BaseTool["execute"], about: Partial<BaseTool> = {}): BaseTool {
  return {
    name,
    permission: "read_write",
    definition: () => ({ name, description: `The tool ${name}.`, inputSchema: { type: "object" } }),
    execute,
    ...about,
  };
}

/** An engine with a scripted model that lets every call run and does not wait between retries. */
export function testEngine(
  turns: readonly Turn[],
  options: Partial<EngineOptions> = {},
): { readonly engine: AgentEngine; readonly provider: ScriptedProvider; readonly store: SessionStore } {
  const provider = scripted(turns);
  const store = options.sessions ?? createMemorySessionStore();
  const engine = new AgentEngine({
    provider,
    permissions: ALLOW,
    retry: { baseMs: 1, jitter: 0 },
    ...options,
    sessions: store,
  });
  return { engine, provider, store };
}

/** Reads a run to its end. */
export async function played(run: AgentRun): Promise<{ readonly events: EngineEvent[]; readonly result: RunResult }> {
  const events: EngineEvent[] = [];
  for await (const event of run) events.push(event);
  return { events, result: await run.result };
}

/** The events of one type, in order, as they come. */
export function listen<T extends EventType>(engine: AgentEngine, type: T): EventOf<T>[] {
  const heard: EventOf<T>[] = [];
  engine.on(type, (event) => void heard.push(event));
  return heard;
}

export function ofType<T extends EventType>(events: readonly EngineEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

export async function entriesOf(store: SessionStore, sessionId: string): Promise<SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of store.read(sessionId)) entries.push(entry);
  return entries;
}

/** The results the model got in a run, by call id. */
export function resultsOf(result: RunResult): Record<string, { output: unknown; isError: boolean }> {
  const parts = result.messages().flatMap((message) => (message.role === "tool" ? message.content : []));
  return Object.fromEntries(parts.map(({ toolCallId, output, isError }) => [toolCallId, { output, isError }]));
}

/** What breaks the rules of transcripts in a run's messages. */
export function issuesOf(result: RunResult): readonly unknown[] {
  return validateTranscript(result.messages(), { allowOpen: result.status === "needs-approval" });
}

/** A model that says what the test pushes, when the test pushes it. */
export class PushedProvider implements ProviderAdapter {
  readonly id = "pushed";
  readonly model = "pushed";
  readonly requests: ProviderRequest[] = [];
  #events: (ProviderEvent | Error)[] = [];
  #wake: () => void = () => {};

  push(...events: (ProviderEvent | Error)[]): void {
    this.#events.push(...events);
    this.#wake();
  }

  /** A whole call. */
  call(index: number, call: ToolCall): void {
    this.push({ type: "tool-call-end", index, call });
  }

  end(finishReason: "stop" | "tool-calls" | "length" = "tool-calls"): void {
    this.push({ type: "message-end", finishReason, usage: { inputTokens: 1, outputTokens: 1 } });
  }

  /** Answers with text. */
  answer(text: string): void {
    this.push({ type: "text-delta", text });
    this.end("stop");
  }

  stream(request: ProviderRequest): AsyncIterable<ProviderEvent> {
    const turn = this.requests.push(request);
    const next = async (): Promise<IteratorResult<ProviderEvent>> => {
      while (this.#events.length === 0 || turn !== this.requests.length) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      const event = this.#events.shift()!;
      if (event instanceof Error) throw event;
      return { value: event, done: false };
    };
    return { [Symbol.asyncIterator]: () => ({ next }) };
  }
}

/** A store in memory whose writes the test may hold back or fail. */
export class HeldStore implements SessionStore {
  readonly #inner = createMemorySessionStore();
  #gate: Deferred<void> | null = null;
  #failing: ((entries: readonly SessionEntry[]) => boolean) | null = null;
  /** Writes under way. */
  waiting = 0;
  readonly list = this.#inner.list;
  readonly read = this.#inner.read;
  readonly lock = this.#inner.lock;
  readonly delete = this.#inner.delete;

  hold(): void {
    this.#gate = deferred();
  }

  letGo(): void {
    this.#gate?.resolve();
    this.#gate = null;
  }

  /** From now on writes of such entries are refused. */
  failOn(isRefused: (entries: readonly SessionEntry[]) => boolean): void {
    this.#failing = isRefused;
  }

  async append(id: string, entries: readonly SessionEntry[]): Promise<void> {
    this.waiting++;
    await this.#gate?.promise;
    this.waiting--;
    if (this.#failing?.(entries)) throw new Error("the disk is full");
    await this.#inner.append(id, entries);
  }
}
