// Pages that read runs under way: `node --expose-gc open-pages.mjs <ours|floor> <pages> <runs> <deltas>`. The pages are another process,
// with a socket each. Prints the heap and the resident memory of one page in bytes, and in milliseconds the time from the moment a model
// has written a delta until a page has it: the median and the 99th of 100.
import { fork } from "node:child_process";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AgentEngine, type ProviderAdapter } from "loopwright";
import { createChatRoutes, createRunHub, toNodeHandler } from "loopwright/http";
import { AT_ONCE, connectAll, end, memory } from "../socket-clients.js";

const mode = process.argv[2]!;
const [pages, runs, deltas] = process.argv.slice(3).map(Number) as [number, number, number];
const BETWEEN_MS = 100;

if (mode === "clients") await bePages(Number(process.argv[6]));
else await measure();

interface Subject {
  readonly server: Server;
  /** Each run writes a delta every tenth of a second from here on. */
  begin(): void;
}

async function measure(): Promise<void> {
  const { server, begin } = mode === "ours" ? await ours() : floor();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", AT_ONCE * 2, resolve));
  const { port } = server.address() as AddressInfo;
  const clients = fork(process.argv[1]!, ["clients", ...[pages, runs, deltas, port].map(String)]);
  const next = () => new Promise<unknown>((resolve) => clients.once("message", resolve));
  const before = await memory();
  clients.send("connect");
  await next();
  const after = await memory();
  const reached = next();
  begin();
  const latency = await reached;
  await end(clients);
  server.closeAllConnections();
  server.close();
  const [heap, resident] = [(after.heapUsed - before.heapUsed) / pages, (after.rss - before.rss) / pages];
  process.stdout.write(JSON.stringify({ heap, resident, ...(latency as object) }), () => process.exit(0));
}

/** The time on a clock that both processes have. Unit: milliseconds. */
function clock(): number {
  return performance.timeOrigin + performance.now();
}

const mark = () => `@${clock().toFixed(3)};`;

/** A moment of its own for each run, so that not all of them write at once. */
const pause = (run: number, delta: number) =>
  new Promise((resolve) => setTimeout(resolve, delta === 0 ? (run * BETWEEN_MS) / runs : BETWEEN_MS));

/** The routes of a chat, as the guide has them. */
async function ours(): Promise<Subject> {
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let started = 0;
  const provider: ProviderAdapter = {
    id: "bench",
    model: "bench",
    async *stream() {
      const run = started++;
      yield { type: "message-start" };
      yield { type: "text-delta", text: "Well, " };
      await begun;
      for (let delta = 0; delta < deltas; delta++) {
        await pause(run, delta);
        yield { type: "text-delta", text: mark() };
      }
      await new Promise(() => {});
    },
  };
  const hub = createRunHub({ engine: new AgentEngine({ provider }) });
  for (let run = 0; run < runs; run++) await hub.start("go", { sessionId: `chat-${run}` }).started;
  const routes = createChatRoutes({
    engine: hub,
    identify: () => ({ id: "everybody" }),
    authorize: () => true,
    requestsPerMinute: 1_000_000,
  });
  return { server: createServer(toNodeHandler(routes.handle)), begin };
}

/** The least a server can do: it keeps the responses of each run, and writes to them. */
function floor(): Subject {
  const open: ServerResponse[][] = Array.from({ length: runs }, () => []);
  const server = createServer(({ url = "" }, outgoing) => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    outgoing.write("data: {}\n\n");
    open[Number(/\d+/.exec(url)![0])]!.push(outgoing);
  });
  const write = async (run: number) => {
    for (let delta = 0; delta < deltas; delta++) {
      await pause(run, delta);
      const event = `data: ${JSON.stringify({ type: "text-delta", id: "0", delta: mark() })}\n\n`;
      for (const outgoing of open[run]!) outgoing.write(event);
    }
  };
  return { server, begin: () => open.forEach((_, run) => void write(run)) };
}

async function bePages(port: number): Promise<void> {
  await new Promise((resolve) => process.once("message", resolve));
  const latencies: number[] = [];
  const pathOf = (page: number) => `/chat/chat-${page % runs}/stream`;
  await connectAll(port, pages, pathOf, (bytes) => {
    const now = clock();
    for (const [, at] of bytes.toString("latin1").matchAll(/@([\d.]+);/g)) latencies.push(now - Number(at));
    if (latencies.length < pages * deltas) return;
    latencies.sort((a, b) => a - b);
    const at = (share: number) => latencies[Math.floor(latencies.length * share)]!;
    process.send!({ medianMs: at(0.5), p99Ms: at(0.99) });
  });
  process.send!("connected");
}
