import fc from "fast-check";
import { expect, test } from "vitest";
import { ServerEvents } from "../../../../src/providers/shared/http/server-events.js";
import { collect } from "../../../../src/testing/contract-case.js";
import { processorMs } from "../../../processor-time.js";

const OWNER = { provider: "p", scrub: (text: string) => text };
const VALUES = [{ choices: [{ delta: { content: "Grüße 👩‍👧 世界" } }] }, { id: 2 }, { usage: { a: null } }];

/** The values of a body that comes in these packets, and the error that ends it, if one does. */
async function read(packets: readonly (string | Uint8Array)[], end: "close" | "stall" = "close") {
  const encoder = new TextEncoder();
  let sent = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const packet = packets[sent++];
        if (packet !== undefined) controller.enqueue(typeof packet === "string" ? encoder.encode(packet) : packet);
        else if (end === "close") controller.close();
        else return new Promise<void>(() => {});
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const values: unknown[] = [];
  let error: unknown;
  try {
    for await (const step of new ServerEvents({ body }, OWNER)) values.push(...step);
  } catch (thrown) {
    error = thrown;
  }
  return { values, error, isCancelled, sent };
}

function split(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const ends = [...new Set(offsets.map((offset) => offset % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}

test("values arrive whatever the line ends, the spaces, the noise between them and the packets", async () => {
  const lineEnds = fc.constantFrom("\n", "\r\n", "\r");
  const noise = fc.constantFrom(": ping", "id: 7", "retry: 10", "event: message", "data:", "unknown: x", "nothing");
  const event = fc.record({
    value: fc.oneof(fc.dictionary(fc.string(), fc.string({ unit: "grapheme" })), fc.constantFrom(...VALUES)),
    ends: fc.array(lineEnds, { minLength: 3, maxLength: 3 }),
    noise: fc.option(noise),
    space: fc.constantFrom("", " "),
    isSpread: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(2_000), { maxLength: 12 }),
      async (events, offsets) => {
        const text = events.map(({ value, ends: [a, b, c], noise, space, isSpread }) => {
          const lines = isSpread ? JSON.stringify(value, null, 1).split("\n") : [JSON.stringify(value)];
          const data = lines.map((line) => `data:${space}${line}${b}`).join("");
          // "\r" and then "\n" would be one line end.
          const blank = b === "\r" && c === "\n" ? b : c;
          return `${noise ? `${noise}${a}` : ""}${data}${blank}`;
        });
        const bytes = new TextEncoder().encode(`${text.join("")}data: [DONE]\n\ndata: {"after":1}\n\n`);

        const { values, error } = await read(split(bytes, offsets));

        expect(error).toBeUndefined();
        expect(values).toEqual(events.map(({ value }) => value));
      },
    ),
    { numRuns: process.env.PROVE ? 20_000 : 300 },
  );
});

test("a last event without a line end, or with the end right behind it, is an event", async () => {
  const body = VALUES.map((value) => `data: ${JSON.stringify(value)}`).join("\n\n");

  for (const end of ["", "\n", "\ndata: [DONE]", "\n\n"]) {
    expect(await read([body + end])).toMatchObject({ values: VALUES, error: undefined });
  }
});

test("an event that is cut off is dropped, and what was whole before it counts", async () => {
  const [first, last] = VALUES.map((value) => `data: ${JSON.stringify(value)}\n\n`);

  for (let cut = 1; cut < last!.length - 2; cut++) {
    expect(await read([first! + last!.slice(0, cut)])).toMatchObject({ values: [VALUES[0]], error: undefined });
  }
});

test("an answer that is one JSON document is its value, in one line or in many", async () => {
  for (const text of [JSON.stringify(VALUES[0]), `\n${JSON.stringify(VALUES[0], null, 2)}\n`]) {
    expect((await read(split(new TextEncoder().encode(text), [1, 5, 40]))).values).toEqual([VALUES[0]]);
  }
});

test("errors come as errors, whichever way the server marks them", async () => {
  const bodies: readonly (readonly [string, unknown])[] = [
    ['event: error\ndata: {"message":"no"}\n\n', { error: { message: "no" } }],
    ['event: error\ndata: {"error":{"message":"no"}}\n\n', { error: { message: "no" } }],
    ["event: error\ndata: it broke\n\n", { error: "it broke" }],
    ['error: {"message":"no"}\n\n', { error: { message: "no" } }],
    ['data: [{"error":{"message":"no"}}]\n\n', { error: { message: "no" } }],
  ];
  for (const [body, expected] of bodies) expect((await read([body])).values).toEqual([expected]);
});

test("what is not JSON breaks the stream, after what came before it; events of other names may say anything", async () => {
  const broken = await read(['data: {"a":1}\n\ndata: {oops\n\ndata: {"b":1}\n\n']);
  const named = await read(['event: ping\ndata: now\n\ndata: {"a":1}\n\n']);
  const damaged = await read(['event: message_delta\ndata: {"type":"mess\n\ndata: {"a":1}\n\n']);

  expect(broken).toMatchObject({ values: [{ a: 1 }], error: { code: "STREAM_BROKEN", retryable: true } });
  expect(broken.isCancelled).toBe(true);
  expect(named).toMatchObject({ values: [{ a: 1 }], error: undefined });
  expect(damaged).toMatchObject({ values: [], error: { code: "STREAM_BROKEN", retryable: true } });
});

test("a failure written behind the events, as it is or in an array, in one line or in many, is data", async () => {
  const failure = { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } };
  for (const document of [failure, [failure]]) {
    for (const indent of [undefined, 2, "\t"]) {
      for (const between of ["\n", ""]) {
        const said = `data: {"id":2}\n${between}${JSON.stringify(document, null, indent)}`;

        expect(await read([said.slice(0, 25), said.slice(25)])).toMatchObject({
          values: [{ id: 2 }, failure],
          error: undefined,
        });
      }
    }
  }
});

test("a page is reported by its title", async () => {
  const { error } = await read(["<!doctype html>\n\n<title>Sign in</title>", "<body>"]);

  expect(error).toMatchObject({ code: "STREAM_BROKEN" });
  expect((error as Error).message).toBe(
    'Provider "p" answered with an HTML page titled "Sign in" instead of a stream of events. Check baseURL.',
  );
});

test("a string that is not a stream is reported, unless events come, too", async () => {
  const plain = await read(["Service\nis moving"]);
  const mixed = await read(['Service is moving\ndata: {"a":1}\n\n']);

  expect((plain.error as Error).message).toBe(
    'Provider "p" answered with "Service" instead of a stream of events. Check baseURL.',
  );
  expect(mixed).toMatchObject({ values: [{ a: 1 }], error: undefined });
});

test("after [DONE] a server that does not close is not waited for, and a flood is not read to its end", async () => {
  const stalled = await read(['data: {"a":1}\n\ndata: [DONE]\n\n'], "stall");
  const flood = await read(['data: {"a":1}\n\ndata: [DONE]\n\n', ...Array(50).fill("x".repeat(1_000))], "stall");

  expect(stalled).toMatchObject({ values: [{ a: 1 }], isCancelled: true });
  expect(flood).toMatchObject({ values: [{ a: 1 }], isCancelled: true });
});

test("an event without an end is closed at its limit: one line, many lines, or a document", async () => {
  for (const [start, more] of [
    ["data: ", "x".repeat(1_000_000)],
    ["data: {\n", `data: "${"x".repeat(1_000_000)}",\n`],
    ["{", " ".repeat(1_000_000)],
  ] as const) {
    const { error, isCancelled, sent } = await read([start, ...Array(200).fill(more)]);

    expect(error).toMatchObject({ code: "RESPONSE_TOO_LARGE", retryable: false });
    expect(isCancelled).toBe(true);
    expect(sent).toBeLessThan(100);
  }
});

test("a large event costs linear time, however small its packets", async () => {
  const cost = async (chars: number) => {
    const bytes = new TextEncoder().encode(`data: "${"x".repeat(chars)}"\n\n`);
    const packets = Array.from({ length: Math.ceil(bytes.length / 512) }, (_, i) =>
      bytes.subarray(i * 512, (i + 1) * 512),
    );
    const start = processorMs();
    expect((await read(packets)).values).toHaveLength(1);
    return processorMs() - start;
  };
  await cost(100_000);

  const times = async (chars: number) => [await cost(chars), await cost(chars), await cost(chars)];
  const [small, large] = [Math.max(...(await times(300_000))), Math.min(...(await times(3_000_000)))];

  // Quadratic would be a hundred times as much; ten is linear, and the rest is for a busy machine.
  expect(large / small).toBeLessThan(50);
});

test("a packet that completes nothing is a step without values: the server is alive", async () => {
  const packets = [": keep-alive\n\n", 'data: {"a"', ":1}\n\n"];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const packet of packets) controller.enqueue(new TextEncoder().encode(packet));
      controller.close();
    },
  });

  expect(await collect(new ServerEvents({ body }, OWNER))).toEqual([[], [], [{ a: 1 }]]);
});
