import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { connectMcp, createMcpRegistry, type McpConnection } from "../../src/mcp/index.js";
import { type FakeToolContext, fakeToolContext } from "../../src/testing/index.js";
import { HOSTILE } from "./hostile-server/path.js";

const { resolve } = createRequire(import.meta.url);

/** The entry file of a published server. */
export function published(name: string): string {
  return join(dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`)), "dist/index.js");
}

/** Closes it after the test. */
export function closing<T extends { close(): Promise<unknown> }>(one: T): T {
  onTestFinished(async () => void (await one.close()));
  return one;
}

type Options = Parameters<typeof connectMcp>[1];

/** A connection to a server of the registry, over stdio. */
export function connectPublished(name: string, args: readonly string[] = [], options: Options = {}): McpConnection {
  const server = { name, command: process.execPath, args: [published(name), ...args] };
  return closing(connectMcp(server, options));
}

/** A connection to our server with bad habits. */
export function connectHostile(habit: string, options: Options = {}, env: Record<string, string> = {}): McpConnection {
  const server = { name: "hostile", command: process.execPath, args: [HOSTILE, habit], env };
  return closing(connectMcp(server, { timeoutMs: 240_000, reconnect: false, ...options }));
}

/**
 * The same, made with a time limit that is as short as this machine lets a server start in: for calls that are not answered in time.
 */
export async function connectBriefly(
  habit: string,
  options: (limitMs: number) => Options = () => ({}),
  limitMs = 400,
): Promise<McpConnection> {
  const connection = connectHostile(habit, { ...options(limitMs), timeoutMs: limitMs });
  try {
    await connection.ready;
    return connection;
  } catch (error) {
    if (limitMs > 20_000) throw error;
    await connection.close();
    return connectBriefly(habit, options, 2 * limitMs);
  }
}

/** Runs a tool of a connection by itself. */
export async function callOf(
  connection: McpConnection,
  tool: string,
  input: object = {},
  context: FakeToolContext = fakeToolContext(),
) {
  const name = connection.tools().find((each) => each.name === `mcp__${connection.name}__${tool}`)?.name;
  if (name === undefined) throw new Error(`There is no ${tool} in ${connection.tools().map((each) => each.name)}`);
  const result = await createMcpRegistry([connection]).execute({ id: "1", name, arguments: input as never }, context);
  return { ...result, context };
}

/** Resolves when the connection has this status. */
export function whenStatus(connection: McpConnection, status: McpConnection["status"]): Promise<void> {
  return new Promise((done) => {
    const look = () => {
      if (connection.status !== status) return;
      off();
      done();
    };
    const off = connection.on("status", look);
    look();
  });
}
