import type { Registry } from "../../contracts/tool.js";
import type { AgentEngine } from "../../engine/engine.js";
import {
  ANYTHING,
  checkOptions,
  eitherOf,
  FUNCTION,
  listOf,
  numberFrom,
  type OptionTable,
  oneOf,
  optionError,
  required,
  STRING,
  secret,
  tableOf,
  withMethods,
} from "../../json/check-options.js";
import { loadServerSdk, loadServerStdio } from "../mcp-sdk.js";
import { createAgentSource, type McpAgentTool } from "./agent-source.js";
import { type McpHttpOptions, serveHttp } from "./http-server.js";
import { createProtocolServer, Offer, type ServerIdentity } from "./protocol-server.js";
import { createToolSource, type GateOptions, isEngine } from "./tool-source.js";

/** Options of `serveMcp()`. */
export interface ServeMcpOptions extends GateOptions {
  /**
   * Decides each call. Default: an engine's own; for a registry, tools that touch nothing or only read run, and anything else
   * is asked. What is asked and has no `approver` fails with `PERMISSION_ASK`.
   */
  readonly gate?: GateOptions["gate"] | undefined;
  /** `stdio`: this process's standard input and output, which then must carry nothing else. Otherwise a port. */
  readonly transport: "stdio" | McpHttpOptions;
  /** Offers the engine itself as one tool, in place of its tools. */
  readonly agent?: McpAgentTool | undefined;
  /** The name of the server. Default: `loopwright`. */
  readonly name?: string | undefined;
  /** Default: `1.0.0`. */
  readonly version?: string | undefined;
  /** The instructions for the tools, for the client's model. */
  readonly instructions?: string | undefined;
}

/** A server at work. */
export interface McpServer {
  /** The address for clients; `undefined` on standard input and output. */
  readonly url: string | undefined;
  /** Resolves when the server is over: closed, or its standard input has ended. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const HTTP = {
  port: numberFrom(0, "a port", 65_535),
  host: STRING,
  allowedHosts: listOf(STRING, "host names"),
  allowedOrigins: listOf(STRING, "host names"),
  token: secret(STRING),
} satisfies OptionTable<McpHttpOptions>;

const AGENT = { name: STRING, description: required(STRING) } satisfies OptionTable<McpAgentTool>;

const OPTIONS = {
  gate: withMethods("decide"),
  hooks: ANYTHING,
  approver: FUNCTION,
  artifacts: withMethods("put", "get"),
  transport: required(eitherOf(oneOf("stdio"), tableOf(HTTP))),
  agent: tableOf(AGENT),
  name: STRING,
  version: STRING,
  instructions: STRING,
} satisfies OptionTable<ServeMcpOptions>;

const LOOPBACK = new Set(["127.0.0.1", "localhost", "::1"]);
/** The time between looks at a registry for a change that clients have to be notified of. Unit: milliseconds. */
const WATCH_MS = 1_000;

/**
 * Offers the tools of an engine or a registry to other programs, or a whole agent as one tool.
 *
 * Every call goes through the pipeline of an engine: validation, hooks, gate, claims, size limits. An engine is used as it
 * is; with `gate`, `hooks` or `approver` its tools are offered under these instead of its own. Calls of one client run one
 * after the other. Needs the package `@modelcontextprotocol/server`.
 *
 * @throws ConfigurationError `OPTION_INVALID`, `PEER_MISSING`, `PEER_UNSUPPORTED`; and whatever listening on the port fails with
 */
export async function serveMcp(source: AgentEngine | Registry, options: ServeMcpOptions): Promise<McpServer> {
  checkOptions("serveMcp()", { source }, { source: required(withMethods("execute")) });
  checkOptions("serveMcp()", options, OPTIONS);
  const { agent, transport, name = "loopwright", version = "1.0.0", instructions } = options;
  checkTogether(source, options);
  const offered = agent && isEngine(source) ? createAgentSource(source, agent) : createToolSource(source, options);
  const offer = new Offer(offered);
  const sdk = await loadServerSdk();
  const identity: ServerIdentity = { name, version, instructions };
  const connect = () => createProtocolServer(sdk, offer, identity);
  let end = () => {};
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  const started = await (transport === "stdio"
    ? serveStdio(connect, () => void close())
    : serveHttp(sdk, transport, connect)
  ).catch(async (error) => {
    await offered.close();
    throw error;
  });
  const watch = setInterval(() => void offer.check().catch(() => undefined), WATCH_MS);
  watch.unref();
  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    closing ??= (async () => {
      clearInterval(watch);
      await started.close();
      await offered.close();
      end();
    })();
    return closing;
  }
  return { url: started.url, closed, close };
}

/** The checks that a table cannot make. */
function checkTogether(source: AgentEngine | Registry, options: ServeMcpOptions): void {
  const { agent, transport, gate, hooks, approver, artifacts } = options;
  if (agent && !isEngine(source))
    throw optionError("serveMcp()", "agent", "given with a registry", "an engine to offer");
  if (agent && (gate || hooks || approver || artifacts)) {
    throw optionError("serveMcp()", "gate", "given with agent", "the engine's own: an agent is offered as it is");
  }
  if (transport === "stdio" || LOOPBACK.has(transport.host ?? "127.0.0.1") || transport.allowedHosts) return;
  const expected = "the names clients call this machine by, since the host is not this machine's loopback";
  throw optionError("serveMcp()", "transport.allowedHosts", undefined, expected);
}

async function serveStdio(connect: () => ReturnType<typeof createProtocolServer>, onEnd: () => void) {
  const { serveStdio: serve, StdioServerTransport } = await loadServerStdio();
  const transport = new StdioServerTransport();
  process.stdin.once("end", onEnd);
  process.stdin.once("close", onEnd);
  const handle = serve(connect, { transport });
  return {
    url: undefined,
    async close() {
      process.stdin.off("end", onEnd);
      process.stdin.off("close", onEnd);
      await handle.close();
    },
  };
}
