import type { BaseTool } from "../contracts/tool.js";
import { defineTool } from "../engine/tools/define-tool.js";
import { OWN_WORDS } from "../labels/join-labels.js";

/**
 * The tool `compact`: lets the model ask for a compaction, with a focus for the summary. It takes effect when every
 * call of the same turn has its result. In an engine without a `compaction` option its result is an error.
 */
export function createCompactTool(): BaseTool {
  return defineTool({
    name: "compact",
    description:
      "Shrinks the context: older parts of this session are replaced by a summary. Use it between two pieces of work.",
    permission: "none",
    returns: OWN_WORDS,
    describe: () => ({ title: "Compact the conversation", kind: "think" }),
    input: {
      type: "object",
      properties: { focus: { type: "string", description: "What the summary must keep in particular." } },
      additionalProperties: false,
    },
    async execute(input: unknown, context) {
      if (!context.requestCompaction) {
        return {
          output: "Compaction is not set up for this session.",
          isError: true,
          details: { code: "TOOL_FAILED" },
        };
      }
      const { focus } = Object(input) as { focus?: string };
      context.requestCompaction(focus);
      return "The context will be compacted before your next turn.";
    },
  });
}
