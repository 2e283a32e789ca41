import type { View, ViewEdit } from "../../contracts/context.js";
import type { ToolMessage } from "../../contracts/message.js";
import type { ArtifactStore } from "../../contracts/workspace.js";
import { textOfOutput } from "../../engine/transcript/message-shape.js";
import { byDefault, checkOptions, numberFrom, type OptionTable, withMethods } from "../../json/check-options.js";
import { blocksOf } from "../blocks.js";
import { gist } from "../describe-call.js";
import { type Change, type CompactionStage, named, roomOf, type StageBudget, toEdits } from "../stage.js";

/** Options of `offload()`. */
export interface OffloadOptions {
  /** Default: the engine's. */
  readonly artifacts?: ArtifactStore | undefined;
  /** Results of fewer characters stay. Default: 4_000. */
  readonly minChars?: number | undefined;
  /** The excerpt that is left in place. Unit: characters. Default: 1_000. */
  readonly previewChars?: number | undefined;
}

const OPTIONS = {
  artifacts: withMethods("put", "get"),
  minChars: byDefault(4_000, numberFrom(0, "characters")),
  previewChars: byDefault(1_000, numberFrom(0, "characters")),
} satisfies OptionTable<OffloadOptions>;

/** Says that a result is elsewhere: by the engine when it was recorded, or by this stage. */
export const ARTIFACT_PATH = /is in "([^"]+)"; read it with read_file/;

/**
 * Moves large tool results to the artifact store, the largest first, until the target is met; a preview and the path
 * stay. The newest turn is left alone. Without a store it passes on, and so it does for a result the store refuses.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function offload(options: OffloadOptions = {}): CompactionStage {
  const { minChars, previewChars, ...settings } = checkOptions("offload()", options, OPTIONS);
  return named("offload", async (view, budget): Promise<readonly ViewEdit[]> => {
    const artifacts = settings.artifacts ?? budget.artifacts;
    if (!artifacts) return [];
    const room = roomOf(view, budget);
    let excess = room.usedTokens - room.targetTokens;
    const changed = new Map<number, ToolMessage>();
    for (const { at, part, text } of largestResults(view, budget, minChars)) {
      if (excess <= 0) break;
      const path = await keep(artifacts, text, view.sessionId);
      if (path === null) continue;
      const note = `[The whole output (${text.length} characters) is in "${path}"; read it with read_file, page by page.]`;
      const output = `${gist(text, previewChars)}\n\n${note}`;
      const before = changed.get(at) ?? (view.messages[at] as ToolMessage);
      const content = before.content.map((each) =>
        each.toolCallId === part.toolCallId ? Object.freeze({ ...each, output }) : each,
      );
      const after: ToolMessage = { ...before, content };
      excess -= room.count(before) - room.count(after);
      changed.set(at, after);
    }
    const changes = [...changed].map(([at, message]): Change => ({ first: at, last: at, replacement: [message] }));
    return toEdits("offload", view, budget, changes);
  });
}

async function keep(artifacts: ArtifactStore, text: string, sessionId: string): Promise<string | null> {
  try {
    return (await artifacts.put(text, { sessionId, mediaType: "text/plain" })).path;
  } catch {
    return null; // When the disk is full, the stages that need none go on.
  }
}

function largestResults(view: View, budget: StageBudget, minChars: number) {
  const room = roomOf(view, { ...budget, keepTurns: 1 });
  const results = blocksOf(view, room).flatMap(({ first, messages, isTail }) =>
    isTail || messages.some(room.isPinned)
      ? []
      : messages.flatMap((message, index) =>
          message.role !== "tool"
            ? []
            : message.content.map((part) => ({ at: first + index, part, text: textOfOutput(part.output) })),
        ),
  );
  return results
    .filter(({ part, text }) => text.length >= minChars && typeof part.output === "string" && !ARTIFACT_PATH.test(text))
    .sort((a, b) => b.text.length - a.text.length);
}
