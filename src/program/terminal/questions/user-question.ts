import type { PendingRequest } from "../../../contracts/approval.js";
import { fieldsOf } from "../../../json/is-object.js";
import { safeLine, safeText } from "../screen/safe-text.js";
import type { DialogQuestion } from "./approval-question.js";

const BY = "the person at the terminal";

/** A question of the agent: its options, and a line of text unless only the options are answers. */
export function userQuestion({ input, reason, agentPath }: PendingRequest): DialogQuestion {
  const { question, options, free_text } = fieldsOf(input);
  const offered = Array.isArray(options)
    ? options.filter((option): option is string => typeof option === "string")
    : [];
  const isFree = free_text !== false || offered.length === 0;
  const [title = "", ...body] = safeText(typeof question === "string" ? question : reason).split("\n");
  const who = agentPath.length === 0 ? "" : `${agentPath.map(safeLine).join(" → ")} asks: `;
  const other = { label: offered.length > 0 ? "Something else" : "Answer", asks: "Your answer" };
  return {
    title: who + title,
    body,
    choices: [...offered.map((label) => ({ label: safeLine(label) })), ...(isFree ? [other] : [])],
    answer: ({ index, text }) => {
      const value = offered[index] ?? text;
      return value === "" ? { decision: "deny", by: BY } : { value, by: BY };
    },
  };
}
