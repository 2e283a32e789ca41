// The tokens that every user pays for before the first word: they only fall.
import { estimateTokens } from "loopwright/compaction";
import { createCodingAgent } from "loopwright/presets";
import { scripted, text } from "loopwright/providers/scripted";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../sessions/kit.js";

test("the first request of a coding agent has at most 4,000 tokens with all of its tools", async () => {
  const provider = scripted([text("Hello.")]);
  const agent = await createCodingAgent({ root: temporaryDirectory(), provider });
  await agent.engine.run("Hi.");
  await agent.close();
  const { tools, system, messages } = provider.requests[0]!;

  expect(tools.length).toBeGreaterThanOrEqual(23);
  // Models are not sent the schema of a tool's value.
  const sent = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  expect(estimateTokens(JSON.stringify([sent, system, messages]))).toBeLessThanOrEqual(4_000);
});
