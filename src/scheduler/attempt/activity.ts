// An agent's activity on a task: tools used, files changed, facts kept. Read from its calls, those of its
// sub-agents included.
import type { EventOf } from "../../contracts/event.js";
import type { JsonValue } from "../../contracts/json.js";
import type { BaseTool, Registry } from "../../contracts/tool.js";
import type { AgentEngine } from "../../engine/engine.js";

/** The tool with which an agent keeps a fact. */
const REMEMBER = "remember";

/** The file that a call of a tool that changes files is about, as its input names it. */
export function changedFile(tool: BaseTool | undefined, input: JsonValue): string | undefined {
  if (tool?.permission !== "read_write" || typeof input !== "object" || input === null || Array.isArray(input)) return;
  const path = input.path ?? input.file_path;
  return typeof path === "string" ? path : undefined;
}

export class Activity {
  readonly tools = new Set<string>();
  readonly files = new Set<string>();
  readonly facts = new Set<string>();

  constructor(private readonly registry: Registry) {}

  /** A call that has succeeded. */
  note(name: string, input: JsonValue): void {
    this.tools.add(name);
    const file = changedFile(this.registry.get(name), input);
    if (file !== undefined) this.files.add(file);
    if (name !== REMEMBER || typeof input !== "object" || input === null || Array.isArray(input)) return;
    if (typeof input.text === "string") this.facts.add(input.text);
  }
}

/** Watches the calls of many sessions with one set of listeners, which are there while anybody is watched. */
export class ActivityWatch {
  readonly #watched = new Map<string, { readonly activity: Activity; readonly calls: Map<string, JsonValue> }>();

  constructor(
    private readonly engine: AgentEngine,
    private readonly registry: Registry,
    /** Called before each turn of an agent that is watched, sub-agents aside. */
    private readonly onTurn: (sessionId: string) => void,
  ) {}

  async during<T>(sessionId: string, work: (activity: Activity) => Promise<T>): Promise<T> {
    const activity = new Activity(this.registry);
    if (this.#watched.size === 0) this.#listen();
    this.#watched.set(sessionId, { activity, calls: new Map() });
    try {
      return await work(activity);
    } finally {
      this.#watched.delete(sessionId);
      if (this.#watched.size === 0) this.#leave();
    }
  }

  #listen(): void {
    this.engine.on("turn-start", this.#onTurnStart);
    this.engine.on("tool-call-start", this.#onStart);
    this.engine.on("tool-call-end", this.#onEnd);
  }

  #leave(): void {
    this.engine.off("turn-start", this.#onTurnStart);
    this.engine.off("tool-call-start", this.#onStart);
    this.engine.off("tool-call-end", this.#onEnd);
  }

  readonly #onTurnStart = ({ sessionId, agentPath }: EventOf<"turn-start">): void => {
    if (agentPath.length === 0 && this.#watched.has(sessionId)) this.onTurn(sessionId);
  };

  readonly #onStart = ({ sessionId, agentPath, call }: EventOf<"tool-call-start">): void => {
    this.#watched.get(sessionId)?.calls.set(JSON.stringify([agentPath, call.id]), call.arguments);
  };

  readonly #onEnd = ({ sessionId, agentPath, result }: EventOf<"tool-call-end">): void => {
    const watched = this.#watched.get(sessionId);
    const key = JSON.stringify([agentPath, result.toolCallId]);
    const input = watched?.calls.get(key);
    watched?.calls.delete(key);
    if (watched && input !== undefined && !result.isError) watched.activity.note(result.name, input);
  };
}
