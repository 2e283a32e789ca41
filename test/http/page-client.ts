// A page with the AI SDK's own client, the one below `useChat`, and a server as the guides show it.
import { AbstractChat, type ChatState, type ChatStatus, DefaultChatTransport, type UIMessage } from "ai";
import { onTestFinished } from "vitest";
import { type RunHub, readPrompt, toErrorResponse, toResponse, toUiMessages } from "../../src/http/index.js";
import type { SessionStore } from "../../src/index.js";
import { serve } from "./loopback.js";

export class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = "ready";
  error: Error | undefined = undefined;

  constructor(public messages: UIMessage[]) {}

  pushMessage = (message: UIMessage) => {
    this.messages = [...this.messages, message];
  };
  popMessage = () => {
    this.messages = this.messages.slice(0, -1);
  };
  replaceMessage = (index: number, message: UIMessage) => {
    this.messages = this.messages.map((one, at) => (at === index ? structuredClone(message) : one));
  };
  snapshot = <T>(value: T): T => structuredClone(value);
}

export class Page extends AbstractChat<UIMessage> {
  constructor(url: string, messages: UIMessage[] = []) {
    super({
      id: "chat-1",
      transport: new DefaultChatTransport({ api: `${url}/chat` }),
      state: new PlainState(messages),
    });
  }

  say(text: string, messageId?: string): Promise<void> {
    return this.sendMessage({ text, ...(messageId !== undefined && { messageId }) });
  }
}

/** The routes of the guides: chat, resume, stop. */
export async function serveChat(hub: RunHub): Promise<string> {
  const server = await serve(async (request) => {
    try {
      const [, , id, action] = new URL(request.url).pathname.split("/");
      if (action === "stop") return Response.json({ stopped: await hub.stop(id!) });
      if (action === "stream") {
        const running = hub.findRunning(id!);
        return running ? toResponse(running, { format: "ui-messages" }) : new Response(null, { status: 204 });
      }
      return toResponse(await hub.send(await readPrompt(request)), { format: "ui-messages" });
    } catch (error) {
      return toErrorResponse(error);
    }
  });
  onTestFinished(server.close);
  return server.url;
}

export async function stop(url: string): Promise<void> {
  await fetch(`${url}/chat/chat-1/stop`, { method: "POST" });
}

/** A page as it is after a reload. */
export async function reload(url: string, store: SessionStore): Promise<Page> {
  const { messages } = await toUiMessages(store.read("chat-1"), { sessionId: "chat-1" });
  return new Page(url, structuredClone(messages) as unknown as UIMessage[]);
}

/** What was said, by whom: the texts and the calls of a side until the other one speaks. */
export interface Said {
  role: "user" | "assistant";
  text: string;
  calls: string[];
}

export function saidOf(messages: readonly { readonly role: string; readonly parts: readonly object[] }[]): Said[] {
  return joined(
    messages.map(({ role, parts }) => ({
      role: role as Said["role"],
      text: parts
        .map((part) => ("text" in part && "type" in part && part.type === "text" ? String(part.text) : ""))
        .join(""),
      calls: parts.flatMap((part) => ("toolCallId" in part ? [String(part.toolCallId)] : [])),
    })),
  );
}

export function joined(all: readonly Said[]): Said[] {
  const groups: Said[] = [];
  for (const { role, text, calls } of all) {
    if (role === "assistant" && text === "" && calls.length === 0) continue;
    const last = groups.at(-1);
    if (last?.role === role) Object.assign(last, { text: last.text + text, calls: [...last.calls, ...calls] });
    else groups.push({ role, text, calls: [...calls] });
  }
  return groups;
}
