import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connectMcp, createMcpAuth, type McpAuthOptions, type McpAuthStore } from "../../../src/mcp/index.js";
import { bundled } from "../../bundled.js";
import { type SigningServer, serveSigning } from "../authorization-server.js";
import { callOf, closing } from "../servers.js";

const REDIRECT = "http://localhost:1/callback";

/** A user of the server: where tokens are kept, and how often the user was sent to sign in. */
function userOf(server: SigningServer, more: Partial<McpAuthOptions> = {}) {
  const store = new Map<string, string>();
  const pages: URL[] = [];
  const signIn = (page: URL) => {
    pages.push(page);
    return server.signIn(page);
  };
  const connect = (options: Parameters<typeof connectMcp>[1] = {}) => {
    const auth = createMcpAuth({ store, redirectUrl: REDIRECT, signIn, ...more });
    return closing(connectMcp({ name: "tracker", url: server.url, auth }, { timeoutMs: 20_000, ...options }));
  };
  return { store, pages, connect };
}

test("connections that share a store send the user to sign in once, and renew tokens once", async () => {
  const server = await serveSigning();
  const { connect, pages, store } = userOf(server);
  const connections = [connect(), connect(), connect()];
  await Promise.all(connections.map(({ ready }) => ready));
  const first = JSON.parse(store.get("tokens") ?? "");

  server.expire();
  const calls = connections.flatMap((connection) => Array.from({ length: 4 }, () => connection.call("echo", {})));

  expect(await Promise.all(calls)).toEqual(Array(12).fill("signed in"));
  expect(pages).toHaveLength(1);
  expect(server.asked).toEqual(["authorization_code", "refresh_token"]);
  expect(server.clients.size).toBe(1);
  expect(JSON.parse(store.get("tokens") ?? "").refresh_token).not.toBe(first.refresh_token);
});

