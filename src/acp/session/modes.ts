// Permission modes, as an editor offers them, and the one of a session.
import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import type { Answer } from "../../contracts/approval.js";
import type { PermissionGate, PermissionMode } from "../../contracts/permission.js";
import type { ProviderAdapter } from "../../contracts/provider.js";
import type { EngineConfig } from "../../engine/options/options.js";

interface ModeLook {
  readonly name: string;
  readonly description: string;
}

const LOOKS: Readonly<Record<PermissionMode, ModeLook>> = {
  default: {
    name: "Ask first",
    description: "Asks before it changes files or runs commands, unless a rule allows it.",
  },
  acceptEdits: { name: "Accept edits", description: "Edits files in the workspace without asking." },
  plan: { name: "Plan", description: "Only reads, and works out what to do." },
  dontAsk: { name: "Don't ask", description: "Does what rules allow, and nothing that would need approval." },
  bypassPermissions: { name: "Bypass permissions", description: "Asks for little. Deny and ask rules still hold." },
};

/** Every permission mode. */
export const EDITOR_MODES = Object.keys(LOOKS) as readonly PermissionMode[];

export const MODE_OPTION = "mode";
export const MODEL_OPTION = "model";

export function modeState(modes: readonly PermissionMode[], current: PermissionMode): SessionModeState {
  return {
    currentModeId: current,
    availableModes: modes.map((id) => ({ id, ...LOOKS[id] })),
  };
}

/** The same modes, and the models, as options: newer editors show these. */
export function configOptions(
  modes: readonly PermissionMode[],
  mode: PermissionMode,
  models: Readonly<Record<string, ProviderAdapter>>,
  model: string,
): SessionConfigOption[] {
  const options: SessionConfigOption[] = [
    {
      type: "select",
      id: MODE_OPTION,
      category: "mode",
      name: "Mode",
      description: "What the agent may do without asking.",
      currentValue: mode,
      options: modes.map((value) => ({ value, ...LOOKS[value] })),
    },
  ];
  const names = Object.keys(models);
  if (names.length === 0) return options;
  options.push({
    type: "select",
    id: MODEL_OPTION,
    category: "model",
    name: "Model",
    currentValue: model,
    options: names.map((value) => ({ value, name: value })),
  });
  return options;
}

/** The mode of one session, which the host, the user and an answer may set. */
export class SessionMode {
  current: PermissionMode = "default";
  #config: Pick<EngineConfig, "gate" | "mode"> | undefined;
  #isSet = false;

  constructor(private readonly sessionId: string) {}

  begin(config: Pick<EngineConfig, "gate" | "mode">, wanted: PermissionMode | undefined): Promise<void> {
    this.#config = config;
    this.current = config.mode ?? config.gate.mode ?? "default";
    return wanted === undefined ? Promise.resolve() : this.set(wanted);
  }

  /** Takes effect at once where the gate remembers modes, and with the next prompt elsewhere. */
  async set(mode: PermissionMode): Promise<void> {
    this.current = mode;
    this.#isSet = true;
    const { sessionId } = this;
    await this.#memory?.([{ type: "setMode", mode, destination: "session" }], { sessionId });
  }

  /** The mode for the options of the next run; `undefined`: its engine and gate have it. */
  get ofNextRun(): PermissionMode | undefined {
    return this.#isSet && !this.#memory ? this.current : undefined;
  }

  /** Takes the mode that an answer has set. Returns it if it is another one. */
  follow(answer: Answer): PermissionMode | undefined {
    const set = "decision" in answer ? answer.remember?.findLast((update) => update.type === "setMode") : undefined;
    if (set?.type !== "setMode" || set.mode === this.current) return undefined;
    this.current = set.mode;
    return set.mode;
  }

  /** The gate's memory, where the gate decides the mode. */
  get #memory(): PermissionGate["remember"] {
    const { gate, mode } = this.#config!;
    return mode === undefined ? gate.remember?.bind(gate) : undefined;
  }
}
