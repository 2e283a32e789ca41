// The servers that agent files bring along. Each is started when the first of its agents starts, shared by all whose file says the
// same, and closed with the engine. A server under the name of one that the host has is that one: its rules hold.
import type { BaseTool } from "../contracts/tool.js";
import type { Workspace } from "../contracts/workspace.js";
import type { McpConnection } from "../mcp/client/connection.js";
import { expandEntry, type ReportField, readServerEntry, type Server } from "../mcp/config/server-entry.js";
import { connectMcp } from "../mcp/connect-mcp.js";
import type { AgentServer, ConnectingAgent, ConnectServers } from "../subagents/read-agent-servers.js";
import type { OwnServer } from "./agent.js";
import { onMachine, type ServerRefusal } from "./machine-servers.js";

export type { ServerRefusal } from "./machine-servers.js";

type FindConnection = () => Promise<McpConnection>;

export class AgentServers {
  readonly #own = new Map<string, McpConnection>();
  readonly #named = new Map<string, { readonly name: string; readonly agents: Set<string> }>();
  #isClosed = false;

  constructor(
    /** The host's. */
    private readonly connections: readonly McpConnection[],
    /** The working directory of programs. */
    private readonly root: string,
    /** Whether files may bring servers of their own. */
    private readonly mayStart: boolean,
    /** The reason why a server must not be started. */
    private readonly refusal: ServerRefusal,
    /** Starts those of a project on another machine there; `undefined`: they are not started. */
    readonly startThere?: Workspace["startProgram"],
  ) {}

  /** For `loadSubagents`. */
  readonly connect: ConnectServers = (servers, agent) => {
    return this.#toolsOf(
      servers.flatMap((server) => this.#find(server, agent) ?? []),
      agent,
    );
  };

  /** The same for agents of a project on another machine. */
  readonly connectElsewhere: ConnectServers = (servers, agent) => {
    return this.#toolsOf(
      servers.flatMap((server) => this.#findThere(server, agent) ?? []),
      agent,
    );
  };

  #toolsOf(found: readonly FindConnection[], agent: ConnectingAgent): ReturnType<ConnectServers> {
    if (found.length === 0) return undefined;
    return async () => {
      const connected = await Promise.all(found.map((find) => find()));
      return connected.flatMap((connection) => chosenOf(connection.tools(), agent.tools));
    };
  }

  /** The servers of files, started or not. */
  list(): readonly OwnServer[] {
    return [...this.#named].map(([key, { name, agents }]) => {
      return { name, agents: [...agents], connection: this.#own.get(key) };
    });
  }

  /** The servers that may be started. */
  servers(): readonly Server[] {
    return [...this.#named.keys()].map((key) => JSON.parse(key) as Server);
  }

  /** The problems of the servers that were started. */
  problems(): { readonly source: string; readonly message: string }[] {
    return [...this.#own.values()].flatMap(({ name, status, problems }) =>
      status === "connecting" ? [] : problems.map((message) => ({ source: name, message })),
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#own.values()].map((connection) => connection.close()));
  }

  #find({ name, entry }: AgentServer, { name: agent, report }: ConnectingAgent): FindConnection | undefined {
    const known = this.connections.find((connection) => connection.name === name);
    if (known) {
      if (entry) report(`there is a server ${JSON.stringify(name)} already, so that one is used`);
      return async () => {
        await known.ready.catch(() => {});
        return known;
      };
    }
    if (!entry) {
      report(`there is no server ${JSON.stringify(name)} here, so the agent runs without it`);
      return undefined;
    }
    if (!this.mayStart) {
      report(`the server ${JSON.stringify(name)} is not started: only servers that the host has connected are used`);
      return undefined;
    }
    const wrong = wrongIn(name, report);
    const read = readServerEntry(name, entry, wrong);
    const server = read && expandEntry(read, process.env, wrong);
    return server ? this.#connecting(server, agent, wrong) : undefined;
  }

  #findThere({ name, entry }: AgentServer, { name: agent, report }: ConnectingAgent): FindConnection | undefined {
    const start = this.startThere;
    if (!start || !entry) return undefined;
    const wrong = wrongIn(name, report);
    const read = readServerEntry(name, entry, wrong);
    const server = read && "command" in read ? onMachine(read, { dir: this.root, start }, wrong) : null;
    return server ? this.#connecting(server, agent, wrong) : undefined;
  }

  #connecting(server: Server, agent: string, wrong: ReportField): FindConnection | undefined {
    const refusal = this.refusal?.(server) ?? null;
    if (refusal !== null) {
      wrong("", `${refusal}, so it is not started`);
      return undefined;
    }
    const key = JSON.stringify(server);
    const { agents } = this.#named.get(key) ?? { agents: new Set() };
    this.#named.set(key, { name: server.name, agents: agents.add(agent) });
    return () => this.#connected(server, key);
  }

  /** @throws HarnessError `MCP_FAILED`, `MCP_DISCONNECTED`: the next agent tries again */
  async #connected(server: Server, key: string): Promise<McpConnection> {
    if (this.#isClosed) throw new Error(`The server "${server.name}" was closed with its agent.`);
    const placed = "command" in server ? { ...server, cwd: server.cwd ?? this.root } : server;
    const connection = this.#own.get(key) ?? connectMcp(placed);
    this.#own.set(key, connection);
    if (connection.status === "connected") return connection;
    try {
      await connection.ready;
      return connection;
    } catch (error) {
      if (this.#own.get(key) === connection) this.#own.delete(key);
      await connection.close();
      throw error;
    }
  }
}

function wrongIn(name: string, report: ConnectingAgent["report"]): ReportField {
  return (field, message) => report(`${[name, field].filter(Boolean).join(".")}: ${message}`);
}

/** An agent whose `tools` names some of a server's tools has those alone. */
function chosenOf(offered: readonly BaseTool[], tools: readonly string[] | undefined): readonly BaseTool[] {
  const prefix = /^mcp__.*?__/.exec(offered[0]?.name ?? "")?.[0] ?? "";
  const named = (tools ?? []).filter((each) => prefix !== "" && each.startsWith(prefix));
  if (named.length === 0) return offered;
  return offered.filter(({ name }) =>
    named.some((each) => (each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : each === name)),
  );
}
