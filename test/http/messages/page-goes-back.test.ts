import { uiMessageChunkSchema } from "ai";
import fc from "fast-check";
import { type Message, type ProviderAdapter, ProviderError, type SessionStore } from "loopwright";
import { createRunHub, listBranches, toUiMessages } from "loopwright/http";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore, rewindSession } from "loopwright/sessions";
import { expect, test } from "vitest";
import { runs } from "../../runs.js";
import { newEngine } from "../agents.js";
import { joined, Page, reload, type Said, saidOf, serveChat, stop } from "../page-client.js";

/** What the model was sent, as the page has it. */
function saidTo(messages: readonly Message[]): Said[] {
  const all = messages.flatMap((message): Said[] => {
    if (message.role === "tool") return [];
    if (message.role === "user" && (message.origin ?? "user") !== "user" && message.origin !== "steering") return [];
    const content = message.content as readonly { type: string; text?: string; id?: string }[];
    const words = content.map((part) => (part.type === "text" ? part.text : "")).join("");
    return [
      {
        role: message.role,
        text: words,
        calls: content.flatMap((part) => (part.type === "tool-call" ? [part.id!] : [])),
      },
    ];
  });
  return joined(all);
}

/**
 * A model that answers in several deltas, now and then by way of a tool, and keeps the first request of each run. It fails once at what
 * ends in "Fail.", and asks at what ends in "Ask.".
 */
function listening(): ProviderAdapter & { readonly heard: Said[][] } {
  const heard: Said[][] = [];
  const failed = new Set<string>();
  let calls = 0;
  return {
    id: "listening",
    model: "listening",
    heard,
    async *stream({ messages }) {
      const isFirst = messages.at(-1)!.role === "user";
      if (isFirst) heard.push(saidTo(messages));
      const said = saidTo(messages).findLast(({ role }) => role === "user")!.text;
      if (isFirst && said.endsWith("Fail. ") && !failed.has(said)) {
        failed.add(said);
        throw new ProviderError("BAD_REQUEST", { message: "No." });
      }
      yield { type: "message-start" };
      const n = ++calls;
      for (let word = 0; word < 6; word++) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        yield { type: "text-delta", text: `${n}.${word} ` };
      }
      const isToAsk = isFirst && said.endsWith("Ask. ");
      const asksTool = isToAsk || (isFirst && n % 3 === 0);
      const call = { id: `call-${n}`, name: isToAsk ? "deploy" : "look", arguments: {} };
      if (asksTool) {
        yield { type: "tool-call-start", index: 0, id: call.id, name: call.name };
        yield { type: "tool-call-end", index: 0, call };
      }
      yield { type: "message-end", finishReason: asksTool ? "tool-calls" : "stop" };
    },
  };
}

/** The AI SDK 6 cannot take back what it has shown. */
const schema = typeof uiMessageChunkSchema === "function" ? uiMessageChunkSchema() : uiMessageChunkSchema;
const isNewest = (await schema.validate!({ type: "reset-step" })).success;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const stored = async (store: SessionStore) => saidOf((await toUiMessages(store.read("chat-1"))).messages);

async function open(provider: ProviderAdapter) {
  const sessions = createMemorySessionStore();
  const hub = createRunHub({ engine: newEngine({ provider, sessions }) });
  const url = await serveChat(hub);
  return { sessions, hub, url, page: new Page(url) };
}

const sides = (all: readonly Said[]) =>
  ["user", "assistant"].map((role) => all.flatMap((one) => (one.role === role ? one.text : [])).join(""));

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(
      "say",
      "edit",
      "again",
      "cut",
      "drop",
      "pick",
      "reload",
      "branch",
      "stop",
      "two",
      "leave",
      "fail",
      "ask",
    ),
    pick: fc.nat(100),
  }),
  { minLength: 3, maxLength: 12 },
);

/** Half of an answer is deleted whose other half another branch has joined to it, before a call that was left for a new prompt. */
const halfDeleted = (["say", "say", "pick", "ask", "say", "pick"] as const).map((kind) => ({ kind, pick: 2 }));

