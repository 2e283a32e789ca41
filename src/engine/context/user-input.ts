// How the host's words reach the model: prompts, steering messages, follow-ups.
import type { ContentPart } from "../../contracts/content.js";
import { invalidOption } from "../../json/check-options.js";
import { copyJson } from "../../json/copy.js";
import { describeThrown } from "../../text/describe-thrown.js";
import type { QueuedMessage, RunState } from "../run/run-state.js";

type PromptSource = "user" | "steering" | "follow-up";

/** Appends a prompt unless a UserPromptSubmit hook blocks it. `false`: it was blocked, and nothing was recorded. */
export async function submitPrompt(run: RunState, prompt: QueuedMessage, source: PromptSource): Promise<boolean> {
  const outcome = await run.hooks.fire("UserPromptSubmit", { prompt: textOfParts(prompt.content), source }, source);
  if (outcome?.blocked) {
    run.notice("HOOK_MESSAGE", `A ${source} message was blocked: ${outcome.reason ?? "by a UserPromptSubmit hook"}`);
    if (source === "user")
      run.stopAfterTurn = { reason: outcome.reason ?? "A UserPromptSubmit hook blocked the prompt." };
    return false;
  }
  run.appendUser(prompt);
  for (const context of outcome?.additionalContext ?? []) run.tell(context, "hook");
  return true;
}

/** Everything steered since the last turn, in order. */
export async function deliverSteering(run: RunState): Promise<boolean> {
  let delivered = false;
  for (const message of run.steering.splice(0)) {
    if (await submitPrompt(run, message, "steering")) delivered = true;
  }
  return delivered;
}

/** Input of a run as content parts of the run's own. @throws ConfigurationError `OPTION_INVALID` for what is no JSON */
export function contentOf(input: string | readonly ContentPart[]): readonly ContentPart[] {
  if (typeof input === "string") return [{ type: "text", text: input }];
  try {
    return copyJson(input) as unknown as readonly ContentPart[];
  } catch (error) {
    throw invalidOption("input", input, `content parts that are JSON (${describeThrown(error)})`);
  }
}

function textOfParts(content: readonly ContentPart[]): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("");
}
