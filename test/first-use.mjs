// Uses each feature that needs an optional package once, in an app that has the packed library, and writes down what each says.
import { PassThrough } from "node:stream";
import { AgentEngine, ToolRegistry } from "loopwright";
import { serveA2a } from "loopwright/a2a";
import { serveAcp } from "loopwright/acp";
import { createFleet } from "loopwright/fleet";
import { connectMcp, serveMcp } from "loopwright/mcp";
import { nodeWorker } from "loopwright/programs";
import { loadPrices } from "loopwright/providers";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createPostgresSessionStore } from "loopwright/sessions/postgres";
import { createGrepTool, createWebFetchTool } from "loopwright/tools";
import { createWorkspace, sandboxedShell } from "loopwright/workspace";

const engine = new AgentEngine({ provider: scripted([]) });
const pool = {
  query: async () => ({ rows: [], rowCount: 0 }),
  connect: async () => pool,
  on: () => pool,
  removeListener: () => pool,
  release() {},
};

/** What a tool answers when a model calls it. */
async function answerOf(tool, input) {
  let answer = "";
  const provider = scripted([toolCall(tool.name, input), text("Done.")]);
  const caller = new AgentEngine({ provider, tools: [tool], mode: "bypassPermissions" });
  caller.on("tool-call-end", ({ result }) => {
    answer = JSON.stringify(result);
  });
  await caller.run("Go.");
  return answer.replaceAll('\\"', '"');
}

const html = () => new Response("<h1>Cats</h1>", { headers: { "content-type": "text/html" } });

const USES = {
  "@a2a-js/sdk": () => {
    const card = { name: "Agent", description: "Helps.", version: "1.0.0", url: "http://127.0.0.1/a2a" };
    return serveA2a({ engine, card, authenticate: "nobody" })(new Request(card.url));
  },
  "@agentclientprotocol/sdk": () => serveAcp({ engine, input: new PassThrough(), output: new PassThrough() }).closed,
  "@anthropic-ai/sandbox-runtime": async () => {
    const workspace = await createWorkspace({ root: ".", shell: sandboxedShell() });
    return workspace.shell.run({ command: "true", cwd: ".", signal: new AbortController().signal });
  },
  "@dbos-inc/dbos-sdk": () => createFleet({ pool }).start("Go."),
  "@modelcontextprotocol/client": () => connectMcp({ name: "other", command: "true" }).ready,
  "@modelcontextprotocol/server": () => serveMcp(new ToolRegistry([]), { transport: { port: 0 } }),
  "@opentelemetry/api": async () => (await import("loopwright/observability/otel")).instrument(engine),
  "@pydantic/genai-prices": async () =>
    String(
      (await loadPrices())({ provider: "groq", model: "rare" }, { inputTokens: 1, outputTokens: 1 }) ?? "no price",
    ),
  "@vscode/ripgrep": async () => {
    const tool = createGrepTool(await createWorkspace({ root: "." }));
    const { PATH } = process.env;
    process.env.PATH = ""; // A ripgrep of the machine would be used before that of the package.
    const answer = await answerOf(tool, { pattern: "needle", output_mode: "content" });
    process.env.PATH = PATH;
    return answer;
  },
  "node-html-markdown": () =>
    answerOf(
      createWebFetchTool({ fetch: async () => html(), lookup: async () => [{ address: "93.184.216.34", family: 4 }] }),
      { url: "https://cats.example/" },
    ),
  pg: async () => {
    const { default: pg } = await import("pg");
    await createPostgresSessionStore({ pool: new pg.Pool() }).read("s");
    return "read";
  },
  "quickjs-wasi": () => nodeWorker().load(),
};

const found = {};
for (const [name, use] of Object.entries(USES)) {
  try {
    found[name] = { says: String(await use()) };
  } catch (error) {
    found[name] = { code: error.code, says: error.message };
  }
}
process.stdout.write(JSON.stringify(found), () => process.exit(0));
