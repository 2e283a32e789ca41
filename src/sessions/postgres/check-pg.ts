import { createRequire } from "node:module";
import { findInstalled } from "../../peers/installed-peer.js";
import { unsupported } from "../../peers/load-peer.js";
import { isSupported } from "../../peers/peer-table.js";
import type { PostgresPool } from "./pool.js";

/**
 * Refuses a pool of a `pg` whose connections are never made: its user would wait for ever. Pools of others pass, as does one
 * of a copy that only the application finds.
 *
 * @throws ConfigurationError `PEER_UNSUPPORTED`
 */
export function checkPg(pool: PostgresPool): void {
  const client: unknown = Reflect.get(pool, "Client");
  if (typeof client !== "function") return;
  const installed = findInstalled("pg");
  if (!installed || isSupported("pg", installed.version)) return;
  if (client === clientOf(installed.directory)) throw unsupported("pg", installed);
}

function clientOf(directory: string): unknown {
  try {
    return createRequire(import.meta.url)(directory).Client;
  } catch {
    return undefined;
  }
}
