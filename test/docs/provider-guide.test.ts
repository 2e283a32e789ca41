// The provider that the guide shows is what readers begin with: it keeps the contract, on sockets.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ProviderAdapter } from "../../src/contracts/provider.js";
import { createFaultServer, type FaultReply, httpProviderContract } from "../../src/testing/fault-server/index.js";
import type { ProviderScenario } from "../../src/testing/index.js";
import { callsOf, outcome, request } from "../providers/openai/streams.js";
import { programsOf, ROOT, readPage } from "./pages.js";

type Acme = (options: { model: string; baseURL: string; apiKey: string }) => ProviderAdapter;

let acme: Acme;
let built: string;

beforeAll(async () => {
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  built = mkdtempSync(join(cache, "guide-"));
  const program = programsOf(readPage("docs/guides/write-a-provider.md")).find(({ code }) =>
    code.includes("function acme("),
  );
  const source = join(built, "acme.ts");
  const outfile = join(built, "acme.mjs");
  writeFileSync(source, program!.code);
  const alias = { loopwright: join(ROOT, "src") };
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    packages: "external",
    alias,
    format: "esm",
    platform: "node",
  });
  ({ acme } = (await import(pathToFileURL(outfile).href)) as { acme: Acme });
});

afterAll(() => rmSync(built, { recursive: true, force: true }));

const STATUS: Readonly<Record<string, number>> = { AUTH: 401, RATE_LIMITED: 429, OVERLOADED: 503, SERVER: 500 };

const line = (event: object): string => `data: ${JSON.stringify(event)}\n`;

function reply(scenario: ProviderScenario): FaultReply {
  if (scenario.kind === "refuse") {
    const body = scenario.code === "CONTEXT_TOO_LONG" ? "The conversation is too long." : "No.";
    return { status: STATUS[scenario.code] ?? 400, headers: { "content-type": "text/plain" }, body };
  }
  const said = line({ text: scenario.text });
  if (scenario.kind !== "answer") return { body: said, end: scenario.kind === "break" ? "reset" : "stall" };
  const { text, toolCalls, reasoning, usage, finishReason } = scenario;
  const calls = toolCalls.map(({ name, arguments: args }, at) => ({
    call: { id: `call_${at}`, name, json: JSON.stringify(args) },
  }));
  const reason = finishReason === "length" ? "limit" : calls.length > 0 ? "call" : "end";
  const done = { done: { reason, input: usage?.inputTokens ?? 3, output: usage?.outputTokens ?? 1 } };
  const events = [...(reasoning ? [{ thought: reasoning }] : []), ...(text ? [{ text }] : []), ...calls, done];
  return { body: events.map(line).join("") };
}

const CASES = httpProviderContract({
  reply,
  connect: (baseURL) => acme({ model: "m", baseURL, apiKey: "k" }),
  failures: ["AUTH", "BAD_REQUEST", "RATE_LIMITED", "OVERLOADED", "SERVER", "CONTEXT_TOO_LONG"],
  features: ["reasoning"],
  stride: 37,
});

// How packets are cut and compressed is the platform's business in this provider: once is enough.
const ONCE = CASES.filter(({ name }) => !/^(?:in small packets|compressed), /.test(name));

for (const { name, run } of ONCE) test(`the guide's provider: ${name}`, run);

test("the guide's provider: a failure inside the stream says what it is about, and a call that is not JSON is malformed", async () => {
  const failed = line({ text: "Let me" }) + line({ error: { status: 503, message: "busy" } });
  const odd = line({ call: { id: "c", name: "look", json: '{"a' } }) + line({ done: { reason: "call" } });
  await using server = await createFaultServer([{ body: failed }, { body: odd }]);
  const provider = acme({ model: "m", baseURL: server.url, apiKey: "k" });

  const { error } = await outcome(provider.stream(request()));
  const { events } = await outcome(provider.stream(request()));

  expect(error).toMatchObject({ code: "OVERLOADED", retryable: true, message: "Acme answered with status 503: busy" });
  expect(callsOf(events)).toMatchObject([{ id: "c", name: "look", arguments: {}, malformed: '{"a' }]);
});
