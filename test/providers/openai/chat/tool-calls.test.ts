import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../../src/contracts/json.js";
import type { ProviderEvent } from "../../../../src/contracts/provider.js";
import { ChunkReader } from "../../../../src/providers/openai/chat/chunk-reader.js";
import { checkStream } from "../../../../src/testing/provider/stream-grammar.js";
import { processorMs } from "../../../processor-time.js";
import { callsOf } from "../streams.js";

interface Delta {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly name?: string;
  readonly args?: JsonValue;
}

/** Feeds one list of call deltas for each chunk, then the finish reason. */
function read(
  chunks: readonly (readonly Delta[])[],
  finishReason = "tool_calls",
  tools = ["read", "write"],
): ProviderEvent[] {
  const reader = new ChunkReader("test", () => new Set(tools));
  for (const deltas of chunks) {
    const tool_calls = deltas.map(({ name, args, ...rest }) => ({
      ...rest,
      function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
    }));
    reader.read({ choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }] });
  }
  reader.read({ choices: [{ index: 0, delta: {}, finish_reason: finishReason }] });
  reader.finish();
  checkStream(reader.events);
  return reader.events;
}

const A = { id: "a", name: "read", arguments: { p: 1 } };
const B = { id: "b", name: "write", arguments: { q: "}{" } };
const [A1, A2] = ['{"p"', ":1}"];
const [B1, B2] = ['{"q":"}', '{"}'];

const SAME: Record<string, Delta[][]> = {
  "as OpenAI sends them": [
    [{ index: 0, id: "a", name: "read", args: "" }],
    [{ index: 0, args: A1 }],
    [{ index: 0, args: A2 }],
    [{ index: 1, id: "b", name: "write", args: "" }],
    [{ index: 1, args: B1 }],
    [{ index: 1, args: B2 }],
  ],
  interleaved: [
    [
      { index: 0, id: "a", name: "read" },
      { index: 1, id: "b", name: "write" },
    ],
    [{ index: 0, args: A1 }],
    [{ index: 1, args: B1 }],
    [
      { index: 0, args: A2 },
      { index: 1, args: B2 },
    ],
  ],
  "interleaved after the first has begun": [
    [{ index: 0, id: "a", name: "read", args: A1 }],
    [{ index: 1, id: "b", name: "write", args: B1 }],
    [{ index: 0, args: A2 }],
    [{ index: 1, args: B2 }],
  ],
  "whole in one chunk": [
    [
      { index: 0, id: "a", name: "read", args: A1 + A2 },
      { index: 1, id: "b", name: "write", args: B1 + B2 },
    ],
  ],
  "whole in chunks of their own without an index, as Google sends them": [
    [{ id: "a", name: "read", args: A1 + A2 }],
    [{ id: "b", name: "write", args: B1 + B2 }],
  ],
  "whole in chunks of their own with the same index, as Ollama sends them": [
    [{ index: 0, id: "a", name: "read", args: A1 + A2 }],
    [{ index: 0, id: "b", name: "write", args: B1 + B2 }],
  ],
  "behind an empty object, as LiteLLM has sent them": [
    [{ index: 0, id: "a", name: "read", args: "{}" }],
    [{ index: 0, args: A1 }],
    [{ index: 0, args: A2 }],
    [{ index: 1, id: "b", name: "write", args: "{}" }],
    [{ index: 1, args: B1 + B2 }],
  ],
  "with the same index for every call": [
    [{ index: 0, id: "a", name: "read", args: A1 }],
    [{ index: 0, args: A2 }],
    [{ index: 0, id: "b", name: "write", args: B1 }],
    [{ index: 0, args: B2 }],
  ],
  "without an index, in pieces": [
    [{ id: "a", name: "read", args: "" }],
    [{ index: null, args: A1 }],
    [{ args: A2 }],
    [{ id: "b", name: "write", args: B1 }],
    [{ args: B2 }],
  ],
  "with id and name repeated in every piece": [
    [{ index: 0, id: "a", name: "read", args: A1 }],
    [{ index: 0, id: "a", name: "read", args: A2 }],
    [{ index: 1, id: "b", name: "write", args: B1 }],
    [{ index: 1, id: "b", name: "write", args: B2 }],
  ],
  "with another id in every piece": [
    [{ index: 0, id: "a", name: "read", args: A1 }],
    [{ index: 0, id: "a2", args: A2 }],
    [{ index: 0, id: "a3", args: "" }],
    [{ index: 1, id: "b", name: "write", args: B1 }],
    [{ index: 1, id: "b2", args: B2 }],
  ],
  "with another id and the name in every piece": [
    [{ index: 0, id: "a", name: "read", args: A1 }],
    [{ index: 0, id: "a2", name: "read", args: A2 }],
    [{ index: 0, id: "b", name: "write", args: B1 }],
    [{ index: 0, id: "b2", name: "write", args: B2 }],
  ],
  "interleaved under one index": [
    [
      { index: 0, id: "a", name: "read", args: "" },
      { index: 0, id: "b", name: "write", args: "" },
    ],
    [{ index: 0, id: "a", args: A1 + A2 }],
    [{ index: 0, id: "b", args: B1 + B2 }],
  ],
  "with late ids": [
    [{ index: 0, name: "read" }],
    [{ index: 0, id: "a", args: A1 }],
    [{ index: 0, args: A2 }],
    [{ index: 1, name: "write" }],
    [{ index: 1, id: "b", args: B1 + B2 }],
  ],
  "with late names": [
    [{ index: 0, id: "a" }],
    [{ index: 0, name: "read", args: A1 }],
    [{ index: 0, args: A2 }],
    [{ index: 1, id: "b", args: B1 }],
    [{ index: 1, name: "write", args: B2 }],
  ],
  "with names in pieces": [
    [{ index: 0, id: "a", name: "re" }],
    [{ index: 0, name: "ad", args: A1 }],
    [{ index: 0, args: A2 }],
    [{ index: 1, id: "b", name: "w" }],
    [{ index: 1, name: "rit" }],
    [{ index: 1, name: "e", args: B1 + B2 }],
  ],
  "with names that grow": [
    [{ index: 0, id: "a", name: "re" }],
    [{ index: 0, id: "a", name: "read", args: A1 + A2 }],
    [{ index: 1, id: "b", name: "write", args: B1 + B2 }],
  ],
  "with arguments as objects": [
    [{ index: 0, id: "a", name: "read", args: A.arguments }],
    [{ index: 1, id: "b", name: "write", args: B.arguments }],
  ],
  "with indexes that begin at seven": [
    [{ index: 7, id: "a", name: "read", args: A1 + A2 }],
    [{ index: 12, id: "b", name: "write", args: B1 + B2 }],
  ],
};

