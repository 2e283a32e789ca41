// A model that does what its prompt says, in as many sessions at once as there are: the prompt is a list of calls.
import { scripted, text, toolCall } from "../../src/testing/index.js";

/** A tool and its arguments, or several for one message. */
export type Step =
  | readonly [name: string, args: Readonly<Record<string, string | boolean>>]
  | readonly (readonly [name: string, args: Readonly<Record<string, string | boolean>>])[];

/** A prompt for `obedient()`: one message a step. */
export const steps = (...list: readonly Step[]) => JSON.stringify(list);

const isOne = (step: Step): step is readonly [string, Readonly<Record<string, string | boolean>>] =>
  typeof step[0] === "string";

/** Answers with the texts of all results when the steps are done. */
export function obedient() {
  return scripted(
    [
      ({ messages }) => {
        const at = messages.findLastIndex(
          (message) => message.role === "user" && (message.origin ?? "user") === "user",
        );
        const [part] = messages[at]!.content;
        const list: Step[] = JSON.parse(part?.type === "text" ? part.text : "[]");
        const results = messages.slice(at).filter(({ role }) => role === "tool");
        const step = list[results.length];
        if (step) return (isOne(step) ? [step] : step).map(([name, args]) => toolCall(name, args));
        const said = results.flatMap(({ content }) => content.map((each) => ("output" in each ? each.output : [])));
        const shown = said.map((output) =>
          typeof output === "string" ? output : output.map((each) => ("text" in each ? each.text : "")).join(""),
        );
        return text(shown.join("\n---\n") || "Nothing to do.");
      },
    ],
    { loop: true },
  );
}
