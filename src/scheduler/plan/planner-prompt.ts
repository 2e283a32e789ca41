// The prompts of a model that makes a plan.
import { clip } from "../../text/cut.js";
import { asOneLine } from "../../text/one-line.js";
import { block } from "../attempt/task-prompt.js";
import type { PlanningRequest } from "../options.js";
import type { Criterion } from "./plan.js";

const MAX_TOOL_CHARS = 2_000;
const MAX_RESULT_CHARS = 4_000;

export const PLANNER_PROMPT = `You plan work. You are given a goal and reply with a plan, as JSON: a list of tasks which, once all are done, reach the goal. Others carry the tasks out; you do none of them. If you have tools that read, use them first to find out what the plan depends on.

What makes a good plan:
- As few tasks as possible. Each is one piece of work that one tool call or one agent can finish, and that can be checked by itself.
- "dependsOn" names the tasks whose results a task needs, or whose effects it builds on. Tasks that do not depend on each other run at the same time, so two that change the same files must not be independent.
- A task is done by a tool ("tool": { "name", "input" }), by a sub-agent ("subagent"), or by the general agent (neither). Use a tool where you know the exact input. Strings of the input may hold {{tasks.ID.output}}, the output of a task it depends on.
- Agents know nothing of this conversation: "instructions" say what to do, where, and what to report.
- Each task can be repeated without harm. If one cannot, mark it with "replayable": false.
- "criterion" says how the result is checked. Choose what proves that the work is right, not that something happened: running the tests is better than looking whether a file exists. A check that looks at everything, such as the whole test suite, belongs to a task that depends on all tasks whose changes it sees.
- If the goal asks for one answer, end with a task that depends on the others and writes it.`;

const CRITERIA: { readonly [Kind in Criterion["kind"]]: string } = {
  command: `{ "kind": "command", "command": … }: a shell command that ends with exit code 0`,
  file: `{ "kind": "file", "path": …, "contains"?: …, "equals"?: … }: a file or directory that exists, and what is in it`,
  predicate: `{ "kind": "predicate", "name": … }: a check of the application`,
  judge: `{ "kind": "judge", "question": … }: a question about the result that a reviewer, who sees only the result, has to answer with yes`,
};

export function planningPrompt(goal: string, request: PlanningRequest): string {
  const { tools, subagents, predicates, criteria, maxTasks, skill, earlier } = request;
  const parts = [`The goal: ${goal}`];
  if (skill)
    parts.push(
      `Follow these instructions for work of this kind (skill "${skill.name}"):\n${block(skill.instructions)}`,
    );
  parts.push(`Tools that tasks may call:\n${list(tools.map(toolLine))}`);
  if (subagents.length > 0) {
    parts.push(
      `Sub-agents:\n${list(subagents.map(({ name, description }) => `${name}: ${clip(asOneLine(description), 400)}`))}`,
    );
  }
  parts.push(`Kinds of criteria:\n${list(criteria.map((kind) => CRITERIA[kind]))}`);
  if (predicates.length > 0) parts.push(`Predicates: ${predicates.join(", ")}`);
  if (earlier) parts.push(...aboutEarlier(earlier));
  parts.push(
    `Reply with the plan as JSON: { "tasks": [{ "id", "title", "instructions", "tool"?, "subagent"?, "dependsOn", "criterion", "replayable"? }] }, at most ${maxTasks} tasks.`,
  );
  return parts.join("\n\n");
}

function aboutEarlier({ done, failed, skipped }: NonNullable<PlanningRequest["earlier"]>): string[] {
  const parts = [
    "An earlier plan has failed. What is done stays done: do not plan it again, and name it in dependsOn where you build on it. Plan what is left, in another way where the old one did not work. To change what a finished task has made, plan a new task with a new id.",
  ];
  const results = done.map(({ task, output }) => {
    return `"${task.id}": ${task.title}. Its result:\n${block(clip(output, MAX_RESULT_CHARS))}`;
  });
  parts.push(results.length > 0 ? `Done:\n\n${results.join("\n\n")}` : "Nothing is done yet.");
  const reasons = failed.map(({ task, reason }) => {
    const how = task.tool
      ? `tool "${task.tool.name}"`
      : task.subagent
        ? `sub-agent "${task.subagent}"`
        : "the general agent";
    return `"${task.id}": ${task.title}, by ${how}. Why:\n${block(clip(reason, MAX_RESULT_CHARS))}`;
  });
  parts.push(`Failed:\n\n${reasons.join("\n\n")}`);
  if (skipped.length > 0)
    parts.push(
      `Not started, because they need what failed:\n${list(skipped.map(({ id, title }) => `"${id}": ${title}`))}`,
    );
  return parts;
}

function toolLine({ name, description, inputSchema }: PlanningRequest["tools"][number]): string {
  const input = clip(JSON.stringify(inputSchema), MAX_TOOL_CHARS);
  return `${name}: ${clip(asOneLine(description), 400)} Input: ${input}`;
}

function list(items: readonly string[]): string {
  return items.length === 0 ? "none" : items.map((item) => `- ${item}`).join("\n");
}
