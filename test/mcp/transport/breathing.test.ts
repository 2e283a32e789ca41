import type { Transport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { loadClientSdk } from "../../../src/mcp/mcp-sdk.js";
import { HttpTransport } from "../../../src/mcp/transport/http-transport.js";
import { StdioTransport } from "../../../src/mcp/transport/stdio-transport.js";
import { serveHostile } from "../hostile-server/http-habits.js";
import { HOSTILE } from "../hostile-server/path.js";
import { closing, connectHostile } from "../servers.js";

const HABIT = "reports progress 20,000 times at once";
/** Each costs some 30 µs: that is a few milliseconds, on a slow machine some more. */
const MOST_AT_ONCE = 200;

/** Calls the tool, and counts the messages that come, and how many of them come in one turn of the event loop. */
async function count(transport: Transport) {
  let all = 0;
  let inTurn = 0;
  let most = 0;
  await transport.start();
  const answered = new Promise<void>((resolve) => {
    transport.onmessage = (message) => {
      if (!("method" in message)) return resolve();
      all++;
      most = Math.max(most, ++inTurn);
      if (inTurn > 1) return;
      setImmediate(() => {
        inTurn = 0;
      });
    };
  });
  const params = { name: "echo", arguments: {}, _meta: { progressToken: 1 } };
  await transport.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  await answered;
  return { all, most };
}

test.each(["stdio", "HTTP"])("20,000 reports of progress at once do not hold the event loop, over %s", async (over) => {
  const { url } = closing(await serveHostile(HABIT));
  const transport =
    over === "HTTP"
      ? new HttpTransport(await loadClientSdk(), { url })
      : new StdioTransport({ command: process.execPath, args: [HOSTILE, HABIT] });

  const { all, most } = await count(closing(transport));

  expect(all).toBe(20_000);
  expect(most).toBeLessThanOrEqual(MOST_AT_ONCE);
});

test("a call whose server reports its progress 20,000 times at once succeeds", async () => {
  const connection = connectHostile(HABIT);
  await connection.ready;

  expect(await connection.call("echo", {})).toBe("done");
});
