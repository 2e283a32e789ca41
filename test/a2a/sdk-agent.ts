// An agent of the SDK's own, behind its Express handlers, as another vendor would build it.
import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AgentCard, type Part, Role, type TaskState } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";

/** What an executor of a test does with a message. */
export interface Turn {
  readonly text: string;
  readonly parts: readonly Part[];
  readonly context: RequestContext;
  status(state: TaskState, parts?: Part[]): void;
  artifact(artifactId: string, parts: Part[], append?: boolean): void;
  /** An answer without a task. */
  message(parts: Part[]): void;
}

export interface SdkAgent {
  readonly url: string;
  readonly canceled: string[];
  /** The credentials of each request, by path. */
  readonly seen: { readonly path: string; readonly key: string | undefined }[];
  readonly server: Server;
  close(): Promise<void>;
}

export const text = (value: string): Part => part({ $case: "text", value });
export const part = (content: Part["content"], mediaType = ""): Part => ({
  content,
  mediaType,
  filename: "",
  metadata: undefined,
});

export async function sdkAgent(
  act: (turn: Turn) => Promise<void> | void,
  {
    bindings = ["JSONRPC"],
    streaming = true,
    origin,
  }: { readonly bindings?: readonly string[]; readonly streaming?: boolean; readonly origin?: string } = {},
): Promise<SdkAgent> {
  const canceled: string[] = [];
  const seen: { path: string; key: string | undefined }[] = [];
  const app = express();
  app.use((request, _response, next) => {
    seen.push({ path: request.path, key: request.header("x-api-key") });
    next();
  });
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, "127.0.0.1", () => resolve(listening));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const paths: Readonly<Record<string, string>> = { JSONRPC: "/rpc", "HTTP+JSON": "/rest" };
  const card = AgentCard.fromJSON({
    name: "Other",
    description: "Another agent.",
    version: "1.0.0",
    supportedInterfaces: bindings.map((protocolBinding) => ({
      url: (origin ?? url) + paths[protocolBinding],
      protocolBinding,
      protocolVersion: "1.0",
    })),
    capabilities: { streaming },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  });
  const contexts = new Map<string, string>();
  const executor: AgentExecutor = {
    async execute(context, bus) {
      contexts.set(context.taskId, context.contextId);
      await act(turnOf(context, bus));
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      canceled.push(taskId);
      const contextId = contexts.get(taskId) ?? "";
      const status = { state: 5 as TaskState, message: undefined, timestamp: undefined };
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
      bus.finished();
    },
  };
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
  app.use("/rpc", jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  app.use("/rest", restHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return {
    url,
    canceled,
    seen,
    server,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function turnOf(context: RequestContext, bus: ExecutionEventBus): Turn {
  const { taskId, contextId, userMessage } = context;
  const said = (parts: Part[]) => ({
    messageId: randomUUID(),
    role: Role.ROLE_AGENT,
    taskId,
    contextId,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  });
  let isFirst = true;
  const begin = () => {
    if (!isFirst) return;
    isFirst = false;
    const status = { state: 2 as TaskState, message: undefined, timestamp: undefined };
    const base = { id: taskId, contextId, artifacts: context.task?.artifacts ?? [], metadata: undefined };
    bus.publish(AgentEvent.task({ ...base, status, history: context.task?.history ?? [userMessage] }));
  };
  return {
    text: userMessage.parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join(""),
    parts: userMessage.parts,
    context,
    status(state, parts) {
      begin();
      const status = { state, message: parts && said(parts), timestamp: undefined };
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
    },
    artifact(artifactId, parts, append = false) {
      begin();
      const artifact = { artifactId, name: "", description: "", parts, metadata: undefined, extensions: [] };
      const update = { taskId, contextId, artifact, append, lastChunk: false, metadata: undefined };
      bus.publish(AgentEvent.artifactUpdate(update));
    },
    message: (parts) => bus.publish(AgentEvent.message(said(parts))),
  };
}
