import { expect, test } from "vitest";
import { ToolError } from "../../../src/contracts/errors.js";
import type { JsonValue } from "../../../src/contracts/json.js";
import type { BaseTool } from "../../../src/contracts/tool.js";
import { type ToolContractSamples, toolContract } from "../../../src/testing/index.js";
import { failingCases } from "../failing-cases.js";

interface Input {
  readonly text: string;
}

const SAMPLES: ToolContractSamples = { valid: [{ text: "a" }, { text: "" }], invalid: [{}, { text: 1 }], settleMs: 50 };

for (const c of toolContract(makeTool, SAMPLES)) test(`a correct tool: ${c.name}`, c.run);

test("a correct tool may yield progress, wait for its signal, or suspend", async () => {
  const tools = [
    makeTool({
      async *execute() {
        yield { done: 1 };
        return { output: [{ type: "text", text: "x" }], details: { n: 1 } };
      },
    }),
    makeTool({ execute: async (_, { suspend }) => suspend({ kind: "question", reason: "which?" }) }),
    makeTool({ parse: undefined, claims: undefined, checkPermission: undefined, timeoutMs: null }),
  ];

  for (const tool of tools) expect(await failingCases(toolContract(() => tool, SAMPLES))).toEqual([]);
});

/** A correct tool with one thing broken, and the cases that notice. */
const BROKEN: Record<string, [Partial<BaseTool<Input>>, string[]]> = {
  "has an invalid name": [
    { name: "read file" },
    ["name and permission are valid", "the definition describes the tool and is JSON"],
  ],
  "has an unknown permission": [{ permission: "all" as never }, ["name and permission are valid"]],
  "has a timeout of zero": [{ timeoutMs: 0 }, ["optional settings are valid"]],
  "has no description": [
    { definition: () => freeze({ name: "echo", description: " ", inputSchema: freeze({ type: "object" }) }) },
    ["the definition describes the tool and is JSON"],
  ],
  "has a schema that is not JSON": [
    {
      definition: () =>
        freeze({ name: "echo", description: "x", inputSchema: freeze({ type: "object", default: undefined }) }),
    },
    ["the definition describes the tool and is JSON"],
  ],
  "has a definition whose schema can be changed": [
    { definition: () => freeze({ name: "echo", description: "x", inputSchema: { type: "object" } }) },
    ["the definition is frozen and never changes"],
  ],
  "shows the model another schema than it checks": [
    {
      definition: () =>
        freeze({ name: "echo", description: "x", inputSchema: freeze({ type: "object", required: freeze(["path"]) }) }),
    },
    ["valid arguments fit the schema that the model is shown"],
  ],
  "has a definition that changes": [
    {
      definition: () =>
        freeze({ name: "echo", description: `${Math.random()}`, inputSchema: freeze({ type: "object" }) }),
    },
    ["the definition is frozen and never changes"],
  ],
  "changes its arguments": [
    {
      parse(args) {
        const input = parseText(args);
        (args as Record<string, JsonValue>).text = "changed";
        return input;
      },
    },
    ["valid arguments are parsed, and left as they were"],
  ],
  "accepts anything": [
    { parse: (args) => ({ text: `${JSON.stringify(args)}` }) },
    ["garbage and invalid arguments are refused with TOOL_INPUT_INVALID"],
  ],
  "throws a TypeError for garbage": [
    { parse: (args) => ({ text: (args as { text: string }).text.slice() }) },
    [
      "garbage and invalid arguments are refused with TOOL_INPUT_INVALID",
      "hostile arguments are parsed or refused, and change nothing else",
    ],
  ],
  "refuses without issues": [
    {
      parse(args) {
        if (isText(args)) return args;
        throw new ToolError("TOOL_INPUT_INVALID", { message: "no" });
      },
    },
    [
      "garbage and invalid arguments are refused with TOOL_INPUT_INVALID",
      "hostile arguments are parsed or refused, and change nothing else",
    ],
  ],
  "merges its arguments into a prototype": [
    {
      parse(args) {
        const input = parseText(args);
        merge({}, args as object);
        return input;
      },
    },
    ["hostile arguments are parsed or refused, and change nothing else"],
  ],
  "recurses into its arguments": [
    {
      parse(args) {
        const input = parseText(args);
        if (depthOf(args) > 200) throw new RangeError("Maximum call stack size exceeded");
        return input;
      },
    },
    ["hostile arguments are parsed or refused, and change nothing else"],
  ],
  "claims an empty key": [
    { claims: () => [{ mode: "read", key: "" }] },
    [
      "hostile arguments are parsed or refused, and change nothing else",
      "claims, permission and hints are well-formed and repeatable",
    ],
  ],
  "declares a target that is no value of its field": [
    { targets: ({ text }) => [{ field: "text", kind: "recipient", value: `${text}@x.example` }] },
    [
      "hostile arguments are parsed or refused, and change nothing else",
      "claims, permission and hints are well-formed and repeatable",
    ],
  ],
  "declares a target in a field that is not there": [
    { targets: ({ text }) => [{ field: "to", kind: "recipient", value: text }] },
    [
      "hostile arguments are parsed or refused, and change nothing else",
      "claims, permission and hints are well-formed and repeatable",
    ],
  ],
  "decides at random": [
    { checkPermission: () => ({ behavior: "ask", reason: `${Math.random()}` }) },
    ["claims, permission and hints are well-formed and repeatable"],
  ],
  "describes a call that is complete alone": [
    { describe: ({ text }: { text?: string }) => ({ title: text!.trim(), kind: "think" as const }) },
    ["describe says how a call looks, also of no arguments, and leaves them as they were"],
  ],
  "describes with a kind of its own": [
    { describe: () => ({ title: "Look", kind: "look" as never }) },
    ["describe says how a call looks, also of no arguments, and leaves them as they were"],
  ],
  "throws for valid arguments": [
    {
      async execute() {
        throw new Error("boom");
      },
    },
    ["valid arguments are executed to a well-formed output"],
  ],
  "returns what is neither output nor JSON": [
    { execute: async () => ({ content: () => "x" }) as never },
    ["valid arguments are executed to a well-formed output"],
  ],
  "returns details that are no JSON": [
    { execute: async () => ({ output: "x", details: new Date() as never }) },
    ["valid arguments are executed to a well-formed output"],
  ],
  "reports progress that is not JSON": [
    {
      async execute(_, context) {
        context.progress((() => 1) as never);
        return "x";
      },
    },
    ["valid arguments are executed to a well-formed output"],
  ],
  "is deaf to its signal": [
    { execute: () => new Promise(() => {}) },
    [
      "valid arguments are executed to a well-formed output",
      "an execution that is aborted settles",
      "an execution that begins aborted settles",
    ],
  ],
  "misses an abort while it runs": [
    {
      execute: async (_, { signal }) => {
        await Promise.resolve();
        return signal.aborted ? new Promise(() => {}) : "quick";
      },
    },
    ["an execution that is aborted settles", "an execution that begins aborted settles"],
  ],
  "misses an abort that came before": [
    {
      execute: (_, { signal }) => (signal.aborted ? new Promise(() => {}) : Promise.resolve("quick")),
    },
    ["an execution that begins aborted settles"],
  ],
};

