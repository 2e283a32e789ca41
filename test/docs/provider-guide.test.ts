// The provider that the guide shows is what readers begin with: it keeps the contract, on sockets that the guide scripts.
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import type { ProviderAdapter } from "../../src/contracts/provider.js";
import { createFaultServer } from "../../src/testing/fault-server/index.js";
import type { ContractCase } from "../../src/testing/index.js";
import { callsOf, outcome, request } from "../providers/openai/streams.js";
import { programsOf, ROOT, readPage } from "./pages.js";

interface Guide {
  acme(options: { model: string; baseURL: string; apiKey: string }): ProviderAdapter;
  casesOf(connect: (url: string) => ProviderAdapter): ContractCase[];
}

const cache = join(ROOT, "node_modules/.cache");
mkdirSync(cache, { recursive: true });
const built = mkdtempSync(join(cache, "guide-"));
afterAll(() => rmSync(built, { recursive: true, force: true }));

const { acme } = await load("acme");
const { casesOf } = await load("casesOf");

/** What the program of the guide exports that has this function. */
async function load(name: keyof Guide): Promise<Guide> {
  const program = programsOf(readPage("docs/guides/write-a-provider.md")).find(({ code }) =>
    code.includes(`export function ${name}(`),
  );
  const source = join(built, `${name}.ts`);
  const outfile = join(built, `${name}.mjs`);
  writeFileSync(source, program!.code);
  const alias = { loopwright: join(ROOT, "src") };
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    packages: "external",
    alias,
    format: "esm",
    target: "es2022",
    platform: "node",
  });
  return (await import(pathToFileURL(outfile).href)) as Guide;
}

const CASES = casesOf((baseURL) => acme({ model: "m", baseURL, apiKey: "k" }));

// How packets are cut and compressed is the platform's business in this provider: once is enough.
const ONCE = CASES.filter(({ name }) => !/^(?:in small packets|compressed), /.test(name));

for (const { name, run } of ONCE) test(`the guide's provider: ${name}`, run);

const line = (event: object): string => `data: ${JSON.stringify(event)}\n`;

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

test("ids that a provider makes up differ from one answer to the next, and keep the contract", async () => {
  const cases = casesOf((baseURL) => withMadeUpIds(acme({ model: "m", baseURL, apiKey: "k" })));

  await cases.find(({ name }) => name.startsWith("split at any byte"))!.run();
});

function withMadeUpIds(provider: ProviderAdapter): ProviderAdapter {
  return {
    ...provider,
    async *stream(request) {
      for await (const event of provider.stream(request)) {
        const isCall = event.type === "tool-call-end";
        yield isCall ? { ...event, call: { ...event.call, id: randomUUID() } } : event;
      }
    },
  };
}

test("what is not JSON, and a response without a body, are no faults of the adapter", async () => {
  await using server = await createFaultServer([{ body: 'data: {"tex\n' }, { status: 204 }]);
  const provider = acme({ model: "m", baseURL: server.url, apiKey: "k" });

  const garbage = await outcome(provider.stream(request()));
  const nothing = await outcome(provider.stream(request()));

  expect(garbage.error).toMatchObject({ code: "STREAM_BROKEN", retryable: true });
  expect(nothing.error).toMatchObject({ code: "BAD_REQUEST", status: 204 });
});
