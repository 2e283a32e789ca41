// A host whose servers are as noisy as they can be, for tests: it prints nothing of its own.
import { connectMcp, createMcpAuth, createMcpRegistry } from "../../src/mcp/index.js";
import { fakeToolContext } from "../../src/testing/index.js";
import { HOSTILE } from "./hostile-server/path.js";

const [url = "", hostileUrl = ""] = process.argv.slice(2);
const HABITS = [
  "prints in between",
  "prints a banner first",
  "floods its standard error",
  "dies in a call",
  "exits at once",
  "cries wolf about its list",
  "floods with progress",
  "asks for what nobody knows",
  "errs for nobody",
  "closes its output",
];

const store = new Map<string, string>();
const auth = () =>
  createMcpAuth({
    store,
    redirectUrl: "http://localhost:1/callback",
    signIn: async (page) => (await fetch(page, { redirect: "manual" })).headers.get("location") ?? "",
  });
const servers = [
  ...HABITS.map((habit) => ({ name: "hostile", command: process.execPath, args: [HOSTILE, habit] })),
  { name: "signing", url, auth: auth() },
  { name: "elsewhere", url: hostileUrl },
];
for (const server of servers) {
  const connection = connectMcp(server, { timeoutMs: 60_000, reconnect: false });
  await connection.ready.catch(() => undefined);
  const registry = createMcpRegistry([connection]);
  const [tool] = connection.tools();
  const stop = new AbortController();
  const context = fakeToolContext({ signal: stop.signal });
  // More at once than a signal has listeners without a warning.
  const call = (id: number) => tool && registry.execute({ id: `${id}`, name: tool.name, arguments: {} }, context);
  await Promise.all(Array.from({ length: 12 }, (_, id) => call(id)));
  // The tokens are worth nothing from now on, and were not given by anybody that is known.
  for (const [key, kept] of store) {
    const { issuer: _, ...value } = JSON.parse(kept);
    const stale = { ...value, access_token: "stale", refresh_token: "stale" };
    if (key !== "discovery") store.set(key, JSON.stringify(key === "tokens" ? stale : value));
  }
  await call(99);
  await connection.close();
}
