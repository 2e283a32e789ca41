// Tools by name, and calls through the one pipeline without an engine.
import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, ToolRegistry } from "../../../src/index.js";
import { fakeToolContext } from "../../../src/testing/index.js";
import { deferred, quiet, tool } from "../kit.js";

const call = (name: string, args: unknown = {}) => ({ id: "c", name, arguments: args as never });

test("tools are listed in order of registration; the definitions are the same array until the registry changes", () => {
  const registry = new ToolRegistry([tool("b", async () => ""), tool("a", async () => "")]);
  const before = registry.definitions();

  expect(registry.list().map(({ name }) => name)).toEqual(["b", "a"]);
  expect(registry.definitions()).toBe(before);
  registry.register(tool("c", async () => ""));
  expect(registry.definitions()).not.toBe(before);
  expect(registry.unregister("b")).toBe(true);
  expect(registry.unregister("b")).toBe(false);
  expect(registry.definitions().map(({ name }) => name)).toEqual(["a", "c"]);
  expect(registry.get("b")).toBeUndefined();
});

test("a name that is taken is refused with TOOL_DUPLICATE, a broken tool with TOOL_INVALID", () => {
  const registry = new ToolRegistry([tool("a", async () => "")]);

  expect(() => registry.register(tool("a", async () => ""))).toThrow(
    expect.objectContaining({ code: "TOOL_DUPLICATE" }),
  );
  expect(() => registry.register(tool("with space", async () => ""))).toThrow(
    expect.objectContaining({ code: "TOOL_INVALID" }),
  );
  expect(registry.list()).toHaveLength(1);
});

test("a tool gets ready once, however often the registry is asked", async () => {
  let times = 0;
  const registry = new ToolRegistry([tool("a", async () => "", { ready: async () => void times++ })]);

  await registry.ready();
  await registry.ready();
  await registry.execute(call("a"), fakeToolContext());

  expect(times).toBe(1);
});

test("execute runs a call through parsing, validation and the tool", async () => {
  const add = defineTool({
    name: "add",
    description: "Adds.",
    permission: "none",
    input: z.object({ a: z.number(), b: z.number().default(1) }),
    execute: async ({ a, b }) => String(a + b),
  });

  const registry = new ToolRegistry([add]);

  expect(await registry.execute(call("add", { a: 2 }), fakeToolContext())).toEqual({
    toolCallId: "c",
    name: "add",
    output: "3",
    isError: false,
    status: "success",
    durationMs: expect.any(Number),
  });
  expect(await registry.execute(call("add", { a: "two" }), fakeToolContext())).toMatchObject({
    isError: true,
    status: "failure",
    details: { code: "TOOL_INPUT_INVALID" },
  });
});

const odd = tool("odd", async () => "");

test.each([
  ["an unknown tool", odd, call("nope"), { status: "failure", details: { code: "TOOL_UNKNOWN" } }],
  ["malformed arguments", odd, { ...call("odd"), malformed: '{"a":' }, { details: { code: "TOOL_INPUT_MALFORMED" } }],
  [
    "a tool that throws",
    tool("odd", async () => {
      throw new Error("no");
    }),
    call("odd"),
    { output: 'Tool "odd" failed: no', details: { code: "TOOL_FAILED" } },
  ],
  [
    "a tool that throws at once",
    tool("odd", () => {
      throw new Error("no");
    }),
    call("odd"),
    { details: { code: "TOOL_FAILED" } },
  ],
  [
    "a tool that throws what is not an error",
    tool("odd", async () => {
      throw { a: 1 };
    }),
    call("odd"),
    { output: 'Tool "odd" failed: it threw {"a":1}' },
  ],
  [
    "a tool that returns nothing",
    tool("odd", async () => undefined as never),
    call("odd"),
    { details: { code: "TOOL_RESULT_INVALID" } },
  ],
  [
    "a tool that returns a number",
    tool("odd", async () => 7 as never),
    call("odd"),
    { isError: false, status: "success", output: "7" },
  ],
  [
    "a tool that returns what only looks like content",
    tool("odd", async () => ({ output: [{ type: "text" }] }) as never),
    call("odd"),
    { isError: false, status: "success", output: '{"output":[{"type":"text"}]}' },
  ],
  [
    "validate refusing",
    tool("odd", async () => "", {
      validate: async () => {
        throw new Error("too big");
      },
    }),
    call("odd"),
    { output: expect.stringContaining("too big") },
  ],
  [
    "the tool's own deny",
    tool("odd", async () => "", { checkPermission: () => ({ behavior: "deny", reason: "Never." }) }),
    call("odd"),
    { status: "denied", output: "Never.", details: { code: "PERMISSION_DENIED" } },
  ],
  [
    "the tool's own ask",
    tool("odd", async () => "", { checkPermission: () => ({ behavior: "ask", reason: "Sure?" }) }),
    call("odd"),
    { status: "denied", details: { code: "PERMISSION_ASK" } },
  ],
  [
    "an opinion that throws",
    tool("odd", async () => "", {
      checkPermission: () => {
        throw new Error("?");
      },
    }),
    call("odd"),
    { status: "denied", details: { code: "PERMISSION_DENIED" } },
  ],
  [
    "a tool that suspends",
    tool("odd", async (_input, context) => context.suspend({ kind: "question", reason: "Who?" })),
    call("odd"),
    { status: "denied", output: expect.stringContaining("nobody to ask") },
  ],
  [
    "a tool in time trouble",
    tool("odd", () => new Promise<string>(() => {}), { timeoutMs: 5 }),
    call("odd"),
    { status: "timeout", details: { code: "TOOL_TIMEOUT" } },
  ],
])("execute never throws: %s", async (_what, one, asked, expected) => {
  const result = await new ToolRegistry([one]).execute(asked, fakeToolContext());

  expect(result).toMatchObject({ toolCallId: "c", isError: true, ...expected });
});

