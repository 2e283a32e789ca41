// A model call that begins again takes back what it has shown: the chunk `reset-step`, which the AI SDK knows since its version 7.
import { expect, test } from "vitest";
import { scripted, text } from "../../../src/providers/scripted/index.js";
import { cutOff, newEngine, stumbling } from "../../http/agents.js";
import { chatWith, textOf } from "../../http/views/chat-client.js";

test("a call whose arguments begin again is one call in the chat", async () => {
  const chat = await chatWith(newEngine({ provider: scripted([cutOff, text("Done.")]) }));

  const message = await chat.say("Look.");

  expect(message.parts.filter(({ type }) => type === "tool-look")).toMatchObject([
    { state: "output-available", input: { where: "here" }, output: "Seen." },
  ]);
});

test("a model call that begins again leaves nothing of its first try", async () => {
  const chat = await chatWith(newEngine({ provider: stumbling(), retry: { baseMs: 1 } }));

  expect(textOf(await chat.say("Go."))).toBe("Right");
});
