import { expect, test } from "vitest";
import { AgentEngine, ConfigurationError, type SessionEntry, type SessionStore } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createFileSessionStore, createMemorySessionStore, rewindSession } from "../../../src/sessions/index.js";
import { deploy } from "../../http/agents.js";
import { temporaryDirectory } from "../../sessions/kit.js";

const stores: [string, () => SessionStore][] = [
  ["memory", () => createMemorySessionStore()],
  ["file", () => createFileSessionStore({ dir: temporaryDirectory(), durability: "process" })],
];

async function entriesOf(store: SessionStore): Promise<SessionEntry[]> {
  const entries: SessionEntry[] = [];
  for await (const entry of store.read("s")) entries.push(entry);
  return entries;
}

const textsOf = (messages: readonly { readonly content: readonly unknown[] }[]) =>
  messages.map(({ content }) => (content[0] as { text?: string }).text);

test.each(stores)(
  "a prompt follows the entry that `after` names, and what came after it stays (%s)",
  async (_, make) => {
    const sessions = make();
    const provider = scripted([text("1"), text("2"), text("3"), text("4"), text("5")]);
    const engine = new AgentEngine({ provider, sessions });
    await engine.run("a", { sessionId: "s" });
    const end = (await entriesOf(sessions)).at(-1)!.id;
    await engine.run("b", { sessionId: "s" });
    const before = await entriesOf(sessions);

    const branch = await engine.run("c", { sessionId: "s", after: end });
    const first = await engine.run("d", { sessionId: "s", after: null });
    const next = await engine.run("e", { sessionId: "s" });

    expect(textsOf(branch.messages())).toEqual(["a", "1", "c", "3"]);
    expect(textsOf(first.messages())).toEqual(["d", "4"]);
    expect(textsOf(next.messages())).toEqual(["d", "4", "e", "5"]);
    expect((await entriesOf(sessions)).slice(0, before.length)).toEqual(before);
    await rewindSession(sessions, "s", before.at(-1)!.id);
    expect(textsOf((await engine.resume("s").result).messages())).toEqual(["a", "1", "b", "2"]);
  },
);

test("with `after`, the history comes between that entry and the prompt", async () => {
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({ provider: scripted([text("1"), text("2")]), sessions });
  await engine.run("a", { sessionId: "s" });
  const history = [
    { role: "user", content: "kept" },
    { role: "assistant", content: "too" },
  ] as const;

  const run = await engine.run("b", { sessionId: "s", after: (await entriesOf(sessions)).at(-1)!.id, history });

  expect(textsOf(run.messages())).toEqual(["a", "1", "kept", "too", "b", "2"]);
  await expect(engine.run("c", { sessionId: "s", history })).rejects.toMatchObject({ code: "OPTION_INVALID" });
});

test("a call that is open at the entry is denied in the new branch", async () => {
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({ provider: scripted([toolCall("deploy"), text("2")]), tools: [deploy], sessions });
  await engine.run("a", { sessionId: "s" });
  const asked = (await entriesOf(sessions)).find(({ type }) => type === "pending")!.id;

  const run = await engine.run("b", { sessionId: "s", after: asked });

  expect(run.messages().map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user", "assistant"]);
});

test("an entry that the session does not have is refused, and the session stays as it is", async () => {
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({ provider: scripted([text("1")]), sessions });
  await engine.run("a", { sessionId: "s" });
  const before = await entriesOf(sessions);

  await expect(engine.run("b", { sessionId: "s", after: "nothing" })).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringContaining('the id of an entry of session "s"'),
  });

  expect(await entriesOf(sessions)).toEqual(before);
});

test("a function finds the place among the session's entries, and a ConfigurationError that it throws refuses the run", async () => {
  const sessions = createMemorySessionStore();
  const engine = new AgentEngine({ provider: scripted([text("1"), text("2"), text("3")]), sessions });
  await engine.run("a", { sessionId: "s" });
  const end = (await entriesOf(sessions)).at(-1)!.id;
  await engine.run("b", { sessionId: "s" });

  const run = await engine.run("c", {
    sessionId: "s",
    after: (entries) => entries.find(({ id }) => id === end)?.id,
  });

  expect(textsOf(run.messages())).toEqual(["a", "1", "c", "3"]);
  const before = await entriesOf(sessions);
  const refuse = () => {
    throw new ConfigurationError("OPTION_INVALID", { message: "No place." });
  };
  await expect(engine.run("d", { sessionId: "s", after: refuse })).rejects.toThrow("No place.");
  await expect(engine.run("d", { sessionId: "s", after: () => "nothing" })).rejects.toMatchObject({
    code: "OPTION_INVALID",
  });
  expect(await entriesOf(sessions)).toEqual(before);
});