for (const [defect, [overrides, noticing]] of Object.entries(BROKEN)) {
  test(`a tool that ${defect} fails`, async () => {
    expect(await failingCases(toolContract(() => makeTool(overrides), SAMPLES))).toEqual(noticing);
  });
}

test("every case is failed by some broken tool", () => {
  const noticed = new Set(Object.values(BROKEN).flatMap(([, noticing]) => noticing));

  expect([...noticed].sort()).toEqual(
    toolContract(makeTool, SAMPLES)
      .map((c) => c.name)
      .sort(),
  );
});

test("a polluted prototype is cleaned up again", () => {
  expect(Reflect.ownKeys(Object.prototype)).not.toContain("pollutedByContract");
});

test("samples without a valid one are refused", async () => {
  const [first] = toolContract(makeTool, { valid: [] });

  await expect(first?.run()).rejects.toThrow("Pass at least one");
});

function makeTool(overrides: Partial<BaseTool<Input>> = {}): BaseTool<Input> {
  return {
    name: "echo",
    permission: "none",
    definition: () =>
      freeze({
        name: "echo",
        description: "Says it again.",
        inputSchema: freeze({ type: "object", required: freeze(["text"]) }),
      }),
    parse: parseText,
    claims: ({ text }) => [{ mode: "write", key: `echo:${text}` }],
    checkPermission: () => ({ behavior: "passthrough" }),
    execute: async ({ text }) => text,
    ...overrides,
  };
}

function isText(args: unknown): args is Input {
  return typeof args === "object" && args !== null && "text" in args && typeof args.text === "string";
}

function parseText(args: JsonValue): Input {
  if (isText(args)) return { text: args.text };
  const issues = [{ path: ["text"], message: "expected text" }];
  throw new ToolError("TOOL_INPUT_INVALID", { message: "echo got no text.", details: { issues } });
}

function freeze<T extends object>(value: T): T {
  return Object.freeze(value);
}

/** The careless deep merge that prototype pollution needs. */
function merge(target: object, source: object): void {
  for (const [key, value] of Object.entries(source)) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) Reflect.set(target, key, value);
    else merge((target as Record<string, object>)[key] ?? {}, value);
  }
}

function depthOf(value: JsonValue): number {
  let depth = 0;
  for (let level = [value]; level.length > 0; depth += 1) {
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return depth;
}
