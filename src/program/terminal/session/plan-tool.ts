import { z } from "zod";
import { ToolError } from "../../../contracts/errors.js";
import type { PermissionMode } from "../../../contracts/permission.js";
import type { BaseTool } from "../../../contracts/tool.js";
import { defineTool } from "../../../engine/tools/define-tool.js";

export const PRESENT_PLAN = "present_plan";

/** The reminder with each prompt while the mode is `plan`. */
export const PLAN_NOTE = `[Plan mode is on: look around and think, but change nothing; tools that could change something are refused. When you know what to do, call ${PRESENT_PLAN} with the plan. If the prompt needs no changes, just answer it.]`;

/**
 * The tool with which a model leaves plan mode: it puts its plan before the person, and goes on once they approve.
 *
 * Present in every run, so that the request's prefix does not change with the mode. Outside plan mode it is an error that
 * says to go ahead.
 */
export function createPlanTool(mode: () => PermissionMode): BaseTool {
  return defineTool({
    name: PRESENT_PLAN,
    description:
      "Only in plan mode: shows the user your plan and asks whether to carry it out. If they agree, plan mode ends and you go ahead.",
    input: z.strictObject({
      plan: z
        .string()
        .trim()
        .min(1)
        .max(20_000)
        .describe("The plan in Markdown: what changes, in which files, how it is checked."),
    }),
    describe: () => ({ title: "Present the plan", kind: "think" }),
    permission: "none",
    timeoutMs: null,
    onUnknown: "retry",
    async execute(_input, context) {
      const answer = context.resumed?.answer;
      if (!answer) {
        if (mode() === "plan") return context.suspend({ kind: "question", reason: "Carry out this plan?" });
        throw new ToolError("TOOL_FAILED", { message: "Plan mode is off, so there is nothing to approve. Go ahead." });
      }
      if ("value" in answer) return String(answer.value);
      return `The user did not agree.${answer.reason ? ` ${answer.reason}` : ""} You are still in plan mode.`;
    },
  });
}
