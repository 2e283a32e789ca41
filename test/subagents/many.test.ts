// Many sub-agents at once: what one costs does not depend on how many there are.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { AgentEngine, type BaseTool, type ProviderAdapter, type ToolContext } from "../../src/index.js";
import { scripted, type Turn, text, toolCall } from "../../src/providers/scripted/index.js";
import { ALLOW, issuesOf, tool } from "../engine/kit.js";
import { abortByOwnWork, deafTool } from "./kit.js";

/** A tool with which the main agent starts `count` sub-agents at once. */
function startingAll(count: number): BaseTool {
  const child = (n: number) => ({ name: `child-${n}`, description: "d", systemPrompt: "child" });
  const execute = async (_input: unknown, { spawn }: ToolContext) => {
    const results = await Promise.all(Array.from({ length: count }, (_, n) => spawn!(child(n), "go")));
    return results.filter(({ status }) => status === "completed").length;
  };
  return tool("all", execute, { permission: "none", timeoutMs: null });
}

/** A model that keeps nothing, and reports what it is shown. */
function modelOf(childTurn: Turn, onChild: (messages: object) => void = () => {}): ProviderAdapter {
  return {
    id: "m",
    model: "m",
    stream(request) {
      const isChild = request.system.length > 0;
      if (isChild) onChild(request.messages);
      const turn = isChild ? childTurn : request.messages.length === 1 ? toolCall("all", {}) : text("done");
      return scripted([turn]).stream(request);
    },
  };
}

async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void;
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
}

test("five hundred at once make one request each, and nothing of their transcripts stays with the engine", async () => {
  const shown: WeakRef<object>[] = [];
  const provider = modelOf(text("done"), (messages) => shown.push(new WeakRef(messages)));
  const engine = new AgentEngine({ provider, permissions: ALLOW, tools: [startingAll(500)] });

  const result = await engine.run("go", { sessionId: "s" });
  await collectGarbage();

  expect([result.status, shown.length, engine.subagents("s").length]).toEqual(["completed", 500, 500]);
  expect(shown.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(25);
});

test("an abort settles fifty at once with deaf tools by work of our own alone", async () => {
  const { deaf, all } = deafTool(50);
  const engine = new AgentEngine({
    provider: modelOf(toolCall("deaf", {})),
    permissions: ALLOW,
    tools: [startingAll(50), deaf],
    limits: { abandonMs: 50 },
  });
  const run = engine.stream("go", { sessionId: "s" });
  await all;

  const { isSettled, result } = await abortByOwnWork(run);

  expect([isSettled, result.status, issuesOf(result)]).toEqual([true, "aborted", []]);
  // The run waits for deaf tools no longer than it was told; on a slow machine some of its sub-agents end after it.
  await expect.poll(() => engine.subagents("s").map(({ status }) => status)).toEqual(Array(50).fill("aborted"));
});
