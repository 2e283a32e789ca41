// The protocol's REST binding. The SDK has it for Express alone; its messages are the SDK's.
import type { ListTasksRequest, StreamResponse } from "@a2a-js/sdk";
import type { ServerCallContext } from "@a2a-js/sdk/server";
import { badRequest } from "../../http/requests/request-body.js";
import type { A2aServerSdk } from "../a2a-sdk.js";
import { type Streaming, streamResponse } from "./stream-response.js";
import type { TaskHandler } from "./task-handler.js";

/** A request of the binding. */
export interface RestRequest {
  readonly method: string;
  /** Behind the agent's address. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Reads the body, the first time it is asked for. */
  body(): Promise<unknown>;
}

type RestStream = Pick<Streaming, "heartbeatMs" | "leave">;

/** Rejects with an error of the SDK, or of a request that is not understood. */
export async function answerRest(
  sdk: A2aServerSdk,
  handler: TaskHandler,
  { method, path, query, body }: RestRequest,
  context: ServerCallContext,
  streaming: RestStream,
): Promise<Response> {
  const reply = (value: unknown) =>
    new Response(JSON.stringify(value), { headers: { "content-type": sdk.A2A_CONTENT_TYPE } });
  const stream = (events: AsyncGenerator<StreamResponse>) =>
    streamResponse(mapped(events, sdk.StreamResponse.toJSON), {
      ...streaming,
      failure: (error) => sdk.toRestErrorBody(error, sdk.restStatusFor(error)),
    });
  const [, taskId, action] = /^\/tasks\/([^/:]+)(?::(cancel|subscribe))?$/.exec(path) ?? [];
  const id = taskId === undefined ? "" : decoded(taskId);
  switch (`${method} ${taskId === undefined ? path : `task ${action ?? ""}`}`) {
    case "POST /message:send": {
      const value = await handler.sendMessage(sdk.SendMessageRequest.fromJSON(await body()), context);
      return reply(sdk.SendMessageResponse.toJSON({ payload: { $case: "task", value } }));
    }
    case "POST /message:stream":
      return stream(handler.sendMessageStream(sdk.SendMessageRequest.fromJSON(await body()), context));
    case "GET /tasks":
      return reply(sdk.ListTasksResponse.toJSON(await handler.listTasks(listRequest(sdk, query), context)));
    case "GET task ":
      return reply(
        sdk.Task.toJSON(
          await handler.getTask({ id, tenant: "", historyLength: number(query, "historyLength") }, context),
        ),
      );
    case "POST task cancel":
      return reply(sdk.Task.toJSON(await handler.cancelTask({ id, tenant: "", metadata: undefined }, context)));
    case "GET task subscribe":
    case "POST task subscribe":
      return stream(handler.resubscribe({ id, tenant: "" }, context));
    case "GET /extendedAgentCard":
      return handler.getAuthenticatedExtendedAgentCard();
    default:
      if (/^\/tasks\/[^/]+\/pushNotificationConfigs(\/|$)/.test(path))
        return handler.createTaskPushNotificationConfig();
      throw new sdk.UnsupportedOperationError("There is no such operation.");
  }
}

async function* mapped<A, B>(values: AsyncGenerator<A>, map: (value: A) => B): AsyncGenerator<B, void, undefined> {
  for await (const value of values) yield map(value);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest("The task's id is not encoded as one of a URL.", "id");
  }
}

function listRequest(sdk: A2aServerSdk, query: URLSearchParams): ListTasksRequest {
  const status = query.get("status");
  return {
    tenant: "",
    contextId: query.get("contextId") ?? "",
    status: status ? sdk.taskStateFromJSON(/^\d+$/.test(status) ? Number(status) : status) : 0,
    pageSize: number(query, "pageSize"),
    pageToken: query.get("pageToken") ?? "",
    historyLength: number(query, "historyLength"),
    statusTimestampAfter: query.get("statusTimestampAfter") ?? undefined,
    includeArtifacts: query.get("includeArtifacts") === "true",
  };
}

function number(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  return text === null || text === "" ? undefined : Number(text);
}
