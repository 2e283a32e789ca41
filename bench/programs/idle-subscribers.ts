// What a client costs a server while it waits for events: `node --expose-gc idle-subscribers.mjs <ours|floor> <count>`. The
// clients are another process, with a socket each. Prints the heap and the resident memory of one client in bytes, and how
// long one event took to reach all of them in milliseconds.
import { type ChildProcess, fork } from "node:child_process";
import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { AgentEngine, type ProviderAdapter } from "loopwright";
import { createRunHub, toResponse } from "loopwright/http";

const [mode, count] = [process.argv[2]!, Number(process.argv[3])];
const MARK = "the event";
/** Connections that are being made at once: more would not fit into the queue of a listening socket. */
const AT_ONCE = 100;

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

async function memory(): Promise<NodeJS.MemoryUsage> {
  for (let i = 0; i < 3; i++) {
    globalThis.gc!();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return process.memoryUsage();
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
  let [waiting, isFirst] = [count, count];
  const connectOne = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
      socket.on("error", reject);
      let isOpen = false;
      socket.on("data", (bytes) => {
        if (!isOpen) {
          isOpen = true;
          isFirst--;
          resolve();
        }
        if (bytes.includes(MARK) && --waiting === 0) process.send!("reached");
      });
    });
  for (let done = 0; done < count; done += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - done) }, connectOne));
  if (isFirst === 0) process.send!("connected");
}

async function end(clients: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => clients.once("exit", resolve));
  clients.kill("SIGKILL");
  await ended;
}
