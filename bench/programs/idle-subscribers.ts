// What a client costs a server while it waits for events: `node --expose-gc idle-subscribers.mjs <ours|floor> <count>`. The
// clients are another process, with a socket each. Prints the heap and the resident memory of one client in bytes, and how
// long one event took to reach all of them in milliseconds.
import { fork } from "node:child_process";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { AgentEngine, type ProviderAdapter } from "loopwright";
import { createRunHub, toResponse } from "loopwright/http";
import { AT_ONCE, connectAll, end, memory } from "../socket-clients.js";

const [mode, count] = [process.argv[2]!, Number(process.argv[3])];
const MARK = "the event";

if (mode === "clients") await beClients(Number(process.argv[4]));
else await measure();

interface Subject {
  readonly server: Server;
  /** Emits one event that reaches everybody. */
  emit(): void;
}

async function measure(): Promise<void> {
  const { server, emit } = mode === "ours" ? await ours() : floor();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", AT_ONCE * 2, resolve));
  const clients = fork(process.argv[1]!, ["clients", String(count), String((server.address() as AddressInfo).port)]);
  const next = () => new Promise<unknown>((resolve) => clients.once("message", resolve));
  const before = await memory();
  clients.send("connect");
  await next();
  const after = await memory();
  const startedAt = performance.now();
  emit();
  await next();
  const reachedMs = performance.now() - startedAt;
  await end(clients);
  server.closeAllConnections();
  server.close();
  const [heap, resident] = [(after.heapUsed - before.heapUsed) / count, (after.rss - before.rss) / count];
  process.stdout.write(JSON.stringify({ heap, resident, reachedMs }), () => process.exit(0));
}

/** A hub with one run whose model waits. */
async function ours(): Promise<Subject> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const provider: ProviderAdapter = {
    id: "bench",
    model: "bench",
    async *stream() {
      yield { type: "message-start" };
      await released;
      yield { type: "text-delta", text: MARK };
      await new Promise(() => {});
    },
  };
  const hub = createRunHub({ engine: new AgentEngine({ provider }) });
  const run = hub.start("go");
  for await (const { type } of run) if (type === "model-call-start") break;
  const server = createServer((_request, outgoing) => {
    const response = toResponse(hub.subscribe(run.id));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    Readable.fromWeb(response.body as never).pipe(outgoing);
  });
  return { server, emit: release };
}

/** The least a server can do: it keeps the response, and writes to it. */
function floor(): Subject {
  const open: ServerResponse[] = [];
  const server = createServer((_request, outgoing) => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.write("data: {}\n\n");
    open.push(outgoing);
  });
  return {
    server,
    emit: () => {
      for (const outgoing of open) outgoing.write(`data: ${MARK}\n\n`);
    },
  };
}

async function beClients(port: number): Promise<void> {
  await new Promise((resolve) => process.once("message", resolve));
  let waiting = count;
  await connectAll(
    port,
    count,
    () => "/",
    (bytes) => {
      if (bytes.includes(MARK) && --waiting === 0) process.send!("reached");
    },
  );
  process.send!("connected");
}
