// The client under test of `@modelcontextprotocol/conformance`: connects to the URL it is given, and calls every tool once.
import type { JsonValue } from "../../../src/index.js";
import { connectMcp, createMcpAuth, createMcpRegistry } from "../../../src/mcp/index.js";
import { fakeToolContext } from "../../../src/testing/index.js";

const url = process.argv.at(-1) ?? "";
const { client_id: clientId, client_secret: clientSecret } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");

const kept = new Map<string, string>();
const auth = createMcpAuth({
  store: {
    get: (key) => kept.get(key),
    set: (key, value) => void kept.set(key, value),
    delete: (key) => void kept.delete(key),
  },
  redirectUrl: "http://localhost:3000/callback",
  clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
  clientId,
  clientSecret,
  // The page redirects at once: no person is asked.
  signIn: async (page) => (await fetch(page, { redirect: "manual" })).headers.get("location") ?? "",
});

const connection = connectMcp(
  { name: "conformance", url, auth },
  { timeoutMs: 20_000, reconnect: false, elicit: () => ({ action: "accept", content: {} }) },
);
await connection.ready;
const registry = createMcpRegistry([connection]);
for (const { name } of connection.tools()) {
  const input: JsonValue = name.includes("add") ? { a: 5, b: 3 } : {};
  const call = { id: name, name, arguments: input };
  const result = await registry.execute(call, fakeToolContext());
  console.log(name, JSON.stringify(result.output));
}
await connection.close();
