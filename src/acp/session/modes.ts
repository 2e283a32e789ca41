// Permission modes, as an editor offers them.
import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import type { PermissionMode } from "../../contracts/permission.js";
import type { ProviderAdapter } from "../../contracts/provider.js";

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
  bypassPermissions: { name: "Bypass permissions", description: "Asks for nothing. Deny rules still hold." },
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
