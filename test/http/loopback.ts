import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "../../src/http/index.js";

/** A real server on loopback whose every request `answer` takes, as web standard `Request` and `Response`. */
export async function serve(answer: (request: Request) => Response | Promise<Response>) {
  const server: Server = createServer(toNodeHandler(answer));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dropConnections: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface ServerSentEvent {
  readonly id?: string;
  readonly event?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any kind of event
  readonly data: any;
}

/** The events of a stream as they arrive; comments are left out. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split("\n").map((line) => [line.split(": ", 1)[0]!, line.slice(line.indexOf(": ") + 2)]),
      );
      if (fields.data === undefined) continue;
      const data = fields.data === "[DONE]" ? "[DONE]" : JSON.parse(fields.data);
      yield { data, ...(fields.id && { id: fields.id }), ...(fields.event && { event: fields.event }) };
    }
  }
}

export async function allEvents(body: ReadableStream<Uint8Array>): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}
