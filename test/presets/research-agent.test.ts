import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createResearchAgent } from "../../src/presets/index.js";
import { scripted, text, toolCall } from "../../src/testing/index.js";
import { directoryWith, PROJECT } from "./kit.js";

const search = async (query: string) => [
  { title: `About ${query}`, url: "https://example.com/", snippet: "All of it." },
];

test("a research agent searches and takes notes without being asked about it", async () => {
  const provider = scripted([
    toolCall("web_search", { query: "tides" }),
    toolCall("write_file", { path: "notes.md", content: "Tides.\n" }),
    text("They rise and fall (https://example.com/)."),
  ]);
  const agent = await createResearchAgent({ provider, search });
  const { root } = agent.workspace;

  const result = await agent.engine.run("What are tides?");

  expect(result.status).toBe("completed");
  expect(existsSync(`${root}/notes.md`)).toBe(true);
  await agent.close();
  expect(existsSync(root)).toBe(false);
});

test("with files of the user's it asks before an address could carry them out", async () => {
  const fetchPage = toolCall("web_fetch", { url: "https://example.com/?q=secret" });
  const provider = scripted([[toolCall("web_search", { query: "tides" }), fetchPage]]);
  const agent = await createResearchAgent({ provider, search, root: directoryWith(PROJECT) });
  onTestFinished(() => agent.close());

  const result = await agent.engine.run("What are tides?");

  expect(result).toMatchObject({ status: "needs-approval", pending: [{ tool: "web_fetch" }] });
});
