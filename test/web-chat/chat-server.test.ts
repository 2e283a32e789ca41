import { expect, test } from "vitest";
import { ChatServer } from "../../examples/web-chat/chat-server.js";
import { AgentEngine } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { type ScriptedContent, scripted, text } from "../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { collect, temporaryDirectory } from "../sessions/kit.js";

function chatWith(turn: () => ScriptedContent | Promise<ScriptedContent>) {
  const sessions = createMemorySessionStore();
  const gate = createPermissionChecker();
  const engine = new AgentEngine({ provider: scripted([turn], { loop: true }), permissions: gate, sessions });
  const about = { title: "", model: "", place: "", suggestions: [] };
  const chat = new ChatServer({ engine, sessions, gate, about, steeringFile: `${temporaryDirectory()}/steering.json` });
  return {
    engine,
    sessions,
    async ask(method: string, path: string, body?: object) {
      const json = body && { body: JSON.stringify(body) };
      const response = await chat.handle(new Request(`http://localhost/api/${path}`, { method, ...json }));
      return { status: response.status, body: await response.json() };
    },
  };
}

test("a path that cannot be decoded is a bad request, and a sub-agent's session is not one to talk to", async () => {
  const { ask } = chatWith(() => text("Hello."));

  expect(await ask("GET", "sessions/%zz")).toMatchObject({ status: 400, body: { error: { code: "BAD_REQUEST" } } });
  for (const [method, path] of [
    ["GET", "sessions/sub-1"],
    ["POST", "sessions/sub-1/messages"],
    ["GET", "sessions/sub-1/runs/r/events"],
  ] as const) {
    expect(await ask(method, path, method === "POST" ? { input: "Hi" } : undefined)).toMatchObject({ status: 404 });
  }
});

test("of two messages that come while a run ends neither is refused", async () => {
  const { ask, engine, sessions } = chatWith(() => text("Hello."));
  const { sessionId } = (await ask("POST", "sessions", { input: "One" })).body;
  const both: Promise<{ status: number }>[] = [];
  engine.on("run-end", () => {
    if (both.length > 0) return;
    for (const input of ["Two", "Three"]) both.push(ask("POST", `sessions/${sessionId}/messages`, { input }));
  });
  await ask("POST", `sessions/${sessionId}/messages`, { input: "And" });
  await expect.poll(() => both.length, { timeout: 20_000 }).toBe(2);

  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([202, 202]);
  const said = async () => JSON.stringify(await collect(sessions.read(sessionId)));
  await expect.poll(said, { timeout: 20_000 }).toMatch(/Two.*Three/s);
  await engine.close();
});
