// The tools on offer, and how their calls are run: always through an engine, and so through its one pipeline.
import type { HookDispatcher, HookMap } from "../../contracts/hook.js";
import type { PermissionGate } from "../../contracts/permission.js";
import type { ProviderAdapter } from "../../contracts/provider.js";
import type { Registry } from "../../contracts/tool.js";
import type { ToolCall, ToolDefinition, ToolResult } from "../../contracts/tool-call.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { AgentEngine } from "../../engine/engine.js";
import type { EngineOptions } from "../../engine/options/options.js";

/** The parts of the engine under the calls, as the host chose them. */
export interface GateOptions {
  readonly gate?: PermissionGate | undefined;
  readonly hooks?: HookMap | HookDispatcher | undefined;
  readonly approver?: EngineOptions["approver"] | undefined;
  readonly artifacts?: ArtifactStore | undefined;
}

/** One client's calls. */
export interface ClientCalls {
  call(call: ToolCall, signal: AbortSignal, onProgress: (update: unknown) => void): Promise<ToolResult>;
  /** Ends the client's shells, and whatever else its tools hold. */
  end(): Promise<void>;
}

/** The offers of a server. */
export interface ToolSource {
  definitions(): Promise<readonly OfferedTool[]>;
  /** A new client. `id` is unique. */
  openClient(id: string): ClientCalls;
  close(): Promise<void>;
}

export interface OfferedTool extends ToolDefinition {
  readonly isReadOnly: boolean;
}

/** Nobody's model: the engine runs calls only. */
const NO_MODEL: ProviderAdapter = {
  id: "none",
  model: "none",
  // biome-ignore lint/correctness/useYield: it is never asked
  async *stream() {
    throw new Error("An engine that runs calls for other programs has no model.");
  },
};

/** Calls kept in one session of an engine that nobody reads; then a new one begins. */
const MAX_CALLS = 500;

export function isEngine(source: AgentEngine | Registry): source is AgentEngine {
  return typeof Reflect.get(source, "run") === "function";
}

/** The tools of an engine, through its own gate; or of a registry, through the gate that is given. */
export function createToolSource(source: AgentEngine | Registry, options: GateOptions): ToolSource {
  const { gate, hooks, approver, artifacts } = options;
  const isItself = isEngine(source) && !gate && !hooks && !approver && !artifacts;
  const registry = isEngine(source) ? source.tools : source;
  const engine = isItself
    ? source
    : new AgentEngine({ provider: NO_MODEL, tools: registry, permissions: gate, hooks, approver, artifacts });
  return {
    async definitions() {
      await (registry.ready?.() ?? Promise.all(registry.list().map((tool) => tool.ready?.())));
      return registry.definitions().map((definition) => {
        const permission = registry.get(definition.name)?.permission;
        return { ...definition, isReadOnly: permission === "none" || permission === "read_only" };
      });
    },
    openClient: (id) => openClient(engine, `mcp-${id}`, isItself),
    close: async () => {
      if (!isItself) await engine.close();
    },
  };
}

function openClient(engine: AgentEngine, id: string, isKept: boolean): ClientCalls {
  let calls = 0;
  let sessionId = id;
  const ended: Promise<void>[] = [];
  return {
    async call(call, signal, onProgress) {
      if (!isKept && ++calls % MAX_CALLS === 0) {
        ended.push(engine.endSession(sessionId));
        sessionId = `${id}-${calls / MAX_CALLS}`;
      }
      const own = sessionId;
      const listen = (event: { readonly sessionId: string; readonly toolCallId: string; readonly update: unknown }) => {
        if (event.sessionId === own && event.toolCallId === call.id) onProgress(event.update);
      };
      engine.on("tool-progress", listen);
      try {
        return await engine.execute(call, { sessionId: own, signal });
      } finally {
        engine.off("tool-progress", listen);
      }
    },
    async end() {
      await Promise.all([...ended, engine.endSession(sessionId)]);
    },
  };
}
