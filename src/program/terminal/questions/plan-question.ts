import type { PermissionMode } from "../../../contracts/permission.js";
import type { DialogQuestion } from "./approval-question.js";

const GO_AHEAD = "The user agrees with the plan. Plan mode is off: carry it out now.";

/** Whether a plan is carried out, and with how many further questions. */
export function planQuestion(setMode: (mode: PermissionMode) => void): DialogQuestion {
  const agree = (mode: PermissionMode) => {
    setMode(mode);
    return { value: GO_AHEAD } as const;
  };
  return {
    title: "Carry out this plan?",
    body: [],
    choices: [
      { label: "Yes, and edit files without asking" },
      { label: "Yes, and ask before each change" },
      { label: "No, keep planning", asks: "What should be different?" },
    ],
    answer({ index, text }) {
      if (index === 0) return agree("acceptEdits");
      if (index === 1) return agree("default");
      return {
        value: `The user does not agree yet${text === "" ? "." : `: ${text}`} Stay in plan mode and improve the plan.`,
      };
    },
  };
}
