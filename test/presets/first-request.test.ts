// The tokens that every user pays for before the first word: they only fall.
import { estimateTokens } from "loopwright/compaction";
import { createCodingAgent } from "loopwright/presets";
import { scripted, text } from "loopwright/providers/scripted";
import { expect, test } from "vitest";
import { temporaryDirectory } from "../sessions/kit.js";

const BARE = {
  settings: false,
  skills: false,
  memory: false,
  mcp: false,
  subagents: false,
  compaction: false,
} as const;

test.each([
  ["4,000 tokens with all of its tools", {}, 23, 4_000],
  ["3,000 tokens with the tools for files, commands, questions and the web alone", BARE, 14, 3_000],
])("the first request of a coding agent has at most %s", async (_, options, toolCount, most) => {
  const provider = scripted([text("Hello.")]);
  const root = temporaryDirectory();
  const agent = await createCodingAgent({ root, provider, home: null, ...options });
  await agent.engine.run("Hi.");
  await agent.close();
  const { tools, system, messages } = provider.requests[0]!;

  expect(tools.length).toBeGreaterThanOrEqual(toolCount);
  // Models are not sent the schema of a tool's value.
  const sent = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  // The name of a temporary directory is a random number of tokens.
  const request = JSON.stringify([sent, system, messages]).replaceAll(root, "/home/user/project");
  expect(estimateTokens(request)).toBeLessThanOrEqual(most);
});
