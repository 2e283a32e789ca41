import type { AssistantMessage, UserMessage } from "../contracts/message.js";
import type { PriceLookup } from "../contracts/provider.js";
import type { SessionEntry, SessionStore } from "../contracts/session.js";
import type { ToolResult } from "../contracts/tool-call.js";
import { textOfMessage, toolCallsOf } from "../engine/transcript/message-shape.js";
import { checkOptions, FUNCTION, type OptionTable, required, STRING, tableOf } from "../json/check-options.js";
import { fieldsOf, isObject } from "../json/is-object.js";
import { outputText } from "./export-markdown.js";
import { branchOfSession } from "./session-tree.js";

/** Options of `exportAtif()`. */
export interface AtifOptions {
  /** The agent, as it is named in a comparison. Default: `loopwright`. */
  readonly agent?: { readonly name: string; readonly version: string } | undefined;
  /** Prices of the models, in US dollars: with them, steps have their cost. */
  readonly prices?: PriceLookup | undefined;
}

const OPTIONS = {
  agent: tableOf({ name: required(STRING), version: required(STRING) }),
  prices: FUNCTION,
} satisfies OptionTable<AtifOptions>;

/**
 * A session as a trajectory of the Agent Trajectory Interchange Format, version 1.7, as JSON text: a step for each prompt and each
 * reply, with its calls, their results, its tokens and its cost, of the branch that it stands on.
 *
 * @throws SessionError `SESSION_NOT_FOUND` for an unknown session, and what the store throws
 * @throws ConfigurationError `OPTION_INVALID`
 */
export async function exportAtif(store: SessionStore, id: string, options: AtifOptions = {}): Promise<string> {
  const { agent, prices } = checkOptions("exportAtif()", options, OPTIONS);
  const branch = await branchOfSession(store, id);
  const results = new Map<string, ToolResult>();
  for (const entry of branch) if (entry.type === "tool-result") results.set(entry.result.toolCallId, entry.result);
  const steps = branch.flatMap((entry) => (entry.type === "message" ? [stepOf(entry, results, prices)] : []));
  const metrics = steps.map((step) => fieldsOf("metrics" in step ? step.metrics : undefined));
  const costs = metrics.filter((one) => "prompt_tokens" in one).map((one) => one.cost_usd);
  const sum = (name: string) => metrics.reduce((total, one) => total + Number(one[name] ?? 0), 0);
  const last = branch.findLast((entry) => entry.type === "message" && entry.message.role === "assistant");
  const author = last?.type === "message" && last.message.role === "assistant" ? last.message : undefined;
  const trajectory = {
    schema_version: "ATIF-v1.7",
    session_id: id,
    agent: {
      ...(agent ?? { name: "loopwright", version: "unknown" }),
      ...(author && { model_name: `${author.provider}/${author.model}` }),
    },
    steps: steps.map((step, index) => ({ step_id: index + 1, ...step })),
    final_metrics: {
      total_prompt_tokens: sum("prompt_tokens"),
      total_completion_tokens: sum("completion_tokens"),
      total_cached_tokens: sum("cached_tokens"),
      // A sum that leaves something out would look like a whole one.
      ...(costs.every((cost) => typeof cost === "number") && { total_cost_usd: sum("cost_usd") }),
      total_steps: steps.length,
    },
  };
  return `${JSON.stringify(trajectory, null, 2)}\n`;
}

type MessageEntry = Extract<SessionEntry, { type: "message" }>;

function stepOf({ message, at }: MessageEntry, results: ReadonlyMap<string, ToolResult>, prices?: PriceLookup) {
  const timestamp = new Date(at).toISOString();
  if (message.role === "user")
    return { timestamp, source: sourceOf(message), message: outputText({ output: message.content }) };
  const calls = toolCallsOf(message);
  const thought = message.content.flatMap((part) => (part.type === "reasoning" && part.text !== "" ? [part.text] : []));
  const work = message.content.flatMap((part) => (part.type === "reasoning" && part.serverTool) || []);
  const made = [
    ...work.flatMap(({ id, name, input }) => (input === undefined ? [] : { id, name, arguments: input })),
    ...calls,
  ];
  const found = [
    ...work.flatMap(({ id, output }) => {
      const isHere = made.some((call) => call.id === id); // A paused answer has the call in another step.
      return output === undefined ? [] : { ...(isHere && { source_call_id: id }), content: output };
    }),
    ...calls.flatMap(({ id }) => {
      const result = results.get(id);
      return result ? { source_call_id: id, content: outputText(result) } : [];
    }),
  ];
  return {
    timestamp,
    source: "agent",
    model_name: `${message.provider}/${message.model}`,
    message: textOfMessage(message),
    ...(thought.length > 0 && { reasoning_content: thought.join("\n") }),
    ...(made.length > 0 && {
      tool_calls: made.map(({ id, name, arguments: given }) => ({
        tool_call_id: id,
        function_name: name,
        arguments: isObject(given) ? given : { input: given },
      })),
    }),
    ...(found.length > 0 && { observation: { results: found } }),
    ...metricsOf(message, prices),
  };
}

function sourceOf({ origin = "user" }: UserMessage): "user" | "system" {
  return origin === "user" || origin === "steering" ? "user" : "system";
}

function metricsOf({ usage, provider, model }: AssistantMessage, prices?: PriceLookup): object {
  if (!usage) return {};
  const cost = prices?.({ provider, model }, usage) ?? null;
  return {
    metrics: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      cached_tokens: usage.cacheReadTokens ?? 0,
      ...(cost !== null && { cost_usd: cost }),
    },
  };
}
