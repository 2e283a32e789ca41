import { randomUUID } from "node:crypto";
import { type Message, Role, type SendMessageRequest, type StreamResponse, type Task } from "@a2a-js/sdk";
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { type A2aCard, type ServeA2aOptions, serveA2a } from "../../src/a2a/index.js";
import { serve } from "../http/loopback.js";

export const CARD: Omit<A2aCard, "url"> = { name: "Deployer", description: "Deploys things.", version: "1.0.0" };

/** Users by their tokens, as a server may have them. */
export const byToken = (request: Request) =>
  /^Bearer (\w+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;

/** An agent on a loopback server of its own. */
export async function serveAgent(
  options: Omit<ServeA2aOptions, "card" | "authenticate"> & Partial<ServeA2aOptions>,
  path = "/a2a",
) {
  let answer: ((request: Request) => Promise<Response>) | undefined;
  const server = await serve((request) => answer!(request));
  const url = server.url + path;
  answer = serveA2a({ authenticate: byToken, card: { ...CARD, url }, ...options });
  return { ...server, url, origin: server.url };
}

/** `fetch` as a user. */
export const as =
  (user: string): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${user}`);
    return fetch(input, { ...init, headers });
  };

export type Binding = "JSONRPC" | "HTTP+JSON" | "0.3";

/** A client of the SDK's, over one binding; of version 0.3 over JSON-RPC. */
export async function connect(url: string, binding: Binding = "JSONRPC", user = "ann") {
  const fetchImpl = as(user);
  const legacyCompat = { enabled: binding === "0.3" };
  const factory = new ClientFactory({
    transports:
      binding === "HTTP+JSON"
        ? [new RestTransportFactory({ fetchImpl })]
        : [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })],
    cardResolver: new DefaultAgentCardResolver({ legacyCompat }),
  });
  if (binding !== "0.3") return factory.createFromUrl(new URL(url).origin);
  const card = await (await fetch(`${new URL(url).origin}/.well-known/agent-card.json`)).json();
  delete card.supportedInterfaces;
  return factory.createFromAgentCard(new DefaultAgentCardResolver({ legacyCompat }).normalizeAgentCard(card));
}

export function said(text: string, ids: Partial<Pick<Message, "taskId" | "contextId">> = {}): SendMessageRequest {
  const part = { content: { $case: "text" as const, value: text }, mediaType: "", filename: "", metadata: undefined };
  return sent([part], ids);
}

export function answered(value: unknown, taskId: string): SendMessageRequest {
  const part = { content: { $case: "data" as const, value }, mediaType: "", filename: "", metadata: undefined };
  return sent([part], { taskId });
}

export function sent(
  parts: Message["parts"],
  ids: Partial<Pick<Message, "taskId" | "contextId">> = {},
): SendMessageRequest {
  const base = {
    messageId: randomUUID(),
    role: Role.ROLE_USER,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
  return {
    tenant: "",
    message: { ...base, contextId: "", taskId: "", ...ids, parts },
    configuration: undefined,
    metadata: undefined,
  };
}

/** What a client has of a task after some updates, as the protocol says that they are put together. */
export class Seen {
  id = "";
  contextId = "";
  states: number[] = [];
  artifacts = new Map<string, string>();
  status: Task["status"];

  add({ payload }: StreamResponse): this {
    if (payload?.$case === "task") {
      this.id = payload.value.id;
      this.contextId = payload.value.contextId;
      this.artifacts = artifactsOf(payload.value);
    }
    if (payload?.$case === "task" || payload?.$case === "statusUpdate") {
      this.status = payload.value.status;
      this.states.push(payload.value.status!.state);
    }
    if (payload?.$case === "artifactUpdate") {
      const { artifact, append } = payload.value;
      const text = textOf(artifact!.parts);
      const before = append ? (this.artifacts.get(artifact!.artifactId) ?? "[lost]") : "";
      this.artifacts.set(artifact!.artifactId, before + text);
    }
    return this;
  }
}

export async function seenOf(stream: AsyncIterable<StreamResponse>): Promise<Seen> {
  const seen = new Seen();
  for await (const update of stream) seen.add(update);
  return seen;
}

export function artifactsOf({ artifacts }: Task): Map<string, string> {
  return new Map(artifacts.map(({ artifactId, parts }) => [artifactId, textOf(parts)]));
}

export function textOf(parts: Message["parts"]): string {
  return parts
    .map(({ content }) => {
      if (content?.$case === "text") return content.value;
      if (content?.$case === "raw") return `<${content.value.length} bytes>`;
      return content?.$case === "data" ? JSON.stringify(content.value) : "";
    })
    .join("\n");
}

/** The question's data in a task that waits. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into any kind of question
export function questionsOf(status: Task["status"]): any[] {
  return status!.message!.parts.flatMap(({ content }) => (content?.$case === "data" ? [content.value] : []));
}
