import { expect, test } from "vitest";
import { text, toolCall } from "../../src/providers/scripted/index.js";
import { resultsOf } from "../engine/kit.js";
import { agent, subagentEngine } from "./kit.js";

const PNG = { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;

test("what a sub-agent draws reaches its parent with its text", async () => {
  const { engine } = subagentEngine(
    {
      main: (_request, step) =>
        step === 0 ? toolCall("task", { prompt: "draw", subagent_type: "artist" }, { id: "t" }) : text("done"),
      artist: () => ["Here it is.", { ...PNG, providerData: { signature: "s" } }],
    },
    [agent("artist")],
  );

  const result = await engine.run("go");

  expect(resultsOf(result).t!.output).toEqual([{ type: "text", text: "Here it is." }, PNG]);
});

test("a sub-agent that draws without a word has answered", async () => {
  const { engine } = subagentEngine(
    {
      main: (_request, step) =>
        step === 0 ? toolCall("task", { prompt: "draw", subagent_type: "artist" }, { id: "t" }) : text("done"),
      artist: () => [PNG],
    },
    [agent("artist")],
  );

  const result = await engine.run("go");

  const answer = { type: "text", text: 'The sub-agent "artist" answered without text.' };
  expect(resultsOf(result).t).toMatchObject({ isError: false, output: [answer, PNG] });
});
