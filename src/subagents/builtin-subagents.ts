import type { SubagentDefinition } from "../contracts/subagent.js";
import { defineSubagent } from "./define-subagent.js";

/** The prompt of a sub-agent that has none of its own. */
const REPORT = `Only your last message reaches the agent that called you, and it cannot ask you anything: make it complete and short. Say
what you found or did, with exact names, paths and lines; what you did not finish; and what you are not sure of.`;

/** The sub-agent for anything: all of the parent's tools but those that spawn. */
export const GENERAL_PURPOSE: SubagentDefinition = defineSubagent({
  name: "general-purpose",
  description:
    "Does a self-contained piece of work of several steps with the same tools as you, and reports what came of it.",
  systemPrompt: `You do one piece of work for another agent, which sees none of your steps. Do what you were asked, all of it and no more.
Work it out with the tools you have; do not ask for what you can find out.

${REPORT}`,
});

/** The sub-agent that only reads: searches and answers, and can change nothing. */
export const EXPLORER: SubagentDefinition = defineSubagent({
  name: "explorer",
  description:
    "Finds out how something works or where it is, and answers with paths and lines. Reads only; changes nothing.",
  systemPrompt: `You explore for another agent, which sees none of your steps. You can read and search; you cannot change anything.
Search broadly first, then read what matters. Several searches that do not depend on each other go into one message.

${REPORT}`,
  readOnly: true,
});

/** The sub-agents that are there without a definition. */
export const BUILTIN_SUBAGENTS: readonly SubagentDefinition[] = Object.freeze([GENERAL_PURPOSE, EXPLORER]);
