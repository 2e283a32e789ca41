import { expect, test } from "vitest";
import type { JsonSchema } from "../../../src/contracts/json.js";
import { compatProfiles, openai, toStrictSchema } from "../../../src/providers/openai/index.js";
import { chatChunks, responseEvents, sse } from "../../../src/testing/fault-server/index.js";
import type { WireBody } from "../wire-body.js";
import { outcome, play, request, textOf } from "./streams.js";

test("every object is closed and every property required; optional ones may be null", () => {
  const { schema, dropped } = toStrictSchema({
    type: "object",
    properties: {
      name: { type: "string" },
      age: { type: "integer", description: "In years." },
      kind: { enum: ["a", "b"] },
      note: { type: ["string", "null"] },
      inner: { type: "object", properties: { deep: { type: "boolean" } }, required: ["deep"] },
    },
    required: ["name"],
  });

  expect(schema).toEqual({
    type: "object",
    properties: {
      name: { type: "string" },
      age: { type: ["integer", "null"], description: "In years." },
      kind: { anyOf: [{ enum: ["a", "b"] }, { type: "null" }] },
      note: { type: ["string", "null"] },
      inner: {
        type: ["object", "null"],
        properties: { deep: { type: "boolean" } },
        required: ["deep"],
        additionalProperties: false,
      },
    },
    required: ["name", "age", "kind", "note", "inner"],
    additionalProperties: false,
  });
  expect(dropped).toEqual(["age", "kind", "note", "inner"].map((name) => `properties.${name}.optional`));
});

test("what has another form is rewritten, what has none goes into the description and is reported", () => {
  const { schema, dropped } = toStrictSchema({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    allOf: [
      { type: "object", properties: { a: { type: "string", minLength: 2, description: "A." } }, required: ["a"] },
      {
        properties: {
          b: {
            oneOf: [
              { type: "string", format: "uri" },
              { type: "number", minimum: 0 },
            ],
          },
        },
        required: ["b"],
      },
    ],
    properties: { c: { type: "array", items: { $ref: "#/definitions/node" }, uniqueItems: true } },
    required: ["c"],
    definitions: { node: { type: "object", properties: { next: { $ref: "#/definitions/node" } } } },
  });

  expect(schema).toEqual({
    type: "object",
    properties: {
      a: { type: "string", description: "A. (minLength: 2)" },
      b: {
        anyOf: [
          { type: "string", description: '(format: "uri")' },
          { type: "number", minimum: 0 },
        ],
      },
      c: { type: "array", items: { $ref: "#/$defs/node" }, description: "(uniqueItems: true)" },
    },
    required: expect.arrayContaining(["a", "b", "c"]),
    additionalProperties: false,
    $defs: {
      node: {
        type: "object",
        properties: { next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } },
        required: ["next"],
        additionalProperties: false,
      },
    },
  });
  expect([...dropped].sort()).toEqual([
    "definitions.node.properties.next.optional",
    "properties.a.minLength",
    "properties.b.oneOf.0.format",
    "properties.c.uniqueItems",
  ]);
});

test("an open object and a schema without any shape are reported", () => {
  expect(toStrictSchema({ type: "object", additionalProperties: { type: "number" } })).toMatchObject({
    schema: { properties: {}, required: [], additionalProperties: false },
    dropped: ["additionalProperties"],
  });
  expect(toStrictSchema({})).toEqual({ schema: {}, dropped: [] });
  expect(toStrictSchema({ not: { type: "string" } }).dropped).toEqual(["not"]);
});

const OUTPUT: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string" },
    note: { type: "string" },
    maybe: { type: ["string", "null"] },
    list: { type: "array", items: { $ref: "#/$defs/item" } },
    must: { type: ["number", "null"] },
  },
  required: ["name", "must"],
  $defs: { item: { anyOf: [{ type: "object", properties: { at: { type: "number" } } }, { type: "string" }] } },
};

const ANSWER = { name: "n", note: null, maybe: null, list: [{ at: null }, { at: 1 }, "x"], must: null };
const CLEANED = { name: "n", maybe: null, list: [{}, { at: 1 }, "x"], must: null };

