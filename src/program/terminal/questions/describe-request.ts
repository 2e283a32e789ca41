import type { PendingRequest } from "../../../contracts/approval.js";
import { fieldsOf } from "../../../json/is-object.js";
import type { Screen } from "../screen/screen.js";
import { PRESENT_PLAN } from "../session/plan-tool.js";
import type { TerminalSession } from "../session/terminal-session.js";
import type { TerminalAgent, TerminalOptions } from "../terminal-agent.js";
import { AnswerBlock } from "../transcript/answer-block.js";
import { approvalQuestion, type DialogQuestion } from "./approval-question.js";
import { elicitationQuestion } from "./elicitation-question.js";
import { planQuestion } from "./plan-question.js";
import { previewDiff } from "./preview-diff.js";
import { userQuestion } from "./user-question.js";

/** What a question of the agent is shown with, and what its answers change. */
export interface QuestionSetting {
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