test("what the model is sent is what the page shows, and what the session has, whatever the page does", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (done) => {
      const provider = listening();
      const opened = await open(provider);
      const { sessions, hub, url } = opened;
      let { page } = opened;
      const arrived = async () => {
        while (!hub.findRunning("chat-1")) await wait(1);
      };
      let said = 0;
      const words = () => `Said ${++said}. `;
      const mine = () => page.messages.filter(({ role }) => role === "user");
      /** Does what sends the page's messages, and compares. */
      const compare = async (send: () => Promise<void>) => {
        const heardBefore = provider.heard.length;
        await send();
        expect(page.error).toBeUndefined();
        const shown = saidOf(page.messages);
        expect(await stored(sessions)).toEqual(shown);
        const heard = provider.heard.slice(heardBefore).at(-1);
        if (heard) expect(heard).toEqual(shown.slice(0, shown.at(-1)!.role === "user" ? undefined : -1));
      };
      for (const { kind, pick } of done) {
        const user = mine()[pick % Math.max(1, mine().length)];
        if (kind === "edit" && user) await compare(() => page.say(words(), user.id));
        else if (kind === "again" && user) await compare(() => page.regenerate({ messageId: user.id }));
        else if (kind === "cut") {
          page.messages = page.messages.slice(0, pick % (page.messages.length + 1));
          await compare(() => page.say(words()));
        } else if (kind === "drop" && page.messages.at(-1)?.role === "assistant") {
          page.messages = page.messages.slice(0, -1);
          await compare(() => page.say(words()));
        } else if (kind === "pick" && page.messages.length > 0) {
          page.messages = page.messages.filter((_, index) => index !== pick % page.messages.length);
          await compare(() => page.say(words()));
        } else if (kind === "reload") page = await reload(url, sessions);
        else if (kind === "branch") {
          const branches = await listBranches(sessions.read("chat-1"));
          const branch = branches[pick % Math.max(1, branches.length)];
          if (branch) await rewindSession(sessions, "chat-1", branch.id);
          page = await reload(url, sessions);
        } else if (kind === "stop") {
          await compare(async () => {
            const sent = page.say(words());
            await arrived();
            await wait(pick % 12);
            await stop(url);
            await sent;
          });
        } else if (kind === "fail") {
          await page.say(`${words()}Fail. `);
          expect(page.error?.message).toContain("No.");
          page = await reload(url, sessions);
        } else if (kind === "ask") {
          await compare(() => page.say(`${words()}Ask. `));
        } else if (kind === "leave") {
          const sent = page.say(words());
          await arrived();
          await wait(pick % 12);
          await page.stop();
          await sent;
          await stop(url);
          page = await reload(url, sessions);
        } else if (kind === "two") {
          const first = page.say(words());
          await arrived();
          await wait(pick % 12);
          await Promise.all([first, page.say(words())]);
          expect(page.error).toBeUndefined();
          // The client puts an answer that had not begun behind both messages.
          expect(sides(saidOf(page.messages))).toEqual(sides(await stored(sessions)));
          if (pick % 2) page = await reload(url, sessions);
          else await page.say(words());
          expect(page.error).toBeUndefined();
          page = await reload(url, sessions);
        } else await compare(() => page.say(words()));
      }
    }),
    { numRuns: runs(15, 20, 1_000), examples: [[halfDeleted]] },
  );
});

const chat = async (...answers: readonly unknown[]) => {
  const provider = scripted(answers as never);
  return { provider, ...(await open(provider)) };
};
const textsOf = (page: Page) => saidOf(page.messages).map(({ text: words }) => words);

