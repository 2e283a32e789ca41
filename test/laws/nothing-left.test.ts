import { expect, test } from "vitest";
import type { ProviderAdapter, ProviderEvent } from "../../src/contracts/provider.js";
import type { BaseTool } from "../../src/contracts/tool.js";
import { AgentEngine } from "../../src/engine/engine.js";

const RUNS = process.env.PROVE ? 500 : 20;

/** Calls a tool, then goes silent: it neither ends nor hears an abort, and its cleanup hangs. */
const silent: ProviderAdapter = {
  id: "silent",
  model: "silent-1",
  async *stream(): AsyncGenerator<ProviderEvent> {
    try {
      yield { type: "message-start" };
      yield { type: "text-delta", text: "Let me see" };
      yield { type: "tool-call-end", index: 0, call: { id: "a", name: "deaf", arguments: {} } };
      await new Promise(() => {});
    } finally {
      await new Promise(() => {});
    }
  },
};

const deaf: BaseTool = {
  name: "deaf",
  permission: "read_only",
  definition: () => ({ name: "deaf", description: "Never ends.", inputSchema: { type: "object" } }),
  execute: () => new Promise(() => {}),
};

/** What keeps this process alive, by kind; the test runner has some of its own. */
function activeResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) {
    if (kind !== "Immediate" && kind !== "TickObject") counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

test("after idle no timer or handle is left, although provider, tool and hook never end", async () => {
  const before = activeResources();

  for (let n = 0; n < RUNS; n++) {
    const engine = new AgentEngine({
      provider: silent,
      tools: [deaf],
      limits: { abandonMs: 5 },
      hooks: { PostModelCall: [{ run: () => new Promise(() => {}) }] },
    });
    const abandoned: string[] = [];
    engine.on("notice", ({ code }) => abandoned.push(code));
    const run = engine.stream("Go.");
    for await (const { type } of run) if (type === "tool-call-start") run.abort();
    const result = await run.result;
    await run.idle;

    expect(result.status).toBe("aborted");
    expect(abandoned).toContain("TOOL_ABANDONED");
  }

  // What another file of this process has left ends by itself.
  const grown = () => [...activeResources()].filter(([kind, count]) => count > (before.get(kind) ?? 0));
  await expect.poll(grown, { timeout: 20_000 }).toEqual([]);
});
