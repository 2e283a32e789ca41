import { ToolError } from "../../contracts/errors.js";
import type { Message } from "../../contracts/message.js";
import type { BaseTool, ReminderMoment } from "../../contracts/tool.js";
import { defineTool } from "../../engine/tools/define-tool.js";
import { OWN_WORDS } from "../../labels/join-labels.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { foundText } from "./found-text.js";
import { CALL_TOOL, TOOL_SEARCH } from "./inner-call.js";
import type { RankTools, ToolFinder } from "./tool-finder.js";

/** The search's view of the tools at the moment it is asked. */
export interface Deferred {
  readonly limit: number;
  readonly rank: RankTools | undefined;
  finder(): ToolFinder;
  deferred(): readonly BaseTool[];
  /** The deferred tools that have reminders. */
  reminding(): readonly BaseTool[];
  announcement(transcriptId: string, messages: () => readonly Message[]): string | null;
}

/** The tool `tool_search`. It also speaks for the tools that are not listed, which the engine does not ask: it reminds and ends with them. */
export function createToolSearch(about: Deferred): BaseTool<{ readonly query: string }> {
  return defineTool<{ readonly query: string }>({
    name: TOOL_SEARCH,
    description: `Finds tools that are not in your list, by what they do. Returns the best matches with their input schemas; run one with ${CALL_TOOL}. Search before you conclude that something cannot be done.`,
    input: {
      type: "object",
      properties: {
        query: {
          type: "string",
          minLength: 1,
          maxLength: 1_000,
          description:
            'What the tool should do, in the words of its name, such as "create calendar event". Separate other ways to say it by semicolons. Or exact tool names.',
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    describe: ({ query = "" }) => ({ title: `Find tools: ${query}`, kind: "search" }),
    permission: "none",
    returns: OWN_WORDS,
    replayable: true,
    async execute({ query }, { signal }) {
      const finder = about.finder();
      const total = finder.definitions.length;
      const named = finder.named(query);
      if (named.length > 0) return answer(named.slice(0, about.limit), total);
      const ranked = about.rank && (await rankedByHost(about.rank, about, finder, query, signal));
      if (Array.isArray(ranked)) return answer(ranked, total);
      return answer(finder.byWords(query, about.limit), total, ranked);
    },
    reminder(moment) {
      const own = about.announcement(moment.transcriptId, () => moment.messages?.() ?? []);
      const theirs = about.reminding().map((tool) => reminderOf(tool, moment));
      return [own, ...theirs].filter((text) => text !== null && text !== "").join("\n\n") || null;
    },
    async endSession(sessionId) {
      const ends = about.deferred().map(async (tool) => tool.endSession?.(sessionId));
      const failed = (await Promise.allSettled(ends)).find((outcome) => outcome.status === "rejected");
      if (failed) throw failed.reason;
    },
  });
}

/** The tool `call_tool`. The registry resolves its calls, so it is never entered itself. */
export function createCallTool(): BaseTool {
  return defineTool({
    name: CALL_TOOL,
    description: `Runs a tool that ${TOOL_SEARCH} has found. The arguments must fit the input schema that the search showed.`,
    input: {
      type: "object",
      properties: {
        name: { type: "string", description: "The tool's exact name." },
        arguments: { type: "object", description: "What the tool is called with." },
      },
      required: ["name", "arguments"],
      additionalProperties: false,
    },
    permission: "execute",
    async execute() {
      const message = `${CALL_TOOL} works only in the registry that deferTools() made; it was taken out of it.`;
      throw new ToolError("TOOL_FAILED", { message });
    },
  });
}

async function rankedByHost(
  rank: RankTools,
  { limit }: Deferred,
  finder: ToolFinder,
  query: string,
  signal: AbortSignal,
) {
  try {
    return await finder.byHost(rank, query, limit, signal);
  } catch (error) {
    return describeThrown(error);
  }
}

function answer(found: ToolFinder["definitions"], total: number, rankError?: string) {
  const details = { tools: found.map(({ name }) => name), total, ...(rankError !== undefined && { rankError }) };
  if (found.length > 0) return { output: foundText(found, total), details };
  const output =
    total === 0
      ? "There are no tools to be found at the moment."
      : `None of the ${total} tools match. Try other words: what the tool does, what it acts on, or the name of the service.`;
  return { output, details };
}

/** One that fails keeps none of the others from speaking. */
function reminderOf(tool: BaseTool, moment: ReminderMoment): string | null {
  try {
    const text: unknown = tool.reminder?.(moment);
    return typeof text === "string" ? text : null;
  } catch {
    return null;
  }
}
