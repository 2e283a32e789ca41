// Programs in the thread of a page: `inline()` with the engine's bytes from a server, under a whole run.
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openChromium } from "./chromium.js";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));
const WASM = readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));

/** Each program runs to its end, is asked about `pay`, and is allowed to. */
const APP = `
import { AgentEngine, defineTool, ToolRegistry } from "./index.ts";
import { inline, withPrograms } from "./programs/index.ts";
import { scripted, text, toolCall } from "./providers/scripted/index.ts";

const wasm = fetch("/quickjs.wasm").then((response) => response.arrayBuffer());

window.runProgram = async (program) => {
  const paid = [];
  const input = { type: "object", additionalProperties: true };
  const look = defineTool({ name: "look", description: "Looks.", permission: "none", input, execute: async (seen) => ({ seen }) });
  const pay = defineTool({ name: "pay", description: "Pays.", permission: "read_write", input, execute: async (to) => "paid " + paid.push(to) });
  const isolate = inline(await wasm);
  const limits = { cpuMs: 5_000 };
  const tools = withPrograms(new ToolRegistry([look, pay]), { isolate, limits });
  const engine = new AgentEngine({ provider: scripted([toolCall("run_program", { program }, { id: "p" }), text("done")]), tools });
  let run = engine.stream("go");
  let questions = 0;
  for (;;) {
    let said;
    for await (const event of run) if (event.type === "tool-call-end" && event.result.toolCallId === "p") said = event.result;
    const { status, pending, sessionId } = await run.result;
    if (status !== "needs-approval") return { status, questions, paid: paid.length, output: said?.output, code: said?.details?.code };
    questions += pending.length;
    await run.idle;
    run = engine.resume(sessionId, { answers: pending.map(({ id }) => ({ id, decision: "allow" })) });
  }
};
`;

let server: Server;
let page: Page;
let close: (() => Promise<void>) | undefined;

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: APP, resolveDir: SRC, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    define: { "process.platform": '"linux"' },
    alias: {
      "node:path": join(SRC, "workspace/browser/node.ts"),
      "node:events": join(SRC, "workspace/browser/node.ts"),
    },
  });
  server = createServer(({ url }, response) => {
    const [type, body] =
      url === "/app.js"
        ? ["text/javascript", outputFiles[0]!.text]
        : url === "/quickjs.wasm"
          ? ["application/wasm", WASM]
          : ["text/html", '<!doctype html><script type="module" src="/app.js"></script>'];
    response.setHeader("content-type", type);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const chromium = await openChromium();
  close = chromium.close;
  page = await chromium.context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});

afterAll(async () => {
  await close?.();
  server?.close();
});

const run = (program: string) => page.evaluate((text) => Reflect.get(window, "runProgram")(text), program);

test("a program runs in a page, asks in the middle, and is repeated with the same clock and the same chance", async () => {
  const program = `
    const before = [Date.now(), Math.random()];
    const looks = await Promise.all([1, 2, 3].map((n) => tools.look({ n, before })));
    const paid = await tools.pay({ n: 1 });
    return [paid, looks.map(({ seen }) => seen.n), looks[0].seen.before.join() === before.join()];`;

  const ended = await run(program);

  expect(ended).toEqual({ status: "completed", questions: 1, paid: 1, output: '["paid 1",[1,2,3],true]' });
});

test.each([
  ["an endless loop", "for (;;) {}", "PROGRAM_LIMIT"],
  ["microtasks without end", "for (;;) await null", "PROGRAM_LIMIT"],
  ["a regular expression", "/(a+)+$/.test('a'.repeat(40) + 'b')", "PROGRAM_LIMIT"],
  ["recursion", "const f = () => f() + 1; return f()", "PROGRAM_FAILED"],
  ["a wait for nothing", "await new Promise(() => {})", "PROGRAM_FAILED"],
  ["no JavaScript", "const a: number = 1", "PROGRAM_INVALID"],
  ["the page", "return document.title", "PROGRAM_FAILED"],
])("%s ends by an error, and the page goes on", async (_what, program, code) => {
  expect(await run(program)).toMatchObject({ status: "completed", paid: 0, code });
  expect(await run("return 1 + 1")).toMatchObject({ output: "2" });
});

test("nothing of the page can be reached, and no prototype of it is changed", async () => {
  const program = `
    Object.prototype.polluted = 1; Array.prototype.push = null; JSON.stringify = null;
    const roots = [tools, tools.look, console.log, ToolError].map((way) => way.constructor.constructor("return globalThis")());
    return [roots.every((root) => root === globalThis), ["window", "document", "fetch", "localStorage", "setTimeout", "WebAssembly"].filter((name) => name in globalThis)];`;

  expect(await run(program)).toMatchObject({ output: "[true,[]]" });
  expect(await page.evaluate(() => [Reflect.get({}, "polluted"), typeof JSON.stringify, [].push.name])).toEqual([
    undefined,
    "function",
    "push",
  ]);
});
