import { expect, onTestFinished, test } from "vitest";
import { AgentEngine } from "../../../src/engine/engine.js";
import { anthropic } from "../../../src/providers/anthropic/anthropic.js";
import { anthropicEvents, createFaultServer, namedSse } from "../../../src/testing/fault-server/index.js";

test("an unknown model is told once, with how to declare it", async () => {
  const server = await createFaultServer({ body: namedSse(anthropicEvents({ text: "Done." })) });
  onTestFinished(() => server.close());
  const provider = anthropic({ model: "claude-of-tomorrow", apiKey: "k", baseURL: server.url });
  const engine = new AgentEngine({ provider });
  const notices: string[] = [];
  engine.on("notice", ({ code, message }) => void notices.push(`${code} ${message}`));

  await engine.run("Go.");
  await engine.run("Go.");

  expect(notices).toHaveLength(1);
  expect(notices[0]).toMatch(/^MODEL_UNKNOWN The model "claude-of-tomorrow".*pass contextWindow to anthropic\(\)/);
});

test("a well-known model at a server that is not the vendor's own is told as such", () => {
  const at = (baseURL: string) => anthropic({ model: "claude-opus-5", apiKey: "k", baseURL }).unknown;

  expect(at("http://localhost:1")).toContain("its server is not the vendor's own");
  expect(at("https://api.anthropic.com/v1")).toBeUndefined();
});
