// Nobody sits at a run in a script: what needs approval is not run, the model is told so, and the output lists it.
import type { PendingKind } from "../../contracts/approval.js";
import type { JsonValue } from "../../contracts/json.js";
import type { Approver } from "../../engine/calls/permission/approval.js";

/** A call that was not run because there was nobody to approve it, or a question that nobody answered. */
export interface HeldBack {
  /** `approval`: the call was not run. `question`, `elicitation`: the tool, or its server, asked and was declined. */
  readonly kind: PendingKind;
  readonly tool: string;
  readonly input: JsonValue;
  readonly reason: string;
  /** Names from the main agent (`[]`) down to the sub-agent that asked. */
  readonly agentPath: readonly string[];
  /** The rules that would allow it, for --allowed-tools. */
  readonly rules: readonly string[];
}

/** The approver of a run that nobody watches, and what it has held back. */
export function unattended(): { readonly approver: Approver; readonly heldBack: readonly HeldBack[] } {
  const heldBack: HeldBack[] = [];
  return {
    heldBack,
    approver({ kind, tool, input, reason, agentPath, suggestions }) {
      const rules = suggestions.flatMap((update) => (update.type === "addRules" ? update.rules : []));
      heldBack.push({ kind, tool, input, reason, agentPath, rules });
      return { decision: "deny", by: "nobody", reason: kind === "approval" ? NOT_APPROVED : NOT_ANSWERED };
    },
  };
}

const NOT_APPROVED =
  "This call needs approval, and this is an unattended run: there is nobody to give it. Continue without it if you can, and say in your final answer what was not done and why.";
const NOT_ANSWERED =
  "This is an unattended run: there is nobody to answer. Decide for yourself, choose the most cautious option, and say in your final answer what you assumed.";
