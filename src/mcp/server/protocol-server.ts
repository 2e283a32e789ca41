// The SDK's server, once for each client: lists what is offered, and runs calls.
import { randomUUID } from "node:crypto";
import type { Server } from "@modelcontextprotocol/server";
import type { ContentPart } from "../../contracts/content.js";
import type { JsonValue } from "../../contracts/json.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { clip } from "../../text/cut.js";
import type { ServerSdk } from "../mcp-sdk.js";
import type { ClientCalls, OfferedTool, ToolSource } from "./tool-source.js";

/** The name of a server, and its instructions. */
export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  readonly instructions: string | undefined;
}

/** The dialect of tools' schemas. */
const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const MAX_PROGRESS_CHARS = 1_000;

/** The tools on offer, and the listeners to their changes. */
export class Offer {
  readonly source: ToolSource;
  readonly #clients = new Set<Server>();
  #last = "";

  constructor(source: ToolSource) {
    this.source = source;
  }

  async tools(): Promise<readonly OfferedTool[]> {
    const tools = await this.source.definitions();
    this.#last = fingerprint(tools);
    return tools;
  }

  join(server: Server): void {
    this.#clients.add(server);
  }

  leave(server: Server): void {
    this.#clients.delete(server);
  }

  /** Notifies the clients if the list is another one than they have read. */
  async check(): Promise<void> {
    if (this.#last === "" || this.#clients.size === 0) return;
    const now = fingerprint(await this.source.definitions());
    if (now === this.#last) return;
    this.#last = now;
    for (const client of this.#clients) await client.sendToolListChanged().catch(() => undefined);
  }
}

function fingerprint(tools: readonly OfferedTool[]): string {
  return JSON.stringify(tools);
}

/** A server for one client. */
export function createProtocolServer(
  sdk: ServerSdk,
  offer: Offer,
  { name, version, instructions }: ServerIdentity,
): Server {
  const server = new sdk.Server(
    { name, version },
    { capabilities: { tools: { listChanged: true } }, ...(instructions !== undefined && { instructions }) },
  );
  let calls: ClientCalls | undefined;
  server.oninitialized = () => offer.join(server);
  server.onclose = () => {
    offer.leave(server);
    void calls?.end().catch(() => undefined);
  };
  server.setRequestHandler("tools/list", async () => {
    const tools = await offer.tools();
    return { tools: tools.map(describe) as never };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    calls ??= offer.source.openClient(randomUUID());
    const call = { id: randomUUID(), name: params.name, arguments: (params.arguments ?? {}) as JsonValue };
    const { progressToken } = mcpReq._meta ?? {};
    let last = 0;
    const onProgress = (update: unknown) => {
      if (progressToken === undefined) return;
      const params = { progressToken, ...progressOf(update, last) };
      last = params.progress;
      void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
    };
    const result = await calls.call(call, mcpReq.signal, onProgress);
    void offer.check().catch(() => undefined);
    return toCallResult(result);
  });
  return server;
}

function describe({ name, description, inputSchema, isReadOnly }: OfferedTool) {
  return {
    name,
    description,
    inputSchema: { $schema: DIALECT, ...inputSchema },
    annotations: { readOnlyHint: isReadOnly },
  };
}

/** The protocol wants a number that grows; a tool may report anything. */
function progressOf(update: unknown, last: number): { progress: number; total?: number; message?: string } {
  const { progress, total, message } = Object(update) as { progress?: unknown; total?: unknown; message?: unknown };
  const text =
    typeof message === "string"
      ? message
      : typeof update === "string"
        ? update
        : progress === undefined
          ? JSON.stringify(update)
          : undefined;
  return {
    progress: typeof progress === "number" && progress > last ? progress : last + 1,
    ...(typeof total === "number" && { total }),
    ...(text !== undefined && { message: clip(text, MAX_PROGRESS_CHARS) }),
  };
}

/** A result in the protocol's terms. The code of an error leads its text, since clients show nothing else. */
function toCallResult({ output, isError, status, details }: ToolResult) {
  const content = typeof output === "string" ? [{ type: "text" as const, text: output }] : output.map(toBlock);
  const { code } = Object(details) as { code?: unknown };
  if (!isError) return { content };
  const about = { "loopwright/status": status, ...(typeof code === "string" && { "loopwright/code": code }) };
  return { content: typeof code === "string" ? led(content, code) : content, isError: true, _meta: about };
}

type Block = ReturnType<typeof toBlock>;

function led(content: readonly Block[], code: string): Block[] {
  const [first, ...rest] = content;
  if (first?.type !== "text") return [{ type: "text", text: `${code}:` }, ...content];
  return [{ type: "text", text: `${code}: ${first.text}` }, ...rest];
}

function toBlock(part: ContentPart) {
  if (part.type === "text") return { type: "text" as const, text: part.text };
  const { mediaType: mimeType, data } = part;
  if (part.type === "image") return { type: "image" as const, data, mimeType };
  if (mimeType.startsWith("audio/")) return { type: "audio" as const, data, mimeType };
  const uri = `attachment:${encodeURIComponent(part.name ?? "file")}`;
  return { type: "resource" as const, resource: { uri, mimeType, blob: data } };
}