for (const [name, chunks] of Object.entries(SAME)) {
  test(`calls arrive whole ${name}`, () => {
    expect(callsOf(read(chunks))).toEqual([A, B]);
  });
}

test("calls without any id get different ones", () => {
  const calls = callsOf(
    read([
      [
        { name: "read", args: "{}" },
        { name: "read", args: "{}" },
      ],
      [{ name: "read", args: "" }],
    ]),
  );

  expect(calls.map((call) => call.arguments)).toEqual([{}, {}, {}]);
  expect(new Set(calls.map((call) => call.id)).size).toBe(3);
});

test("an id that names two calls is made unique", () => {
  const calls = callsOf(
    read([
      [
        { index: 0, id: "x", name: "read", args: "{}" },
        { index: 1, id: "x", name: "write", args: "{}" },
      ],
    ]),
  );

  expect(calls.map((call) => call.name)).toEqual(["read", "write"]);
  expect(new Set(calls.map((call) => call.id)).size).toBe(2);
});

test("one id for every call, without an index or with the same one, parts them where the arguments are whole", () => {
  const inOne = [[{ id: "x", name: "read", args: A1 + A2 }], [{ id: "x", name: "write", args: B1 + B2 }]];
  const inPieces = [
    [{ index: 0, id: "x", name: "read", args: "" }],
    [{ index: 0, id: "x", args: A1 }],
    [{ index: 0, args: A2 }],
    [{ index: 0, id: "x", name: "write", args: "" }],
    [{ index: 0, id: "x", name: "write", args: B1 }],
    [{ index: 0, id: "x", args: B2 }],
  ];
  const sameTool = [[{ id: "x", name: "read", args: '{"p":1}' }], [{ id: "x", name: "read", args: '{"p":2}' }]];

  const said = [inOne, inPieces, sameTool].map((chunks) => callsOf(read(chunks)));

  expect(said.map((calls) => calls.map((call) => [call.name, call.arguments]))).toEqual([
    [A, B].map((call) => [call.name, call.arguments]),
    [A, B].map((call) => [call.name, call.arguments]),
    [
      ["read", { p: 1 }],
      ["read", { p: 2 }],
    ],
  ]);
  expect(said.map((calls) => new Set(calls.map((call) => call.id)).size)).toEqual([2, 2, 2]);
});