test("the tool gets its own copy of the arguments", async () => {
  const args = { list: [1] };
  const greedy = tool("greedy", async (input: { list: number[] }) => {
    input.list.push(2);
    return "ok";
  });

  await new ToolRegistry([greedy]).execute(call("greedy", args), fakeToolContext());

  expect(args).toEqual({ list: [1] });
});

test("an abort of the context ends the call at once, before and while it runs", async () => {
  const hang = tool("hang", () => new Promise<string>(() => {}));
  const registry = new ToolRegistry([hang]);
  const context = fakeToolContext();

  const running = registry.execute(call("hang"), context);
  await quiet();
  context.abort();
  const after = await registry.execute(call("hang"), context);

  expect([await running, after]).toMatchObject([{ status: "aborted" }, { status: "aborted" }]);
});

test("progress of a generator reaches the context, and its return value is the output", async () => {
  const counting = tool("count", async function* () {
    yield 1;
    yield { half: true };
    return "done";
  });
  const context = fakeToolContext();

  expect(await new ToolRegistry([counting]).execute(call("count"), context)).toMatchObject({ output: "done" });
  expect(context.updates).toEqual([1, { half: true }]);
});

test("an oversized output is cut around its middle and says what is missing", async () => {
  const long = tool("long", async () => `${"a".repeat(100)}🎉${"b".repeat(100)}`, { maxResultChars: 30 });

  const { output } = await new ToolRegistry([long]).execute(call("long"), fakeToolContext());

  expect(output).toMatch(/^a{20}\n\n\[… 172 characters left out\. .*not kept.*\]\n\nb{10}$/);
});

test("with an artifact store the whole output is kept, and the result says where", async () => {
  const kept: unknown[] = [];
  const ref = { id: "x", path: "artifacts/x.txt", bytes: 100, mediaType: "text/plain" };
  const artifacts = {
    put: async (content: unknown) => {
      kept.push(content);
      return ref;
    },
    get: async () => new Uint8Array(),
  };
  const long = tool("long", async () => "x".repeat(100), { maxResultChars: 0 });

  const result = await new ToolRegistry([long]).execute(call("long"), fakeToolContext({ artifacts }));

  expect(kept).toEqual(["x".repeat(100)]);
  expect(result).toMatchObject({ artifact: ref, output: expect.stringContaining('"artifacts/x.txt"') });
});

test("an artifact store that fails costs the call its rest, not its result", async () => {
  const artifacts = { put: async () => Promise.reject(new Error("full")), get: async () => new Uint8Array() };
  const long = tool("long", async () => "x".repeat(100), { maxResultChars: 10 });

  const result = await new ToolRegistry([long]).execute(call("long"), fakeToolContext({ artifacts }));

  expect(result).toMatchObject({ isError: false, output: expect.stringContaining("not kept") });
});

test("a late settlement changes nothing", async () => {
  const late = deferred<string>();
  const result = await new ToolRegistry([tool("slow", () => late.promise, { timeoutMs: 5 })]).execute(
    call("slow"),
    fakeToolContext(),
  );

  late.resolve("late");
  await quiet();

  expect(result.status).toBe("timeout");
});
