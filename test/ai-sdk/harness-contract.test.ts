// The adapter without the AI SDK, on every version of Node: its own types are all that it needs.
import { describe, expect, test } from "vitest";
import { loopwrightHarness } from "../../src/ai-sdk/index.js";
import { AgentEngine } from "../../src/index.js";
import { harnessContract } from "../../src/testing/index.js";

describe("one engine for all sessions", () => {
  for (const c of harnessContract((parts) => loopwrightHarness({ engine: new AgentEngine(parts) })))
    test(c.name, c.run);
});

describe("an engine for each session", () => {
  const cases = harnessContract(({ tools, ...parts }) => {
    return loopwrightHarness({ createEngine: () => new AgentEngine({ tools, ...parts }), tools });
  });
  for (const c of cases) test(c.name, c.run);
});

test("an adapter that keeps its transcript in the state does not pass", async () => {
  const cases = harnessContract((parts) => {
    const harness = loopwrightHarness({ engine: new AgentEngine(parts) });
    return {
      ...harness,
      async doStart(start) {
        const session = await harness.doStart(start);
        session.doStop = async () => ({ ...(await session.doDetach()), data: "x".repeat(9_000) });
        return session;
      },
    };
  });

  const smallState = cases.find(({ name }) => name.startsWith("a state is small JSON"))!;

  await expect(smallState.run()).rejects.toThrow("at most 2000: the transcript is in the store");
});