test("an answer that is asked for again is another branch, and the first one can be listed and chosen", async () => {
  const { page, url, sessions, provider } = await chat(text("Red."), text("Blue."), text("As I said."));
  await page.say("A colour?");
  await page.regenerate();
  expect(textsOf(page)).toEqual(["A colour?", "Blue."]);
  expect(provider.requests.map(({ messages }) => messages.length)).toEqual([1, 1]);

  const branches = await listBranches(sessions.read("chat-1"));
  expect(branches).toMatchObject([
    { isCurrent: true, messages: 2, differsAt: null },
    { isCurrent: false, messages: 2, differsAt: { text: "Red." } },
  ]);
  await rewindSession(sessions, "chat-1", branches[1]!.id);
  const chosen = await reload(url, sessions);
  expect(textsOf(chosen)).toEqual(["A colour?", "Red."]);
  await chosen.say("Sure?");

  expect(textsOf(chosen)).toEqual(["A colour?", "Red.", "Sure?", "As I said."]);
  expect(provider.requests.at(-1)!.messages).toHaveLength(3);
  expect((await listBranches(sessions.read("chat-1"))).map(({ messages }) => messages)).toEqual([4, 2]);
});

test("a page that sends one message goes back by the id of the message", async () => {
  const { url, sessions, provider } = await chat(text("One."), text("Two."), text("Three."), text("Four."));
  const post = async (body: object) => {
    const sent = JSON.stringify({ id: "chat-1", ...body });
    const response = await fetch(`${url}/chat`, { method: "POST", body: sent });
    return { status: response.status, body: await response.text() };
  };
  const message = (words: string) => ({ message: { id: "m", role: "user", parts: [{ type: "text", text: words }] } });
  await post(message("a"));
  await post(message("b"));
  const [a, , , two] = (await toUiMessages(sessions.read("chat-1"))).messages;

  await post({ trigger: "regenerate-message", messageId: two!.id });
  expect((await stored(sessions)).map(({ text: words }) => words)).toEqual(["a", "One.", "b", "Three."]);
  await post({ trigger: "submit-message", messageId: a!.id, ...message("c") });

  expect((await stored(sessions)).map(({ text: words }) => words)).toEqual(["c", "Four."]);
  expect(provider.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 3, 1]);
  expect(await post({ trigger: "regenerate-message", messageId: "nothing" })).toMatchObject({
    status: 409,
    body: expect.stringContaining('no message \\"nothing\\"'),
  });
  expect(await post({ trigger: "regenerate-message" })).toMatchObject({ status: 400 });
});

test("a page that shows what the session does not have is refused, and learns what differs", async () => {
  const { page, provider } = await chat(text("Red."), text("Blue."));
  await page.say("A colour?");
  page.messages = page.messages.map((message) =>
    message.role === "user" ? message : { ...message, parts: [{ type: "text", text: "Green." }] },
  );

  await page.say("Sure?");

  expect(page.error?.message).toContain("CHAT_DIFFERS");
  expect(page.error?.message).toContain("Message 2 of the page is the assistant's");
  expect(page.error?.message).toContain("Red.");
  expect(provider.requests).toHaveLength(1);
});

test("an answer that is half of a longer one in another branch is not taken for its beginning", async () => {
  const { page, sessions, provider } = await chat(text("One. "), text("Two. "), text("Three."), text("Four."));
  await page.say("a");
  await page.say("b");
  const without = (at: number) => page.messages.filter((_, index) => index !== at);
  page.messages = without(2);
  await page.say("c");
  expect(await stored(sessions)).toMatchObject([
    { text: "a" },
    { text: "One. Two. " },
    { text: "c" },
    { text: "Three." },
  ]);

  page.messages = without(2);
  await page.say("d");

  expect(textsOf(page)).toEqual(["a", "One. ", "c", "Three.", "d", "Four."]);
  expect(saidTo(provider.requests.at(-1)!.messages)).toEqual(saidOf(page.messages).slice(0, -1));
  expect(await stored(sessions)).toEqual(saidOf(page.messages));
});

