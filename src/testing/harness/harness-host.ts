// A host for contracts: drives a session as `HarnessAgent` of the AI SDK does, and needs no package of it.
import type {
  Harness,
  HarnessControl,
  HarnessPart,
  HarnessSession,
  HarnessStart,
  HarnessTurnRequest,
} from "../../ai-sdk/harness-v1.js";
import { within } from "../contract-case.js";

const TURN_MS = 20_000;

export type PartOf<T extends HarnessPart["type"]> = Extract<HarnessPart, { type: T }>;
type Ask = Partial<Omit<HarnessTurnRequest, "emit">>;

/** One turn under way, with the parts that it has shown. */
export class HostTurn {
  readonly parts: HarnessPart[] = [];
  #listeners: (() => void)[] = [];
  control!: HarnessControl;

  readonly emit = (part: HarnessPart): void => {
    this.parts.push(part);
    for (const listener of this.#listeners.splice(0)) listener();
  };

  all<T extends HarnessPart["type"]>(type: T): PartOf<T>[] {
    return this.parts.filter((part): part is PartOf<T> => part.type === type);
  }

  get text(): string {
    return this.parts.map((part) => (part.type === "text-delta" ? part.delta : "")).join("");
  }

  /** Resolves with the first part of a type that fits, once there is one. */
  async first<T extends HarnessPart["type"]>(
    type: T,
    fits: (part: PartOf<T>) => boolean = () => true,
  ): Promise<PartOf<T>> {
    const seek = async () => {
      for (;;) {
        const found = this.all(type).find(fits);
        if (found) return found;
        await new Promise<void>((resolve) => this.#listeners.push(resolve));
      }
    };
    return within(TURN_MS, seek(), `A part "${type}"`);
  }

  /** Resolves with the first call that the host has to make. */
  hostCall(): Promise<PartOf<"tool-call">> {
    return this.first("tool-call", ({ providerExecuted }) => providerExecuted !== true);
  }

  done(): Promise<void> {
    return within(TURN_MS, Promise.resolve(this.control.done), "The end of the turn");
  }
}

export function startSession(harness: Harness, options: Partial<HarnessStart> = {}): Promise<HarnessSession> {
  return harness.doStart({ sessionId: "contract", permissionMode: "allow-all", ...options });
}

export async function promptTurn(session: HarnessSession, prompt: string, ask: Ask = {}): Promise<HostTurn> {
  const turn = new HostTurn();
  turn.control = await session.doPromptTurn({ skills: [], tools: [], ...ask, prompt, emit: turn.emit });
  return turn;
}

export async function continueTurn(session: HarnessSession, ask: Ask = {}): Promise<HostTurn> {
  const turn = new HostTurn();
  turn.control = await session.doContinueTurn({ skills: [], tools: [], ...ask, emit: turn.emit });
  return turn;
}