test("a call that is sent twice with its id is one call", () => {
  const whole = [{ index: 0, id: "a", name: "read", args: A1 + A2 }];
  const next = [{ index: 1, id: "b", name: "write", args: B1 + B2 }];
  const stub = [{ index: 0, id: "a", name: "read", args: "{}" }];

  expect(callsOf(read([whole, whole, next, whole, next]))).toEqual([A, B]);
  expect(callsOf(read([whole, stub, next, stub]))).toEqual([A, B]);
});

test("an answer of endless calls is refused, and endless ids and names take no memory", () => {
  const endless = (delta: (i: number) => object) => () => {
    const reader = new ChunkReader("test", () => new Set(["read"]));
    for (let i = 0; i < 20_000; i++) reader.read({ choices: [{ delta: { tool_calls: [delta(i)] } }] });
    reader.read({ choices: [{ delta: {}, finish_reason: "tool_calls" }] });
    reader.finish();
    return callsOf(reader.events)[0]!.name.length;
  };

  expect(endless((index) => ({ index, id: `c${index}`, function: { name: "read" } }))).toThrow(
    expect.objectContaining({ code: "RESPONSE_TOO_LARGE", message: expect.stringContaining('"test"') }),
  );
  expect(endless(() => ({ index: 0, function: { name: "abc" } }))()).toBeLessThan(2_000);
});

test("a call ends as soon as the next begins, and never before its brackets are closed", () => {
  const events = read(SAME["as OpenAI sends them"]!);
  const types = events.map((event) => ("index" in event ? `${event.type} ${event.index}` : event.type));

  expect(types.indexOf("tool-call-end 0")).toBeLessThan(types.indexOf("tool-call-start 1"));
  expect(types.indexOf("tool-call-end 1")).toBe(types.length - 2);
});

test("no text at all means no arguments, null means none were given", () => {
  const events = read([
    [{ index: 0, id: "a", name: "read", args: "" }],
    [{ index: 1, id: "b", name: "write", args: null }],
  ]);

  expect(callsOf(events).map((call) => call.arguments)).toEqual([{}, {}]);
});

test("text that is not JSON becomes a malformed call with the raw text", () => {
  const [call] = callsOf(read([[{ index: 0, id: "a", name: "read", args: '{"p": nope' }]]));

  expect(call).toEqual({ id: "a", name: "read", arguments: {}, malformed: '{"p": nope' });
});

test("a last call that was cut off before its first argument is malformed, not one without arguments", () => {
  const events = read(
    [[{ index: 0, id: "a", name: "read", args: "" }], [{ index: 1, id: "b", name: "write", args: "" }]],
    "length",
  );

  expect(callsOf(events).map((call) => call.malformed)).toEqual([undefined, ""]);
});

test("a tool that was not offered keeps its name", () => {
  const [call] = callsOf(read([[{ index: 0, id: "a", name: "dele" }], [{ index: 0, name: "te all!", args: "{}" }]]));

  expect(call?.name).toBe("delete all!");
});

test("any calls, cut into any pieces and mixed by index, arrive as they were made", () => {
  const call = fc.record({
    id: fc.uuid(),
    name: fc.constantFrom("read", "write"),
    arguments: fc.dictionary(fc.string(), fc.jsonValue()),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(call, { selector: (c) => c.id, minLength: 1, maxLength: 5 }),
      fc.infiniteStream(fc.nat(1_000)),
      (calls, numbers) => {
        const dice = numbers[Symbol.iterator]();
        const roll = (below: number) => (dice.next().value as number) % below;
        const rest = calls.map((c) => JSON.stringify(c.arguments));
        const chunks: Delta[][] = [];
        let begun = 0;
        while (begun < calls.length || rest.some((json) => json !== "")) {
          if (begun < calls.length && (begun === 0 || roll(4) === 0)) {
            chunks.push([{ index: begun, id: calls[begun]!.id, name: calls[begun]!.name, args: "" }]);
            begun++;
            continue;
          }
          const index = roll(begun);
          const size = 1 + roll(9);
          if (rest[index] !== "") chunks.push([{ index, args: rest[index]!.slice(0, size) }]);
          else if (begun < calls.length && rest.slice(0, begun).every((json) => json === "")) {
            chunks.push([{ index: begun, id: calls[begun]!.id, name: calls[begun]!.name, args: "" }]);
            begun++;
          }
          rest[index] = rest[index]!.slice(size);
        }

        const arrived = new Map(callsOf(read(chunks)).map((c) => [c.id, c]));

        expect(JSON.stringify(calls.map((c) => arrived.get(c.id)?.arguments))).toBe(
          JSON.stringify(calls.map((c) => JSON.parse(JSON.stringify(c.arguments)))),
        );
      },
    ),
    { numRuns: process.env.PROVE ? 5_000 : 150 },
  );
});