test("a message that never reached the server is sent with the next one", async () => {
  const { page, provider, sessions } = await chat(text("One."), text("Two."));
  await page.say("a");
  page.messages = [...page.messages, { id: "lost", role: "user", parts: [{ type: "text", text: "b" }] }];

  await page.say("c");
  await page.say("d").catch(() => {});

  expect(provider.requests[1]!.messages.at(-1)!.content).toMatchObject([{ text: "b" }, { text: "c" }]);
  expect((await stored(sessions)).map(({ text: words }) => words).slice(0, 4)).toEqual(["a", "One.", "bc", "Two."]);
});

test("a page that goes back while a call waits for an approval denies it there, and not in the branch it left", async () => {
  const { page, url, sessions } = await chat(toolCall("deploy"), text("Then not."), text("Deployed it."));
  await page.say("Deploy.");
  const asked = page.messages[0]!;

  await page.say("Do not deploy.", asked.id);
  expect(textsOf(page)).toEqual(["Do not deploy.", "Then not."]);

  const [, left] = await listBranches(sessions.read("chat-1"));
  await rewindSession(sessions, "chat-1", left!.id);
  const back = await reload(url, sessions);
  const part = back.messages[1]!.parts.find((one) => "approval" in one) as { approval: { id: string } };
  await back.addToolApprovalResponse({ id: part.approval.id, approved: true });
  await back.sendMessage();

  expect(textsOf(back)).toEqual(["Deploy.", "Deployed it."]);
});

test("a message before a call that waits for an approval is deleted, and the call is denied in the new branch", async () => {
  const { page, provider, sessions } = await chat(text("One."), toolCall("deploy", {}, { id: "d" }), text("Then not."));
  await page.say("a");
  await page.say("Deploy.");
  page.messages = page.messages.slice(2);

  await page.say("Do not deploy.");

  expect(page.error).toBeUndefined();
  expect(saidTo(provider.requests.at(-1)!.messages)).toEqual([
    { role: "user", text: "Deploy.", calls: [] },
    { role: "assistant", text: "", calls: ["d"] },
    { role: "user", text: "Do not deploy.", calls: [] },
  ]);
  expect(provider.requests.at(-1)!.messages[2]).toMatchObject({
    role: "tool",
    content: [{ toolCallId: "d", isError: true, output: expect.stringContaining("went on without this call") }],
  });
  expect(await stored(sessions)).toEqual(saidOf(page.messages));
});

test("a message whose run has failed stays a message of its own where the next one is asked for again", async () => {
  const no = new ProviderError("BAD_REQUEST", { message: "No." });
  const { page, provider, url, sessions } = await chat(text("One."), no, text("Two."), text("Again two."));
  await page.say("a");
  await page.say("b");
  expect(page.error).toBeDefined();
  await page.say("c");

  await page.regenerate();

  expect(page.error).toBeUndefined();
  expect(provider.requests.at(-1)!.messages).toEqual(provider.requests.at(-2)!.messages);
  const messages = (await reload(url, sessions)).messages.filter(({ role }) => role === "user");
  expect(messages.map(({ parts }) => parts)).toMatchObject([[{ text: "a" }], [{ text: "b" }], [{ text: "c" }]]);
});

test("what a failed model call has said is void on the page, too", async () => {
  let tries = 0;
  const heard: Said[][] = [];
  const { page, sessions } = await open({
    id: "failing",
    model: "failing",
    async *stream({ messages }) {
      heard.push(saidTo(messages));
      yield { type: "message-start" };
      yield { type: "text-delta", text: "Half" };
      if (tries++ === 0) throw new ProviderError("BAD_REQUEST", { message: "No." });
      yield { type: "message-end", finishReason: "stop" };
    },
  });
  await page.say("a").catch(() => {});
  expect(page.error).toBeDefined();
  if (isNewest) expect(textsOf(page)).toEqual(["a"]);
  else page.messages = page.messages.slice(0, 1);

  await page.say("b");

  expect(page.error).toBeUndefined();
  expect(heard.at(-1)).toEqual([{ role: "user", text: "ab", calls: [] }]);
  expect(await stored(sessions)).toEqual(saidOf(page.messages));
});
