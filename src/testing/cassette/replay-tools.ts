import type { BaseTool, ToolContext, ToolOutput } from "../../contracts/tool.js";
import { equalJson } from "../../json/copy.js";
import type { CassettePlayer } from "./cassette-player.js";
import { asJson } from "./cassette-recorder.js";
import { QUERIES, queryKey } from "./record-tools.js";
import { errorOf } from "./recorded-errors.js";
import { CONTEXT_EFFECTS, callKey, overriding } from "./tool-wrapper.js";

/** A tool that does nothing: its outcomes come from the cassette. One that runs sub-agents runs, and they are replayed. */
export function replayingTool(tool: BaseTool, player: CassettePlayer): BaseTool {
  const replaced: Record<string, unknown> = {};
  for (const name of QUERIES) {
    const query = tool[name] as ((...args: unknown[]) => unknown) | undefined;
    if (query) replaced[name] = (...args: unknown[]) => replayQuery(tool, name, query, args, player);
  }
  const { validate } = tool;
  if (validate) {
    replaced.validate = async (_: unknown, context: ToolContext) => {
      const outcome = player.take(`validate ${callKey(tool, context)}`);
      if (outcome) await player.settle(outcome);
    };
  }
  if (!tool.spawns) {
    replaced.execute = (input: unknown, context: ToolContext) => replayExecution(tool, input, context, player);
  }
  return overriding(tool, replaced);
}

/** A question that was not asked in the recorded run is answered by the tool itself. */
function replayQuery(
  tool: BaseTool,
  name: string,
  query: (...args: unknown[]) => unknown,
  args: readonly unknown[],
  player: CassettePlayer,
): unknown {
  const outcome = player.take(queryKey(tool, name, args));
  if (!outcome) return query.apply(tool, [...args]);
  if (outcome.error) throw errorOf(outcome.error);
  return outcome.value ?? (name === "claims" ? [] : null);
}

async function replayExecution(
  tool: BaseTool,
  input: unknown,
  context: ToolContext,
  player: CassettePlayer,
): Promise<ToolOutput> {
  const key = callKey(tool, context);
  const outcome = player.take(key);
  const given = player.scrub(asJson(input));
  if (!outcome) throw player.diverge(`${key}, which was not recorded`, undefined, given);
  if (!equalJson(outcome.input, given)) throw player.diverge(key, outcome.input, given);
  if (outcome.isLive) return (await tool.execute(input, context)) as ToolOutput;
  for (const effect of outcome.effects ?? []) {
    if (!player.order.isNow(effect)) await player.order.turn(effect);
    const { method, args } = effect;
    if (method === "suspend" || CONTEXT_EFFECTS.has(method)) call(context, method, args as unknown[]);
  }
  return (await player.settle(outcome)) as ToolOutput;
}

function call(context: ToolContext, method: string, args: readonly unknown[]): void {
  const own: unknown = Reflect.get(context, method, context);
  if (typeof own === "function") own.apply(context, args);
}
