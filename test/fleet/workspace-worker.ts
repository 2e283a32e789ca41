// A worker whose agent has a workspace per session, until its input ends. Prints "working" once it works.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { createFleet } from "../../src/fleet/index.js";
import { createCodingAgent, type WorkspaceSession } from "../../src/presets/index.js";
import { createPostgresSessionStore } from "../../src/sessions/postgres/index.js";
import { createWorkspace } from "../../src/workspace/index.js";
import { obedient } from "../presets/obedient.js";

const { config, dir, maxOpen } = JSON.parse(process.argv[2]!);
const pool = new pg.Pool(config);
const agent = await createCodingAgent({
  provider: obedient(),
  home: null,
  approver: () => ({ decision: "allow" }),
  sessions: createPostgresSessionStore({ pool, leaseMs: 500 }),
  workspaces: { maxOpen },
  async workspace({ context }: WorkspaceSession<{ readonly user: string }>) {
    const root = join(dir, context.user);
    mkdirSync(root, { recursive: true });
    return createWorkspace({ root });
  },
});
const fleet = createFleet({ pool, engine: agent.engine, heartbeatMs: 150 });
await fleet.work();
console.log("working");
for await (const _ of process.stdin);
await fleet.close();
await agent.close();
await pool.end();
