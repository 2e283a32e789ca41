import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { SubagentDefinition } from "../contracts/subagent.js";
import { isObject } from "../json/is-object.js";

/** A server in an agent's file: one the host has by this name or, with an `entry` as in `.mcp.json`, one of its own. */
export interface AgentServer {
  readonly name: string;
  readonly entry?: JsonObject | undefined;
}

/** The agent whose servers are to be connected. */
export interface ConnectingAgent {
  readonly name: string;
  readonly file: string;
  /** The tools that the file chooses. */
  readonly tools?: readonly string[] | undefined;
  /** Lists a problem at the file's `mcpServers`. */
  report(message: string): void;
}

/** Gives the tools of an agent's servers, which it connects when they are needed; `undefined`: there are not. */
export type ConnectServers = (
  servers: readonly AgentServer[],
  agent: ConnectingAgent,
) => SubagentDefinition["ownTools"];

const MAX_SERVERS = 50;

/**
 * The servers of the field `mcpServers`: names, servers by name, or a list of both. What is neither is reported and left out;
 * what an entry holds is for the one who connects it to judge.
 */
export function readAgentServers(
  field: JsonValue | undefined,
  report: (key: string, message: string) => void,
): readonly AgentServer[] {
  const found = new Map<string, AgentServer>();
  const wrong = (what: JsonValue) => {
    report(
      "mcpServers",
      `${JSON.stringify(what).slice(0, 80)} is neither a server's name nor a server, so it was left out`,
    );
  };
  const add = (server: AgentServer) => {
    if (found.has(server.name)) report("mcpServers", `the server ${JSON.stringify(server.name)} is there twice`);
    else found.set(server.name, server);
  };
  const read = (item: JsonValue) => {
    if (typeof item === "string" && item.trim() !== "") for (const name of item.split(",")) add({ name: name.trim() });
    else if (!isObject(item)) wrong(item);
    else {
      for (const [name, entry] of Object.entries(item)) {
        if (isObject(entry)) add({ name, entry });
        // `- github:` is a name, too.
        else if (entry === null) add({ name });
        else wrong({ [name]: entry });
      }
    }
  };
  if (field === undefined || field === null) return [];
  for (const item of Array.isArray(field) ? field : [field]) read(item);
  const servers = [...found.values()];
  if (servers.length > MAX_SERVERS)
    report("mcpServers", `it has ${servers.length} servers; the first ${MAX_SERVERS} are read`);
  return servers.slice(0, MAX_SERVERS);
}
