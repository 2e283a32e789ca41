// A host: the AI SDK's `HarnessAgent` over an engine of this library, in a directory of its own.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HarnessV1 } from "@ai-sdk/harness";
import { HarnessAgent } from "@ai-sdk/harness/agent";
import { type HarnessOptions, loopwrightHarness } from "../../../src/ai-sdk/index.js";
import { AgentEngine, type EngineOptions, type ProviderAdapter } from "../../../src/index.js";
import { createFileSessionStore } from "../../../src/sessions/index.js";
import { localSandbox } from "./local-sandbox.js";

export function newDirectory(): string {
  return mkdtempSync(join(tmpdir(), "harness-"));
}

/** What stays when a process ends: the sessions, and the files. */
export interface Place {
  readonly directory: string;
}

export interface HostOptions {
  readonly provider: ProviderAdapter;
  readonly engine?: Partial<EngineOptions>;
  readonly harness?: Partial<HarnessOptions>;
  // biome-ignore lint/suspicious/noExplicitAny: the settings of the AI SDK, whose tools have types of their own
  readonly agent?: any;
}

export function newHost({ directory }: Place, { provider, engine, harness, agent }: HostOptions) {
  const sessions = createFileSessionStore({ dir: join(directory, "sessions") });
  const made = new AgentEngine({ provider, sessions, ...engine });
  const adapter: HarnessV1 = loopwrightHarness({ engine: made, ...harness });
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const host = new HarnessAgent<HarnessV1, any, any, any, never>({
    harness: adapter,
    sandbox: localSandbox(directory),
    ...agent,
  });
  return { host, engine: made, sessions, adapter };
}

/** The result of a turn, with every part of its stream. */
export async function partsOf(result: { fullStream: AsyncIterable<unknown> }) {
  // biome-ignore lint/suspicious/noExplicitAny: parts of any kind
  const parts: any[] = [];
  for await (const part of result.fullStream) parts.push(part);
  return parts;
}

/** A promise, and what settles it. */
export function deferred<T = void>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
