import type { McpConnection } from "../../../mcp/client/connection.js";

/** The time a list is taken for true. Unit: milliseconds. */
const FRESH_MS = 10_000;
/** A server that is slower is left out, so that files are offered meanwhile. Unit: milliseconds. */
const PATIENCE_MS = 1_000;

/** The resources of connected servers for completion, each as `server:uri`. */
export class ServerResources {
  #listed: Promise<readonly string[]> | undefined;
  #listedAt = 0;

  constructor(private readonly connections: readonly McpConnection[]) {}

  /** In the order of the servers. Empty of those that cannot say. */
  list(): Promise<readonly string[]> {
    if (!this.#listed || Date.now() - this.#listedAt > FRESH_MS) {
      this.#listedAt = Date.now();
      this.#listed = Promise.all(this.connections.map(namesOf)).then((all) => all.flat());
    }
    return this.#listed;
  }
}

async function namesOf(connection: McpConnection): Promise<readonly string[]> {
  if (connection.status !== "connected") return [];
  try {
    const uris = await connection.resources({ signal: AbortSignal.timeout(PATIENCE_MS) });
    return uris.map((uri) => `${connection.name}:${uri}`);
  } catch {
    return [];
  }
}
