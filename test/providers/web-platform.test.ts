import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { chatChunks, createFaultServer, sse } from "../../src/testing/fault-server/index.js";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));

const PROGRAM = `
import { openai } from "./providers/openai/index.ts";
import { withFallback, withRateLimit, withCacheGuard, withRetry } from "./providers/index.ts";
import "./providers/anthropic/index.ts";
import "./providers/google/index.ts";
import "./providers/ai-sdk/index.ts";

export async function ask(baseURL) {
  const one = openai({ model: "m", apiKey: "k", baseURL });
  const provider = withRetry(withCacheGuard(withFallback([withRateLimit(one, { concurrent: 2 })])));
  let text = "";
  const messages = [{ role: "user", content: [{ type: "text", text: "?" }] }];
  const request = { system: [], tools: [], messages, signal: new AbortController().signal, sessionId: "s" };
  for await (const event of provider.stream(request)) if (event.type === "text-delta") text += event.text;
  return text;
}
`;

/** What browsers, workers and edge platforms have. */
const WEB = {
  fetch,
  URL,
  URLSearchParams,
  Headers,
  Response,
  AbortController,
  AbortSignal,
  TextDecoder,
  TextEncoder,
  ReadableStream,
  setTimeout,
  clearTimeout,
  performance,
  atob,
  btoa,
  structuredClone,
};

test("every provider and decorator bundles for the web without node modules, and runs on what the web has", async () => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: PROGRAM, resolveDir: SRC, loader: "ts" },
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "app",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  await using server = await createFaultServer({ body: sse(chatChunks({ text: "Hello." })) });
  const context = createContext({ ...WEB });

  runInContext(outputFiles[0]!.text, context);
  const text = await runInContext(`app.ask(${JSON.stringify(server.url)})`, context);

  expect(text).toBe("Hello.");
  expect(Object.keys(metafile.inputs).filter((input) => input.includes("node_modules"))).toEqual([]);
});
