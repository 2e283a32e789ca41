import type { JsonValue } from "../../contracts/json.js";
import type { BaseTool, ToolContext, ToolOutput } from "../../contracts/tool.js";
import { isProgressing } from "../../engine/calls/execute-call.js";
import { followSignal } from "../../time/follow-signal.js";
import { unlessAborted } from "../../time/unless-aborted.js";
import type { Moment, OutcomeLine } from "./cassette-lines.js";
import { asJson, type CassetteRecorder } from "./cassette-recorder.js";
import { recordedError } from "./recorded-errors.js";
import { CONTEXT_EFFECTS, callKey, overriding, readThrough } from "./tool-wrapper.js";

/** The methods by which a tool answers before a call, and for which it may read from the outside world. */
export const QUERIES = ["checkPermission", "claims", "reminder"] as const;

/** A tool whose outcomes go into the cassette. One that spawns sub-agents runs again in a replay, and is not recorded. */
export function recordingTool(tool: BaseTool, recorder: CassetteRecorder): BaseTool {
  const replaced: Record<string, unknown> = {};
  for (const name of QUERIES) {
    const query = tool[name] as ((...args: unknown[]) => unknown) | undefined;
    if (query) replaced[name] = (...args: unknown[]) => recordQuery(tool, name, query, args, recorder);
  }
  const { validate } = tool;
  if (validate) {
    replaced.validate = (input: unknown, context: ToolContext) =>
      recorder.outcome(`validate ${callKey(tool, context)}`, validate.call(tool, input, context));
  }
  if (!tool.spawns) {
    replaced.execute = (input: unknown, context: ToolContext) => recordExecution(tool, input, context, recorder);
  }
  return overriding(tool, replaced);
}

/** A query's outcome depends on what it is asked; a replay gives it again for the same question. */
export function queryKey(tool: BaseTool, name: string, args: readonly unknown[]): string {
  return `${name} ${tool.name} ${JSON.stringify(asJson(args))}`;
}

function recordQuery(
  tool: BaseTool,
  name: string,
  query: (...args: unknown[]) => unknown,
  args: readonly unknown[],
  recorder: CassetteRecorder,
): unknown {
  const of = recorder.scrub(queryKey(tool, name, args));
  const answered = (value: unknown) => {
    recorder.write({ type: "outcome", of, value: recorder.scrub(asJson(value)) });
    return value;
  };
  const failed = (thrown: unknown) => {
    recorder.write({ type: "outcome", of, error: recorder.scrub(recordedError(thrown)) });
    throw thrown;
  };
  try {
    const value = query.apply(tool, [...args]);
    return value instanceof Promise ? value.then(answered, failed) : answered(value);
  } catch (thrown) {
    return failed(thrown);
  }
}

async function recordExecution(
  tool: BaseTool,
  input: unknown,
  context: ToolContext,
  recorder: CassetteRecorder,
): Promise<ToolOutput> {
  const given = asJson(input);
  const watch = new ContextWatch(recorder);
  let givenUp: Moment | undefined;
  const unfollow = followSignal(context.signal, () => {
    givenUp = recorder.moment(true);
  });
  const more = (): Partial<OutcomeLine> => ({
    input: recorder.scrub(given),
    ...(watch.effects.length > 0 && { effects: recorder.scrub(watch.effects) }),
    ...(watch.isLive && { isLive: true as const }),
    ...(givenUp && { moment: givenUp }),
    // In a replay the suspension itself ends the call, and nobody waits for what came after it.
    ...(watch.hasSuspended && { moment: undefined }),
  });
  const run = async () => {
    const returned: unknown = tool.execute(input, watch.over(context));
    return isProgressing(returned) ? drain(returned, watch.over(context)) : ((await returned) as ToolOutput);
  };
  const running = run();
  try {
    // The outcome of a call that was given up is the reason; it may never have another one.
    return await recorder.outcome(callKey(tool, context), unlessAborted(running, context.signal), more);
  } catch (thrown) {
    if (!givenUp) throw thrown;
    return await running; // The call keeps its claims until its tool has ended.
  } finally {
    unfollow();
  }
}

async function drain(running: AsyncGenerator<JsonValue, ToolOutput>, context: ToolContext): Promise<ToolOutput> {
  while (true) {
    const step = await running.next();
    if (step.done) return step.value;
    context.progress(step.value);
  }
}

/** Notes what a tool does through its context. */
class ContextWatch {
  readonly effects: NonNullable<OutcomeLine["effects"]>[number][] = [];
  isLive = false;
  hasSuspended = false;

  constructor(private readonly recorder: CassetteRecorder) {}

  over(context: ToolContext): ToolContext {
    return readThrough(context, (name, value) => {
      // A tool that calls others runs again in a replay, as one that spawns sub-agents: those calls are replayed.
      if (name === "calls") this.isLive = true;
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        this.#note(String(name), args);
        return value.apply(context, args);
      };
    });
  }

  #note(method: string, args: readonly unknown[]): void {
    if (method === "spawn") this.isLive = true;
    if (method === "suspend") this.hasSuspended = true;
    if (method !== "suspend" && !CONTEXT_EFFECTS.has(method)) return;
    this.effects.push({ ...this.recorder.moment(), method, args: asJson(args) });
  }
}
