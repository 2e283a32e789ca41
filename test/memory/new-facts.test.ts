import { expect, test } from "vitest";
import { AgentEngine } from "../../src/index.js";
import { createMemoryFactStore, createMemoryTools, factSource } from "../../src/memory/index.js";
import { scripted, text } from "../../src/providers/scripted/index.js";

/** Texts of the reminders that the model was sent in a session's last request. */
function remindersIn(provider: ReturnType<typeof scripted>): string[] {
  return provider.requests
    .at(-1)!
    .messages.filter((message) => message.role === "user" && message.origin === "reminder")
    .map((message) => JSON.stringify(message.content));
}

test("a fact of another session is announced once in a session, however many runs follow", async () => {
  let clock = 1_000;
  const store = createMemoryFactStore({ now: () => clock++ });
  await store.remember({ text: "The staging host is heron." });
  const provider = scripted(Array.from({ length: 6 }, () => text("Fine.")));
  const engine = new AgentEngine({ provider, tools: createMemoryTools(store), contextSources: [factSource(store)] });
  const ask = () => engine.run("Go on.", { sessionId: "s" });

  await ask();
  await store.remember({ text: "The production host is osprey." });
  for (let run = 0; run < 3; run++) await ask();
  await store.remember({ text: "The test host is kestrel." });
  for (let run = 0; run < 2; run++) await ask();

  const said = remindersIn(provider);
  expect(said.filter((each) => each.includes("osprey"))).toHaveLength(1);
  expect(said.filter((each) => each.includes("kestrel"))).toHaveLength(1);
});
