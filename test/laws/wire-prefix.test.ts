import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, defineTool } from "loopwright";
import { createCompactionPipeline, createCompactTool, createRecallTool } from "loopwright/compaction";
import { createFileFactStore, createMemoryTools, factSource } from "loopwright/memory";
import { createPermissionChecker } from "loopwright/permissions";
import { openai } from "loopwright/providers/openai";
import { createFileSessionStore } from "loopwright/sessions";
import { createSkillTool, defineSkill, loadSkills } from "loopwright/skills";
import { expect, onTestFinished, test } from "vitest";
import type { JsonValue } from "../../src/contracts/json.js";
import { chatChunks, createFaultServer, type FaultReply, sse } from "../../src/testing/fault-server/index.js";

const TURNS = process.env.PROVE ? 2_000 : 120;
const SKILLS = ["reading", "noting"].map((name) =>
  defineSkill({
    name,
    description: `For ${name}.`,
    instructions: `Do the ${name} well. `.repeat(20),
    chainsTo: ["noting"],
  }),
);
const TOO_LONG = { error: { code: "context_length_exceeded", message: "maximum context length is 16000 tokens" } };

function callOf(index: number): [name: string, args: JsonValue] {
  if (index % 29 === 13) return ["compact", {}];
  if (index % 17 === 9) return ["recall", { query: "page 3" }];
  if (index % 13 === 4) return ["skill", { name: index % 2 === 0 ? "reading" : "noting" }];
  if (index % 13 === 8)
    return ["remember", { fact: `Page ${index} was read by crew ${index * 37}.`, subject: `page ${index % 3}` }];
  return ["look", { page: index, said: "日本語 🙂 \u2028" }];
}

/** A model that reads, now and then asks for a compaction, looks something up, loads a skill or remembers a fact, and is too busy at times. */
function answerOf(index: number): FaultReply {
  if (index % 11 === 5) return { status: 503, body: JSON.stringify({ error: { message: "overloaded" } }) };
  if (index % 37 === 20) return { status: 400, body: JSON.stringify(TOO_LONG) };
  const [name, args] = callOf(index);
  const isAnswer = index % 25 === 24;
  const toolCalls = isAnswer ? [] : [{ id: `call_${index}`, name, arguments: args }];
  return { body: sse(chatChunks({ reasoning: "Let me see.", text: `Step ${index}.`, toolCalls })) };
}

/** What of a request a prompt cache sees: what stands before the messages, and the messages as they were sent. */
function wireOf(text: string): { readonly head: string; readonly messages: string } {
  const { messages, ...head } = JSON.parse(text);
  const sent = JSON.stringify(messages);
  expect(text).toContain(sent); // Nothing was lost in parsing.
  return { head: JSON.stringify(head), messages: sent.slice(0, -1) };
}

test("on the wire each request begins with the one before, but where an epoch begins, in every process", async () => {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-wire-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const server = await createFaultServer((_request, index) => answerOf(index));
  onTestFinished(() => server.close());
  const beginnings: number[] = [];
  let compactions = 0;

  for (let prompt = 0; server.requests.length < TURNS; prompt++) {
    // A process of its own for each prompt.
    const sessions = createFileSessionStore({ dir, durability: "process" });
    const look = defineTool({
      name: "look",
      description: "Looks at a page.",
      permission: "read_only",
      input: { type: "object" },
      execute: async () => `Page: ${'nothing but "quotes" and \\ here. '.repeat(30)}`,
    });
    const skills = await loadSkills({ skills: SKILLS });
    const facts = createFileFactStore({ dir: join(dir, "facts") });
    const engine = new AgentEngine({
      provider: openai({ model: "m", apiKey: "k", baseURL: server.url }),
      tools: [
        look,
        createCompactTool(),
        createRecallTool({ sessions }),
        createSkillTool(skills),
        ...createMemoryTools(facts),
      ],
      contextSources: [skills.source, factSource(facts)],
      permissions: skills.gate(createPermissionChecker({ mode: "bypassPermissions" })),
      sessions,
      limits: { maxTurns: TURNS },
      retry: { baseMs: 0, maxRetries: 5 },
      compaction: createCompactionPipeline({ contextWindow: 16_000 }),
    });
    engine.on("epoch", () => beginnings.push(server.requests.length));
    engine.on("compaction", () => compactions++);
    const result = await engine.run(`Prompt ${prompt}.`, { sessionId: "wire" });
    expect(result.status).toBe("completed");
  }

  const wires = server.requests.map(({ text }) => wireOf(text));
  let equal = 0;
  for (const [index, wire] of wires.entries()) {
    const before = wires[index - 1];
    if (!before || beginnings.includes(index)) continue;
    expect(wire.head).toBe(before.head);
    expect(wire.messages.startsWith(before.messages)).toBe(true);
    equal++;
  }
  expect(compactions).toBeGreaterThan(3);
  expect(equal).toBeGreaterThan(wires.length * 0.8);
});
