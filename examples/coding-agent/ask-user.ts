import { createInterface } from "node:readline";
import type { Approver, PendingRequest, PermissionUpdate } from "loopwright";
import type { Screen } from "./screen.js";
import { subjectOf } from "./tool-summary.js";

/** The rules that "always" would remember. */
export function rulesIn(suggestions: readonly PermissionUpdate[]): readonly string[] {
  return suggestions.flatMap((update) => (update.type === "addRules" ? update.rules : []));
}

/** Asks the person at the terminal about each call, one at a time. An input that has ended says no. */
export function askUser(screen: Screen): { readonly approver: Approver; close(): void } {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const given: string[] = [];
  let waiting: ((line: string) => void) | undefined;
  let isEnded = false;
  lines.on("line", (line) => {
    if (waiting) waiting(line);
    else given.push(line);
  });
  lines.on("close", () => {
    isEnded = true;
    waiting?.("");
  });

  function nextLine(signal: AbortSignal): Promise<string> {
    const line = given.shift();
    if (line !== undefined || isEnded || signal.aborted) return Promise.resolve(line ?? "");
    return new Promise((resolve) => {
      const done = (answer: string) => {
        waiting = undefined;
        signal.removeEventListener("abort", onAbort);
        resolve(answer);
      };
      const onAbort = () => done("");
      signal.addEventListener("abort", onAbort, { once: true });
      waiting = done;
    });
  }

  async function ask(request: PendingRequest, signal: AbortSignal) {
    const { toolCallId: id, tool: name, input, reason, suggestions } = request;
    screen.ask(`${name} ${subjectOf({ id, name, arguments: input })}`, reason, rulesIn(suggestions));
    const answer = (await nextLine(signal)).trim();
    if (!process.stdin.isTTY) screen.answer(answer);
    const always = /^a(lways)?$/i.test(answer);
    if (always) return { decision: "allow", by: "the user", remember: suggestions } as const;
    if (/^y(es)?$/i.test(answer)) return { decision: "allow", by: "the user" } as const;
    return { decision: "deny", by: "the user", reason: "The user said no." } as const;
  }

  let turn: Promise<unknown> = Promise.resolve();
  return {
    approver: (request, { signal }) => {
      const answer = turn.then(() => ask(request, signal));
      turn = answer.catch(() => {});
      return answer;
    },
    close: () => lines.close(),
  };
}
