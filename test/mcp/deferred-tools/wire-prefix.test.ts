// Law 8 on the wire: what stands before the messages is the same bytes while tools come and go behind the search.
import { expect, onTestFinished, test } from "vitest";
import { AgentEngine, type JsonObject, ToolRegistry } from "../../../src/index.js";
import { deferTools } from "../../../src/mcp/index.js";
import { openai } from "../../../src/providers/openai/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { chatChunks, createFaultServer, type FaultReply, sse } from "../../../src/testing/fault-server/index.js";
import { ALLOW, tool } from "../../engine/kit.js";
import { publishedTools } from "./published-tools.js";

const TURNS = 60;

function answerOf(index: number): FaultReply {
  if (index % 11 === 5) return { status: 503, body: JSON.stringify({ error: { message: "overloaded" } }) };
  if (index % 20 === 19) return { body: sse(chatChunks({ text: `Answer ${index}.` })) };
  const name = index % 3 === 0 ? "tool_search" : "call_tool";
  const args: JsonObject =
    name === "tool_search"
      ? { query: `task ${index} 日本語 🙂 \u2028` }
      : { name: index % 2 ? "change" : "mcp__airtable__list_bases", arguments: {} };
  return { body: sse(chatChunks({ text: "", toolCalls: [{ id: `call_${index}`, name, arguments: args }] })) };
}

test("requests begin alike, byte for byte, through searches, calls, failures and changes of the tools, in every process", async () => {
  const server = await createFaultServer((_request, index) => answerOf(index));
  onTestFinished(() => server.close());
  const sessions = createMemorySessionStore();
  const causes: string[] = [];

  for (let prompt = 0; server.requests.length < TURNS; prompt++) {
    // A process of its own for each prompt, with tools that join in another order.
    const all = publishedTools();
    const base = new ToolRegistry(all.slice(prompt * 100, prompt * 100 + 50));
    let changes = 0;
    base.register(
      tool("change", async () => {
        const one = all[(changes++ * 7) % all.length]!;
        if (!base.unregister(one.name)) base.register(one);
        return "changed";
      }),
    );
    const engine = new AgentEngine({
      provider: openai({ model: "m", apiKey: "k", baseURL: server.url }),
      tools: deferTools(base),
      sessions,
      permissions: ALLOW,
      runaway: false,
      retry: { baseMs: 0, maxRetries: 5 },
    });
    engine.on("epoch", ({ cause }) => causes.push(cause));
    expect((await engine.run(`Prompt ${prompt}.`, { sessionId: "wire" })).status).toBe("completed");
    await engine.close();
  }

  const wires = server.requests.map(({ text }) => {
    const { messages, ...head } = JSON.parse(text);
    return { head: JSON.stringify(head), messages: JSON.stringify(messages).slice(0, -1) };
  });
  expect(causes).toEqual(["start"]);
  for (const [index, wire] of wires.slice(1).entries()) {
    expect(wire.head).toBe(wires[index]!.head);
    expect(wire.messages.startsWith(wires[index]!.messages)).toBe(true);
  }
  expect(wires[0]!.head.length).toBeLessThan(2_500);
});
