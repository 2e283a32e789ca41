import { afterAll } from "vitest";
import { createFaultServer, type FaultScript, type FaultServer } from "../../src/testing/fault-server/index.js";

const servers: FaultServer[] = [];

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

/** A fault server that is closed after the file's last test. */
export async function closingServer(script: FaultScript): Promise<FaultServer> {
  const server = await createFaultServer(script);
  servers.push(server);
  return server;
}
