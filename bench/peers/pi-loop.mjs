// The loop below pi's agent, which keeps nothing between two prompts.
import { runAgentLoop } from "@earendil-works/pi-agent-core";
import { config, contextOf, countTurns, prompt, streamFunction, toolWith } from "./pi.mjs";

export { stream } from "./pi.mjs";

/** Starts one agent after another. `pause` is awaited in each answer of the model and in each call. */
export function agents(turns, pause) {
  const tool = toolWith(pause);
  return async () =>
    countTurns(
      await runAgentLoop(prompt(), contextOf(tool), config, () => {}, undefined, streamFunction(turns, pause)),
    );
}

/** A host keeps the messages. */
export function conversations(turns) {
  const tool = toolWith();
  const say = async (messages) => {
    const context = { ...contextOf(tool), messages };
    return [
      ...messages,
      ...(await runAgentLoop(prompt(), context, config, () => {}, undefined, streamFunction(turns))),
    ];
  };
  return {
    start: () => say([]),
    goOn: async (messages) => (await say(messages)).length - 1,
  };
}

export const run = (turns) => agents(turns)();
