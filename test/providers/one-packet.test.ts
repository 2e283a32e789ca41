// A whole response in one packet: its events are there at once, and the run takes them without a promise for each.
import { expect, test } from "vitest";
import { AgentEngine } from "../../src/index.js";
import { openai } from "../../src/providers/openai/index.js";

const DELTAS = 10_000;

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const TEXTS = Array.from({ length: DELTAS }, (_, at) => `${at} `);
const BODY = `${TEXTS.map((content) => chunk({ content })).join("")}${chunk({}, "stop")}data: [DONE]\n\n`;

function engineOf(): AgentEngine {
  const fetch = async () => new Response(BODY, { headers: { "content-type": "text/event-stream" } });
  return new AgentEngine({ provider: openai({ model: "m", apiKey: "k", fetch }) });
}

test("a consumer that keeps up gets every delta, however many come at once", async () => {
  const run = engineOf().stream("go");
  const texts: string[] = [];
  const notices: string[] = [];
  for await (const event of run) {
    if (event.type === "text-delta") texts.push(event.text);
    if (event.type === "notice") notices.push(event.code);
  }
  expect(await run.result).toMatchObject({ status: "completed", text: TEXTS.join("") });
  expect(texts).toEqual(TEXTS);
  // Nobody knows the model "m"; nothing else is to be said.
  expect(notices).toEqual(["MODEL_UNKNOWN"]);
});

test("nobody has to listen", async () => {
  expect(await engineOf().run("go")).toMatchObject({ status: "completed", text: TEXTS.join("") });
});

test("a consumer that leaves in the middle ends the run", async () => {
  const run = engineOf().stream("go");
  for await (const event of run) if (event.type === "text-delta") break;
  const { status, text } = await run.result;
  expect(status).toBe("aborted");
  expect(TEXTS.join("").startsWith(text)).toBe(true);
  expect(text.length).toBeLessThan(TEXTS.join("").length);
});