test("any nonsense in a chunk is skipped, and never breaks the grammar of the stream", () => {
  const known = fc.constantFrom("read", "write", "", "x");
  const delta = fc.record(
    {
      index: fc.oneof(fc.nat(3), fc.constant(null), fc.string()),
      id: fc.oneof(fc.constantFrom("a", "b", ""), fc.constant(null), fc.nat()),
      function: fc.oneof(
        fc.record(
          {
            name: fc.oneof(known, fc.nat()),
            arguments: fc.oneof(fc.constantFrom("{", "}", "{}", '"', ""), fc.jsonValue()),
          },
          { requiredKeys: [] },
        ),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  );
  const choice = fc.record(
    {
      index: fc.constantFrom(0, 1, null),
      delta: fc.oneof(
        fc.record(
          { content: fc.jsonValue(), reasoning: fc.jsonValue(), tool_calls: fc.oneof(fc.array(delta), fc.jsonValue()) },
          { requiredKeys: [] },
        ),
        fc.jsonValue(),
      ),
      finish_reason: fc.constantFrom(null, "", "null"),
      usage: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const chunk = fc.oneof(
    fc.record({ choices: fc.oneof(fc.array(choice), fc.jsonValue()), usage: fc.jsonValue() }, { requiredKeys: [] }),
    fc.jsonValue(),
  );
  const blank = { choices: [{ delta: { tool_calls: [{ function: { arguments: " " } }] } }] };
  fc.assert(
    fc.property(fc.array(chunk), (chunks) => {
      const reader = new ChunkReader("test", () => new Set(["read", "write"]));
      for (const item of chunks) reader.read(item);
      reader.read({ choices: [{ delta: {}, finish_reason: "stop" }] } satisfies JsonObject);
      reader.finish();

      checkStream(reader.events);
    }),
    { numRuns: process.env.PROVE ? 20_000 : 400, examples: [[[blank]]] },
  );
});

test("arguments in many pieces cost linear time, whatever the server repeats", () => {
  const cost = (pieces: number) => {
    const reader = new ChunkReader("test", () => new Set(["write"]));
    const start = processorMs();
    const send = (args: string) =>
      reader.read({
        choices: [{ delta: { tool_calls: [{ index: 0, function: { name: "write", arguments: args } }] } }],
      });
    send('{"a":[');
    for (let i = 0; i < pieces; i++) send('{"b":1},');
    send("0]}");
    reader.read({ choices: [{ delta: {}, finish_reason: "tool_calls" }] });
    reader.finish();
    expect(callsOf(reader.events)).toHaveLength(1);
    return processorMs() - start;
  };
  cost(2_000);

  const [small, large] = [cost(5_000), cost(50_000)];

  // Quadratic would be a hundred times as much; ten is linear, and the rest is for a busy machine.
  expect(large / small).toBeLessThan(40);
});

test("a call without arguments is malformed when nothing says that the model had ended", () => {
  const beginning = [[{ index: 0, id: "a", name: "read" }]];

  expect(callsOf(read(beginning, ""))).toEqual([{ id: "a", name: "read", arguments: {}, malformed: "" }]);
  expect(callsOf(read(beginning))).toEqual([{ id: "a", name: "read", arguments: {} }]);
});

test("whole arguments that are said again, in the same words or in others, are those of the call", () => {
  const call = [
    [{ index: 0, id: "a", name: "read", args: "" }],
    [{ index: 0, args: '{"p":' }],
    [{ index: 0, args: '1, "q": 2}' }],
  ];
  const otherWords = '{"q":2,"p":1}';
  const next = [{ index: 1, id: "b", name: "write", args: "{}" }];
  const one = { id: "a", name: "read", arguments: { p: 1, q: 2 } };

  for (const args of ['{"p":1, "q": 2}', otherWords]) {
    for (const again of [[{ index: 0, args }], [{ index: 0, id: "a", name: "read", args }]]) {
      expect(callsOf(read([...call, again]))).toEqual([one]);
      expect(callsOf(read([...call, next, again]))).toEqual([one, { id: "b", name: "write", arguments: {} }]);
    }
  }
});

test("other arguments behind whole ones are not guessed to be a call of their own", () => {
  const call = [{ index: 0, id: "a", name: "read", args: '{"p":1}' }];

  expect(callsOf(read([call, [{ index: 0, args: '{"p":2}' }]]))).toMatchObject([{ malformed: '{"p":1}{"p":2}' }]);
});

test("an empty object beside the name gives way to the arguments that follow", () => {
  const named = (args: JsonValue) => [{ index: 0, id: "a", name: "read", args }];
  const rest = [[{ index: 0, args: '{"p"' }], [{ index: 0, args: ":1}" }]];

  for (const stub of ["{}", "{ }", {}]) {
    expect(callsOf(read([named(stub), ...rest]))).toEqual([{ id: "a", name: "read", arguments: { p: 1 } }]);
    expect(callsOf(read([named(stub)], "length"))).toEqual([{ id: "a", name: "read", arguments: {} }]);
  }
  expect(
    callsOf(read([[{ index: 0, name: "read", args: "{}" }], [{ index: 0, name: "read", args: "{}" }]])),
  ).toHaveLength(2);
});

test("arguments that are an object in a string, or null, are the object", () => {
  const call = (...pieces: string[]) =>
    callsOf(read([[{ index: 0, id: "a", name: "read" }], ...pieces.map((args) => [{ index: 0, args }])]))[0];

  expect(call('"{\\"p\\"', ':1}"')).toEqual({ id: "a", name: "read", arguments: { p: 1 } });
  expect(call("null")).toEqual({ id: "a", name: "read", arguments: {} });
  expect(call('"p"')).toEqual({ id: "a", name: "read", arguments: "p" });
  expect(call("p=1")).toEqual({ id: "a", name: "read", arguments: {}, malformed: "p=1" });
});

const rawCalls = (...tool_calls: JsonObject[]) => {
  const reader = new ChunkReader("test", () => new Set(["read"]));
  for (const call of tool_calls) reader.read({ choices: [{ delta: { tool_calls: [call] } }] });
  return (finish_reason: string) => {
    reader.read({ choices: [{ delta: {}, finish_reason }] });
    reader.finish();
    checkStream(reader.events);
    return callsOf(reader.events);
  };
};

test("a tool that takes any text is called with it as its input", () => {
  const pieces: JsonObject[] = [
    { index: 0, id: "a", type: "custom", custom: { name: "read", input: "" } },
    { index: 0, custom: { input: "SELECT " } },
    { index: 0, custom: { input: "{}" } },
  ];

  expect(rawCalls(...pieces)("tool_calls")).toEqual([{ id: "a", name: "read", arguments: { input: "SELECT {}" } }]);
  expect(rawCalls(...pieces)("length")).toEqual([{ id: "a", name: "read", arguments: {}, malformed: "SELECT {}" }]);
});

test("a search that the server has done itself is not a call", () => {
  const search = { index: 0, id: "s", type: "web_search", web_search: { input: "tides" } };

  expect(rawCalls(search)("stop")).toEqual([]);
  expect(
    rawCalls(search, { index: 1, id: "a", type: "function", function: { name: "read", arguments: "" } })("stop"),
  ).toEqual([{ id: "a", name: "read", arguments: {} }]);
});

test("a call without a function around its name and arguments is one", () => {
  expect(rawCalls({ name: "read", arguments: { p: 1 } })("stop")).toMatchObject([
    { name: "read", arguments: { p: 1 } },
  ]);
});

test("free text that looks like whole arguments, or comes twice, is passed on as it came", () => {
  const custom = (input: string, name?: string) => ({
    index: 0,
    ...(name && { id: "a" }),
    custom: { name: name ?? "", input },
  });

  expect(rawCalls(custom("{}", "read"), custom("{}"), custom("{}"))("tool_calls")).toEqual([
    { id: "a", name: "read", arguments: { input: "{}{}{}" } },
  ]);
});
