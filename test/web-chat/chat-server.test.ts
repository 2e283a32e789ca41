import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ChatServer } from "../../examples/web-chat/chat-server.js";
import type { SessionSnapshot } from "../../examples/web-chat/session-snapshot.js";
import { AgentEngine, type SessionStore } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import {
  type RecordedRequest,
  type ScriptedContent,
  scripted,
  text,
  toolCall,
} from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { deploy, gate } from "../http/agents.js";

type Model = (request: RecordedRequest, index: number) => ScriptedContent | Promise<ScriptedContent>;

/** A chat on data that outlives it: `open` starts a server, again as after a restart. */
function chatOf(model: Model, sessions: SessionStore = createMemorySessionStore()) {
  const directory = mkdtempSync(join(tmpdir(), "web-chat-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return () => {
    const permissions = createPermissionChecker({});
    const engine = new AgentEngine({
      provider: scripted([model], { loop: true }),
      sessions,
      permissions,
      tools: [deploy],
    });
    onTestFinished(() => engine.close());
    const about = { title: "", model: "", place: "", suggestions: [] };
    const server = new ChatServer({
      engine,
      sessions,
      gate: permissions,
      about,
      steeringFile: join(directory, "sent.json"),
    });
    const call = async (method: string, path: string, body?: object) => {
      const request = new Request(`http://localhost/api/${path}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
      });
      const response = await server.handle(request);
      return { status: response.status, body: await response.json() };
    };
    return {
      server,
      say: (input: string, id?: string) =>
        call("POST", id === undefined ? "sessions" : `sessions/${id}/messages`, { input }),
      answer: (id: string, answers: object[]) => call("POST", `sessions/${id}/answers`, { answers }),
      stop: (id: string) => call("POST", `sessions/${id}/stop`),
      session: async (id: string): Promise<SessionSnapshot> => (await call("GET", `sessions/${id}`)).body,
    };
  };
}

/** What the model has read of the users, in each of its requests. */
const readBy = ({ messages }: RecordedRequest) =>
  messages.flatMap((message) =>
    message.role === "user" ? message.content.map((part) => (part.type === "text" ? part.text : "")) : [],
  );

/** The texts of a session's user and agent, oldest first. */
const textsOf = ({ entries }: SessionSnapshot) =>
  entries.flatMap((entry) => {
    if (entry.type !== "message" || (entry.message.role !== "user" && entry.message.role !== "assistant")) return [];
    return entry.message.content.flatMap((part) => (part.type === "text" ? part.text : []));
  });

/** A store in which the end of the first run takes until `ending` is opened. */
function slowToEnd(ending: ReturnType<typeof gate>, onEnd: () => void): SessionStore {
  const store = createMemorySessionStore();
  let isFirst = true;
  const append: SessionStore["append"] = async (id, entries) => {
    if (isFirst && entries.some(({ type }) => type === "run-end")) {
      isFirst = false;
      onEnd();
      await ending.opened;
    }
    return store.append(id, entries);
  };
  return new Proxy(store, {
    get: (target, name) => (name === "append" ? append : Reflect.get(target, name).bind(target)),
  });
}

test("what comes too late for a run begins the next one", async () => {
  const [ending, isEnding] = [gate(), gate()];
  const open = chatOf((request) => text(`heard ${readBy(request).length}`), slowToEnd(ending, isEnding.open));
  const chat = open();
  const { sessionId } = (await chat.say("one")).body;
  await isEnding.opened;

  const late = await Promise.all([chat.say("two", sessionId), chat.say("three", sessionId)]);
  ending.open();

  expect(late.map(({ status }) => status)).toEqual([202, 202]);
  await vi.waitFor(async () => expect((await chat.session(sessionId)).runId).toBeNull(), { timeout: 240_000 });
  const session = await chat.session(sessionId);
  expect(textsOf(session)).toEqual(["one", "heard 1", "two", "three", "heard 3"]);
  expect(session.queued).toEqual([]);
});

test("what was said before the agent asks reaches the model with the answer", async () => {
  const [asked, mayAsk] = [gate(), gate()];
  const open = chatOf(async (request, index) => {
    if (index > 0) return text(`heard ${readBy(request).join()}`);
    asked.open();
    await mayAsk.opened;
    return toolCall("deploy", {});
  });
  const chat = open();
  const { sessionId } = (await chat.say("one")).body;
  await asked.opened;

  await chat.say("two", sessionId);
  mayAsk.open();
  const question = await vi.waitFor(
    async () => {
      const { questions } = await chat.session(sessionId);
      expect(questions).toHaveLength(1);
      return questions[0]!;
    },
    { timeout: 240_000 },
  );
  await chat.answer(sessionId, [{ id: question.id, decision: "allow" }]);

  await vi.waitFor(async () => expect(textsOf(await chat.session(sessionId))).toContain("heard one,two"), {
    timeout: 240_000,
  });
});

test("what a stopped run has not read is shown as waiting, and goes first with what is said next", async () => {
  const [thinking, never] = [gate(), gate()];
  const open = chatOf(async (request) => {
    if (readBy(request).length > 1) return text(`heard ${readBy(request).join()}`);
    thinking.open();
    await never.opened;
    return text("late");
  });
  const chat = open();
  const { sessionId } = (await chat.say("one")).body;
  await thinking.opened;
  await chat.say("two", sessionId);

  await chat.stop(sessionId);
  const stopped = await chat.session(sessionId);
  const restarted = open();
  await restarted.server.restore();
  const shown = await restarted.session(sessionId);
  await restarted.say("three", sessionId);

  expect([stopped.queued, shown.queued]).toEqual([["two"], ["two"]]);
  await vi.waitFor(async () => expect(textsOf(await restarted.session(sessionId))).toContain("heard one,two,three"), {
    timeout: 240_000,
  });
  expect((await restarted.session(sessionId)).queued).toEqual([]);
  never.open();
});

test("a path that cannot be decoded is a bad request, and a sub-agent's session is not one to talk to", async () => {
  const { server } = chatOf(() => text("Hello."))();
  const answerTo = async (method: string, path: string) => {
    const body = method === "POST" ? { body: JSON.stringify({ input: "Hi" }) } : {};
    const response = await server.handle(new Request(`http://localhost/api/${path}`, { method, ...body }));
    return [response.status, (await response.json()).error.code];
  };

  expect(await answerTo("GET", "sessions/%zz")).toEqual([400, "BAD_REQUEST"]);
  for (const [method, path] of [
    ["GET", "sessions/sub-1"],
    ["POST", "sessions/sub-1/messages"],
    ["GET", "sessions/sub-1/runs/r/events"],
  ] as const) {
    expect(await answerTo(method, path)).toEqual([404, "NOT_FOUND"]);
  }
});
