// hub.start() with the input of a request that asks again for what the session has.
import { expect, test } from "vitest";
import { createRunHub, readPrompt, toUiMessages } from "../../../src/http/index.js";
import { scripted, text } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { newEngine } from "../agents.js";
import { saidOf } from "../page-client.js";

const user = (words: string) => ({ id: words, role: "user", parts: [{ type: "text", text: words }] });
const answer = (words: string) => ({ id: words, role: "assistant", parts: [{ type: "text", text: words }] });

function open(answers: number) {
  const sessions = createMemorySessionStore();
  const provider = scripted(Array.from({ length: answers }, (_, index) => text(`${index + 1}`)));
  const hub = createRunHub({ engine: newEngine({ provider, sessions }) });
  const start = async (body: object) => {
    const { input, sessionId } = await readPrompt(
      new Request("http://x", { method: "POST", body: JSON.stringify({ id: "s", ...body }) }),
    );
    const run = hub.start(input, { sessionId });
    await run.started;
    return run.result;
  };
  const said = async () => saidOf((await toUiMessages(sessions.read("s"))).messages).map(({ text: words }) => words);
  return { hub, start, said };
}

test("an input that edits a message or asks for it again takes that message's place", async () => {
  const { start, said } = open(4);
  await start({ messages: [user("a")], trigger: "submit-message" });

  await start({ messages: [user("a")], trigger: "regenerate-message", messageId: "1" });
  expect(await said()).toEqual(["a", "2"]);

  await start({ messages: [user("a"), answer("2"), user("b")], trigger: "submit-message" });
  await start({ messages: [user("a"), answer("2"), user("c")], trigger: "submit-message", messageId: "b" });
  expect(await said()).toEqual(["a", "2", "c", "4"]);
});

test("where more than its place would change, the run is refused, and nothing is written", async () => {
  const { start, said } = open(2);
  await start({ messages: [user("a")] });

  const unsent = start({ messages: [user("lost"), user("a")], trigger: "regenerate-message", messageId: "1" });
  await expect(unsent).rejects.toMatchObject({ code: "OPTION_INVALID", message: expect.stringContaining("hub.send") });
  const strange = start({ messages: [answer("never"), user("a")], trigger: "regenerate-message", messageId: "1" });
  await expect(strange).rejects.toMatchObject({ code: "CHAT_DIFFERS" });
  await expect(start({ trigger: "regenerate-message", messageId: "1" })).rejects.toMatchObject({
    code: "OPTION_INVALID",
  });

  expect(await said()).toEqual(["a", "1"]);
});
