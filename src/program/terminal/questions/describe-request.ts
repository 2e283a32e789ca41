import type { PendingRequest } from "../../../contracts/approval.js";
import type { PermissionMode } from "../../../contracts/permission.js";
import { fieldsOf } from "../../../json/is-object.js";
import { safeLine, safeText } from "../screen/safe-text.js";
import type { Screen } from "../screen/screen.js";
import { PRESENT_PLAN } from "../session/plan-tool.js";
import type { TerminalSession } from "../session/terminal-session.js";
import type { TerminalAgent, TerminalOptions } from "../terminal-agent.js";
import { AnswerBlock } from "../transcript/answer-block.js";
import { approvalQuestion, type DialogQuestion } from "./approval-question.js";
import { elicitationQuestion } from "./elicitation-question.js";
import { previewDiff } from "./preview-diff.js";

/** The screen that shows a question of the agent, and the agent and session that its answers change. */
interface QuestionSetting {
  readonly screen: Screen;
  readonly agent: TerminalAgent;
  readonly conversation: TerminalSession;
  readonly options: Pick<TerminalOptions, "saveRules">;
}

/** The question of a request: a plan to approve, something the agent wants to know, or a call that needs approval. */
export async function describeRequest(
  request: PendingRequest,
  { screen, agent, conversation, options: { saveRules } }: QuestionSetting,
): Promise<DialogQuestion> {
  const { theme } = screen;
  if (request.tool === PRESENT_PLAN && request.kind === "question") {
    screen.add(new AnswerBlock(theme, String(fieldsOf(request.input).plan)));
    return planQuestion((mode) => conversation.setMode(mode));
  }
  if (request.kind === "elicitation") return elicitationQuestion(request);
  if (request.kind === "question") return userQuestion(request);
  const save: typeof saveRules =
    saveRules &&
    (async (updates) => {
      const file = await saveRules(updates);
      conversation.noticeSaved(updates);
      return file;
    });
  const diff = await previewDiff(agent.workspace, request, theme);
  const question = approvalQuestion(request, theme, { diff, save });
  return {
    ...question,
    answer: async (chosen) => {
      const answer = await question.answer(chosen);
      if ("decision" in answer && answer.remember) conversation.noticeGrants(answer.remember);
      return answer;
    },
  };
}

const BY = "the person at the terminal";

/** A question of the agent: its options, and a line of text unless only the options are answers. */
function userQuestion({ input, reason, agentPath }: PendingRequest): DialogQuestion {
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

const GO_AHEAD = "The user agrees with the plan. Plan mode is off: carry it out now.";

/** Whether a plan is carried out, and with how many further questions. */
function planQuestion(setMode: (mode: PermissionMode) => void): DialogQuestion {
  const agree = (mode: PermissionMode) => {
    setMode(mode);
    return { value: GO_AHEAD } as const;
  };
  return {
    title: "Carry out this plan?",
    body: [],
    choices: [
      { label: "Yes, and ask before each change", number: 1 },
      { label: "No, keep planning", number: 4, asks: "What should be different?" },
      { label: "Yes, and edit files without asking", number: 5 },
    ],
    answer({ index, text }) {
      if (index === 0) return agree("default");
      if (index === 2) return agree("acceptEdits");
      return {
        value: `The user does not agree yet${text === "" ? "." : `: ${text}`} Stay in plan mode and improve the plan.`,
      };
    },
  };
}
