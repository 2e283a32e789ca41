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