test("processes that share a store renew tokens without sending the user away, whoever is refused", async () => {
  const server = await serveSigning();
  const directory = await mkdtemp(join(tmpdir(), "mcp-oauth-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const program = await bundled(new URL("../oauth-program.ts", import.meta.url));
  const start = async () => {
    const child = spawn(process.execPath, [program, server.url, directory], { stdio: ["pipe", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let printed = "";
    child.stderr.on("data", (text) => {
      printed += text;
    });
    const line = async () => String((await once(child.stdout, "data"))[0]).trim();
    expect(await line(), printed).toBe("ready");
    return async () => {
      child.stdin.write("call\n");
      return `${await line()}${printed}`;
    };
  };
  // The second one finds the tokens of the first.
  const calls = [await start(), await start()];
  server.expire();
  // Both have sent the same token before either has an answer.
  let refreshes = 0;
  let release = () => {};
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  server.behaviour.waits = async (grant) => {
    if (grant !== "refresh_token") return;
    if (++refreshes === 2) release();
    await both;
  };

  const answers = await Promise.all(calls.map((call) => call()));

  expect(answers).toEqual(["signed in", "signed in"]);
  expect(server.asked).toEqual(["authorization_code", "refresh_token", "refresh_token: invalid_grant"]);
});

test("a user whose refresh token is not taken any more is sent to sign in once, and the tokens are replaced", async () => {
  const server = await serveSigning();
  const { connect, pages, store } = userOf(server);
  const connections = [connect(), connect()];
  await Promise.all(connections.map(({ ready }) => ready));
  const first = store.get("tokens");

  server.expire();
  server.behaviour.revoked = true;
  const answers = await Promise.all(connections.map((connection) => connection.call("echo", {})));

  expect(answers).toEqual(["signed in", "signed in"]);
  expect(pages).toHaveLength(2);
  expect(server.asked).toEqual(["authorization_code", "refresh_token: invalid_grant", "authorization_code"]);
  expect(store.get("tokens")).not.toBe(first);
});

test("a client that the authorization server has forgotten registers itself again", async () => {
  const server = await serveSigning();
  const { connect, pages } = userOf(server);
  const connection = connect();
  await connection.ready;

  server.forgetClients();
  server.expire();

  expect(await connection.call("echo", {})).toBe("signed in");
  expect(server.asked).toEqual(["authorization_code", "refresh_token: invalid_client", "authorization_code"]);
  expect(server.clients.size).toBe(1);
  expect(pages).toHaveLength(2);
});

test("a token endpoint that is down sends nobody away: the call fails, and a later one succeeds", async () => {
  const server = await serveSigning();
  const { connect, pages } = userOf(server);
  const connection = connect();
  await connection.ready;
  server.expire();
  server.behaviour.token = (_, response) => response.writeHead(503).end("<h1>503</h1>");

  const failed = await callOf(connection, "echo");
  server.behaviour.token = undefined;
  const later = await connection.call("echo", {});

  expect(failed).toMatchObject({ isError: true, details: { code: "MCP_DISCONNECTED" } });
  expect(failed.output).toMatch(/could not be called: its tokens could not be renewed: .*503.* Try again in a moment/);
  expect(later).toBe("signed in");
  expect(pages).toHaveLength(1);
});

test("a token endpoint that hangs costs a call no more than its time, and closing none", async () => {
  const server = await serveSigning();
  const { connect, pages } = userOf(server);
  const before = connect();
  await before.ready;
  server.behaviour.token = () => true;
  server.expire();

  const connection = connect({ timeoutMs: 300, reconnect: false });
  await expect(connection.ready).rejects.toThrow(/did not answer in time/);
  const call = before.call("echo", {}).catch((error) => error.code);
  await before.close();

  expect(await call).toBe("MCP_DISCONNECTED");
  expect(pages).toHaveLength(1);
});

test("tokens that the store does not take are used all the same, and the call says what is wrong", async () => {
  const server = await serveSigning();
  const kept = new Map<string, string>();
  let isFull = false;
  const store: McpAuthStore = {
    get: (key) => kept.get(key),
    set: (key, value) => {
      if (isFull) throw new Error("the disk is full");
      kept.set(key, value);
    },
    delete: (key) => kept.delete(key),
  };
  const { connect, pages } = userOf(server, { store });
  const connection = connect();
  await connection.ready;
  isFull = true;

  server.expire();
  const failed = await callOf(connection, "echo");
  const next = await connection.call("echo", {});
  isFull = false;
  server.expire();
  const last = await connection.call("echo", {});

  expect(failed.output).toMatch(/its tokens could not be renewed: the disk is full/);
  expect([next, last]).toEqual(["signed in", "signed in"]);
  expect(server.asked).toEqual(["authorization_code", "refresh_token", "refresh_token"]);
  expect(pages).toHaveLength(1);
  expect(kept.get("tokens")).toContain("access-");
});

test("a store that cannot be read is a reason that is reported, and nobody is sent away", async () => {
  const server = await serveSigning();
  const store: McpAuthStore = {
    get: () => Promise.reject(new Error("the key ring is locked")),
    set: () => {},
    delete: () => {},
  };
  const { connect, pages } = userOf(server, { store });
  const connection = connect({ reconnect: false });

  await expect(connection.ready).rejects.toThrow(/could not be connected: the key ring is locked/);
  expect(pages).toEqual([]);
});

test.each([
  ["another sign-in", (back: string) => back.replace(/state=[^&]*/, "state=guessed"), /belongs to another sign-in/],
  ["a refusal", (back: string) => back.replace(/code=[^&]*/, "error=access_denied"), /access_denied/],
  [
    "a code that is none",
    (back: string) => back.replace(/code=[^&]*/, "code=stolen"),
    /refused it: invalid_grant \(No\.\)/,
  ],
])("a user who comes back with %s is not signed in", async (_, change, why) => {
  const server = await serveSigning();
  const { connect, store } = userOf(server, { signIn: async (page) => change(await server.signIn(page)) });
  const connection = connect();

  await expect(connection.ready).rejects.toThrow(why);
  expect(connection.problems[0]).toMatch(/the user is not signed in: /);
  expect(connection.status).toBe("failed");
  expect(store.has("tokens")).toBe(false);
});

test("a call that needs more than the user has granted sends the user to grant it, and what was granted stays", async () => {
  const server = await serveSigning();
  const { connect, pages } = userOf(server, { scope: "read" });
  const connection = connect();
  await connection.ready;
  server.behaviour.scope = "write";

  expect(await connection.call("echo", {})).toBe("signed in");
  expect(pages.map((page) => page.searchParams.get("scope"))).toEqual(["read", "read write"]);
});

test("a server that takes no token at all is given up, and the user is sent away once for each attempt", async () => {
  const server = await serveSigning();
  server.behaviour.refusesAll = true;
  const { connect, pages } = userOf(server);
  const connection = connect({ reconnect: false });

  await expect(connection.ready).rejects.toThrow(/HTTP 401/);
  expect(pages).toHaveLength(1);
});

test("tokens of one authorization server are not shown to another", async () => {
  const [own, other] = [await serveSigning(), await serveSigning()];
  const { connect, store, pages } = userOf(own);
  const first = connect();
  await first.ready;
  const stranger = userOf(other);
  await stranger.connect().ready;
  // The store says that somebody else is asked from now on.
  store.set("discovery", stranger.store.get("discovery") ?? "");
  own.expire();

  await callOf(first, "echo");

  expect(other.asked).toEqual(["authorization_code"]);
  expect(pages.length).toBeGreaterThan(0);
});
