import { expect, test } from "vitest";
import { AgentEngine } from "../../../src/index.js";
import { createModelSwitch } from "../../../src/program/models/model-switch.js";
import { scripted, text } from "../../../src/providers/scripted/index.js";

test("what was made with the model in use follows a switch", async () => {
  const first = Object.freeze(Object.assign(scripted([text("I am one.")], { id: "one" }), { contextWindow: 1_000 }));
  const second = scripted([text("I am two.")], { id: "two" });
  const model = createModelSwitch(first);
  const engine = new AgentEngine({ provider: model.provider });

  const before = [await engine.run("Who are you?"), model.provider.id, model.provider.contextWindow];
  model.use(second);
  const after = [await engine.run("Who are you?"), model.provider.id, model.provider.contextWindow];
  await engine.close();

  expect(before).toMatchObject([{ text: "I am one." }, "one", 1_000]);
  expect(after).toMatchObject([{ text: "I am two." }, "two", undefined]);
  expect(["stream" in model.provider, "other" in model.provider]).toEqual([true, false]);
});