for (const api of ["chat", "responses"] as const) {
  test(`${api}: an answer in strict mode is brought back into the host's schema`, async () => {
    const answer = { text: JSON.stringify(ANSWER), pieceSize: 5 };
    const body = api === "chat" ? sse(chatChunks(answer)) : sse(responseEvents(answer), { named: true });
    const { provider, server } = await play({ body }, { api, compat: { strictSchema: true } });

    const { events, error } = await outcome(provider.stream(request({ output: OUTPUT })));

    expect(error).toBeUndefined();
    expect(JSON.parse(textOf(events))).toEqual(CLEANED);
    const sent = server.requests[0]!.body as Record<string, Record<string, Record<string, unknown>>>;
    const format = api === "chat" ? sent.response_format!.json_schema! : sent.text!.format!;
    expect(format).toMatchObject({ name: "output", strict: true, schema: toStrictSchema(OUTPUT).schema });
  });
}

test("what is not JSON comes as it is: a refusal, an answer that was cut off", async () => {
  for (const text of ["I cannot.", '{"name":"n","note":nu']) {
    const { provider } = await play({ body: sse(chatChunks({ text })) }, { compat: { strictSchema: true } });

    expect(textOf((await outcome(provider.stream(request({ output: OUTPUT })))).events)).toBe(text);
  }
});

test("a root that is a reference is what it refers to, and what says nothing has a form", () => {
  const node = { type: "object", properties: { any: {}, list: { type: "array" } }, required: ["any", "list"] };

  const { schema, dropped } = toStrictSchema({ $ref: "#/definitions/node", definitions: { node } });

  const anything = { type: ["string", "number", "boolean", "null"] };
  expect(schema).toMatchObject({
    type: "object",
    properties: { any: anything, list: { type: "array", items: anything } },
    required: ["any", "list"],
    additionalProperties: false,
  });
  expect(dropped).toEqual(expect.arrayContaining(["properties.any.anything", "properties.list.items.anything"]));
});

test("a choice of objects at the root becomes one object, and is said in words", () => {
  const a = { type: "object", properties: { kind: { const: "a" }, n: { type: "number" } }, required: ["kind", "n"] };
  const b = { type: "object", properties: { kind: { const: "b" } }, required: ["kind"] };

  const { schema, dropped } = toStrictSchema({ oneOf: [a, { $ref: "#/$defs/b" }], $defs: { b } });

  expect(schema).toMatchObject({
    type: "object",
    properties: { kind: { anyOf: [{ const: "a" }, { const: "b" }] }, n: { type: ["number", "null"] } },
    required: ["kind", "n"],
    description: expect.stringContaining('"required":["kind","n"]'),
  });
  expect(dropped).toEqual(["oneOf", "properties.n.optional"]);
});

test.each(["chat", "responses"] as const)(
  "OpenAI's %s API takes objects: any other answer is asked for in words",
  async (api) => {
    const bodies: WireBody[] = [];
    const send = async (_: unknown, init?: RequestInit) => {
      bodies.push(JSON.parse(String(init?.body)));
      return new Response("");
    };
    const list = { type: "array", items: { type: "string" } };
    const choice = { anyOf: [{ type: "object", properties: {} }, list] };
    const provider = openai({ model: "gpt-5.1", apiKey: "k", api, fetch: send as typeof fetch });

    for (const output of [list, choice, { type: "object", properties: {} }]) {
      await outcome(provider.stream(request({ output })));
    }

    expect(bodies.map((body) => (body.response_format ?? body.text) !== undefined)).toEqual([false, false, true]);
    const said = (body: WireBody) => JSON.stringify(body.messages ?? body.instructions);
    expect(bodies.map((body) => said(body).includes("JSON Schema"))).toEqual([true, true, false]);
  },
);

test("a server that knows json_object alone is asked in words for what is not an object", async () => {
  const bodies: WireBody[] = [];
  const send = async (_: unknown, init?: RequestInit) => {
    bodies.push(JSON.parse(String(init?.body)));
    return new Response("");
  };
  const provider = openai({ ...compatProfiles.deepseek, model: "m", apiKey: "k", fetch: send as typeof fetch });

  for (const type of ["array", "object"]) await outcome(provider.stream(request({ output: { type } })));

  expect(bodies.map(({ response_format }) => response_format)).toEqual([undefined, { type: "json_object" }]);
});
