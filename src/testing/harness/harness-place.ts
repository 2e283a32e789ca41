// One host's place in a contract: what is there before a process begins, and stays when it ends.
import type { Harness } from "../../ai-sdk/harness-v1.js";
import type { ProviderAdapter } from "../../contracts/provider.js";
import type { SessionStore } from "../../contracts/session.js";
import type { BaseTool } from "../../contracts/tool.js";
import { defineTool } from "../../engine/tools/define-tool.js";
import { createMemorySessionStore } from "../../engine/transcript/memory-session-store.js";
import type { RecordedRequest } from "../../providers/scripted/recorded-request.js";
import { scripted } from "../../providers/scripted/scripted.js";
import type { ScriptedContent } from "../../providers/scripted/scripted-turn.js";
import { wait } from "../../time/wait.js";

/** The parts of an engine that a harness of the contract stands over. */
export interface HarnessContractParts {
  readonly provider: ProviderAdapter;
  readonly tools: readonly BaseTool[];
  readonly sessions: SessionStore;
}

/** A harness over an engine of these parts. Called once for each process that a case plays. */
export type HarnessOfParts = (parts: HarnessContractParts) => Harness | Promise<Harness>;

export const HOST_TOOL = { name: "host_tool", description: "Runs at the host.", inputSchema: { type: "object" } };

/** A check of a contract, in a place of its own. */
export type HarnessChecks = Readonly<Record<string, (place: HarnessPlace) => Promise<void>>>;

/** The state that outlives a process: the sessions, and the effects of tools. */
export class HarnessPlace {
  readonly done: string[] = [];
  readonly sessions = createMemorySessionStore();
  /** Settles when the tool `hang` was entered. */
  readonly hanging: Promise<void>;
  #entered!: () => void;

  constructor(private readonly makeHarness: HarnessOfParts) {
    this.hanging = new Promise((resolve) => {
      this.#entered = resolve;
    });
  }

  async process(...turns: ScriptedContent[]) {
    const provider = scripted(turns);
    const harness = await this.makeHarness({ provider, sessions: this.sessions, tools: this.#tools() });
    return { provider, harness };
  }

  #tools(): BaseTool[] {
    const act = defineTool<{ name: string }>({
      name: "act",
      description: "Does something.",
      input: { type: "object", properties: { name: { type: "string" } } },
      permission: "execute",
      execute: async ({ name }) => {
        await wait(1);
        this.done.push(name);
        return `did ${name}`;
      },
    });
    const hang = defineTool({
      name: "hang",
      description: "Works until it is stopped.",
      permission: "execute",
      timeoutMs: null,
      execute: (_, { signal }) => {
        this.#entered();
        return new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    return [act, hang];
  }
}

/** The results of its newest calls, as the model reads them. */
export function resultsOf(request: RecordedRequest | undefined): unknown[] {
  const results = request?.messages.findLast(({ role }) => role === "tool");
  return results?.role === "tool" ? results.content.map(({ output }) => output) : [];
}
