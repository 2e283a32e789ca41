import type { ServerCompactor, View, ViewEdit } from "../../contracts/context.js";
import type { Message, ServerSummary } from "../../contracts/message.js";
import type { ProviderEvent } from "../../contracts/provider.js";
import { checkOptions, type OptionTable } from "../../json/check-options.js";
import { blocksOf } from "../blocks.js";
import { summaryMessage } from "../notes/summary-message.js";
import {
  type Change,
  type CompactionStage,
  named,
  type Room,
  roomOf,
  type StageBudget,
  sumOf,
  toEdits,
} from "../stage.js";
import { NOTES_SHARE, notesOn, type Past, pastOf } from "./session-memory.js";
import { SUMMARY_TIMEOUT } from "./summarize.js";
import { MAX_ANSWER_CHARS, readInTime } from "./summary-call.js";

/** Options of `serverCompaction()`. */
export interface ServerCompactionOptions {
  /** Time for the server's answer. Unit: milliseconds. Default: 120_000. */
  readonly timeoutMs?: number | undefined;
}

const OPTIONS = { timeoutMs: SUMMARY_TIMEOUT } satisfies OptionTable<ServerCompactionOptions>;

/**
 * Replaces the part before the newest turns by a summary that the vendor's server makes: Anthropic's compaction on demand, OpenAI's
 * compaction. Beside it are notes as `sessionMemory()` makes them. The model that was asked gets the server's summary as it came, every other model
 * the notes; nobody gets both. The summary represents all in front of it; pinned messages are put behind it.
 *
 * Does nothing where the model's vendor does not compact. Throws when the server refuses, answers without a summary or with one that is
 * larger than what it replaces, or takes too long: the pipeline then goes on with the next stage. Its calls count towards the run's budgets.
 *
 * @example
 * createCompactionPipeline({ stages: [serverCompaction(), sessionMemory()] });
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function serverCompaction(options: ServerCompactionOptions = {}): CompactionStage {
  const { timeoutMs } = checkOptions("serverCompaction()", options, OPTIONS);
  return named("serverCompaction", async (view, budget): Promise<readonly ViewEdit[]> => {
    const room = roomOf(view, budget);
    const { compactor } = budget;
    const past = compactor && room.usedTokens > room.targetTokens ? pastOf(view, room) : null;
    if (!compactor || !past) return [];
    const { messages, change } = covering(view, room, past);
    const deadline = performance.now() + timeoutMs;
    const serverSummary = await askServer(compactor, messages, { budget, room, signal: view.signal, deadline });
    const notes = await notesOn(past, view, room, { share: NOTES_SHARE, maxLostShare: 1 });
    return toEdits("serverCompaction", view, budget, [change({ ...summaryMessage(notes), serverSummary })]);
  });
}

/** The messages that the server is sent, and the change of the view once they are summed up. */
function covering(view: View, room: Room, { runs }: Past) {
  const last = runs.at(-1)!.at(-1)!.last;
  const free = new Set(runs.flat().map(({ first }) => first));
  const kept = blocksOf(view, room).filter((block) => block.last < last && !free.has(block.first));
  const pinned = kept.filter((block) => block.messages.some(room.isPinned));
  const first = Math.min(runs[0]![0]!.first, ...pinned.map((block) => block.first));
  const others = kept.filter((block) => block.first > first && !pinned.includes(block));
  const messagesOf = (blocks: typeof kept) => blocks.flatMap((block) => block.messages);
  return {
    messages: view.messages.slice(0, last + 1),
    change: (summary: Message): Change => ({
      first,
      last,
      replacement: [...messagesOf(others), summary, ...messagesOf(pinned)],
    }),
  };
}

interface Asking {
  readonly budget: StageBudget;
  readonly room: Room;
  readonly signal: AbortSignal;
  readonly deadline: number;
}

async function askServer(
  compactor: ServerCompactor,
  messages: readonly Message[],
  asking: Asking,
): Promise<ServerSummary> {
  if (asking.signal.aborted) throw new Error("the run was ended");
  const events = compactor.compact(messages, asking.budget.instructions ?? null)[Symbol.asyncIterator]();
  const summary = await readInTime(events, asking, read(events, compactor, messages, asking));
  if (JSON.stringify(summary.data).length > JSON.stringify(messages).length)
    throw new Error("its summary is larger than what it replaces");
  return summary;
}

async function read(
  events: AsyncIterator<ProviderEvent>,
  compactor: ServerCompactor,
  messages: readonly Message[],
  { budget, room }: Asking,
): Promise<ServerSummary> {
  let summary: ServerSummary | undefined;
  let { id: provider, model } = compactor;
  let chars = 0;
  for (let step = await events.next(); !step.done; step = await events.next()) {
    const event = step.value;
    if (event.type === "message-start" && event.by) ({ id: provider, model } = event.by);
    else if (event.type === "text-delta" || event.type === "reasoning-delta") chars += event.text.length;
    else if (event.type === "restart") summary = undefined;
    else if (event.type === "compaction") {
      if (summary) throw new Error("the server gave more than one summary");
      summary = { provider, model, data: event.data };
    } else if (event.type === "message-end") {
      const inputTokens = Math.round(sumOf(messages, room.count));
      budget.spend?.(event.usage ?? { inputTokens, outputTokens: 0, estimated: true }, { provider, model });
      if (!summary) throw new Error("the server answered without a summary");
      return summary;
    }
    if (chars > MAX_ANSWER_CHARS) throw new Error("it kept writing past its limit");
  }
  throw new Error("its stream ended without a message-end");
}
