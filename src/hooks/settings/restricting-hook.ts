import type { Hook, HookResult } from "../../contracts/hook.js";

const INFORMING = [
  "continue",
  "stopReason",
  "reason",
  "systemMessage",
  "permissionDecisionReason",
  "additionalContext",
] as const satisfies readonly (keyof HookResult)[];

/** The same hook, whose answer may forbid and inform: what another machine's files say neither allows nor changes anything. */
export function restricting(hook: Hook): Hook {
  return {
    ...hook,
    async run(input, context) {
      const said = await hook.run(input, context);
      if (!said) return said;
      const { decision, permissionDecision } = said;
      const kept = INFORMING.flatMap((field) => (said[field] === undefined ? [] : [[field, said[field]] as const]));
      return {
        ...Object.fromEntries(kept),
        ...(decision === "block" && { decision }),
        ...(permissionDecision && permissionDecision !== "allow" && { permissionDecision }),
      };
    },
  };
}
