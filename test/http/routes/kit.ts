// Routes as several users ask them: Ann's sessions begin with "ann-", and a cookie says who asks.
import { type ChatRoutesOptions, createChatRoutes, createRunHub } from "../../../src/http/index.js";
import type { AgentEngine, SessionStore } from "../../../src/index.js";
import { scripted } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { deploy, newEngine } from "../agents.js";

export type Asked = Parameters<ChatRoutesOptions["authorize"]>[0];

export function open(
  turns: readonly unknown[],
  more: Partial<ChatRoutesOptions> = {},
  memory: SessionStore = createMemorySessionStore(),
  options: Partial<ConstructorParameters<typeof AgentEngine>[0]> = {},
) {
  const read: string[] = [];
  const sessions: SessionStore = {
    append: (...args) => memory.append(...args),
    lock: (id) => memory.lock(id),
    list: (filter) => memory.list(filter),
    delete: (id) => memory.delete(id),
    read(id) {
      read.push(id);
      return memory.read(id);
    },
  };
  const asked: Asked[] = [];
  const provider = scripted(turns as never);
  const hub = createRunHub({ engine: newEngine({ provider, sessions, tools: [deploy], ...options }) });
  const routes = createChatRoutes({
    engine: hub,
    identify: ({ headers }) => {
      const id = /user=(\w+)/.exec(headers.get("cookie") ?? "")?.[1];
      return id === undefined ? null : { id };
    },
    authorize: (question) => {
      asked.push(question);
      return question.session.startsWith(`${question.user.id}-`);
    },
    ...more,
  });
  const send = (user: string | null, method: string, path: string, body?: unknown, headers: object = {}) =>
    routes.handle(
      new Request(`http://chat.test${path}`, {
        method,
        headers: {
          ...(user !== null && { cookie: `user=${user}` }),
          ...(method !== "GET" && { "content-type": "application/json", origin: "http://chat.test" }),
          ...headers,
        },
        ...(method !== "GET" && { body: JSON.stringify(body ?? {}) }),
      }),
    );
  return { routes, hub, sessions: memory, read, asked, provider, send };
}

export const message = (id: string, words: string) => ({
  id,
  messages: [{ id: "1", role: "user", parts: [{ type: "text", text: words }] }],
});
