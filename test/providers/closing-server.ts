import { onTestFinished } from "vitest";
import { createFaultServer, type FaultScript, type FaultServer } from "../../src/testing/fault-server/index.js";

/** A fault server that is closed after the test. */
export async function closingServer(script: FaultScript): Promise<FaultServer> {
  const server = await createFaultServer(script);
  onTestFinished(() => server.close());
  return server;
}
