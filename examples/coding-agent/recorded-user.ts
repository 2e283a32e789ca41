import type { Approver } from "loopwright";
import { rulesIn } from "./ask-user.js";
import type { Screen } from "./screen.js";
import { subjectOf } from "./tool-summary.js";

/** Nobody sits at a recording: this user says "always" to what a rule can allow for good, and publishes nothing. */
export function recordedUser(screen: Screen): Approver {
  return ({ toolCallId: id, tool: name, input, reason, suggestions }) => {
    const subject = subjectOf({ id, name, arguments: input });
    screen.ask(`${name} ${subject}`, reason, rulesIn(suggestions));
    if (subject.startsWith("npm publish")) {
      screen.answer("n");
      return { decision: "deny", reason: "A recorded demo publishes nothing." };
    }
    screen.answer("a");
    return { decision: "allow", by: "the recorded user", remember: suggestions };
  };
}
