// One recorded stream, broken at every byte: what any adapter has to get right whatever the network does to its bytes.
import { expect, onTestFinished, test } from "vitest";
import type { ProviderAdapter, ProviderEvent } from "../../src/contracts/provider.js";
import type { BaseTool } from "../../src/contracts/tool.js";
import { AgentEngine } from "../../src/engine/engine.js";
import { withRetry } from "../../src/engine/model/with-retry.js";
import { defineTool } from "../../src/engine/tools/define-tool.js";
import { createFaultServer, type FaultReply, type FaultServer } from "../../src/testing/fault-server/index.js";
import { runs } from "../runs.js";
import { callsOf, outcome, request, textOf } from "./openai/streams.js";

/** A stream with text and the calls `read` and `write`, and an answer without calls. */
export interface RecordedStreams {
  readonly body: string;
  /** What is sent once the calls have their results. */
  readonly answer: string;
  /** Whether a request holds the results of calls. */
  readonly hasResults: (body: string) => boolean;
  readonly connect: (baseURL: string, headers: Record<string, string>) => ProviderAdapter;
  /** How many bytes lie between the offsets that are tried, unless PROVE is set. Default: 7. */
  readonly stride?: number;
}

export function testByteFaults({ body, answer, hasResults, connect, stride = 7 }: RecordedStreams): void {
  const step = runs(5 * stride, stride, 1);
  const bytes = new TextEncoder().encode(body).length;

  const serve = async (fault: (at: number, attempt: number) => FaultReply): Promise<FaultServer> => {
    const attempts = new Map<number, number>();
    const server = await createFaultServer((asked) => {
      const at = Number(asked.headers["x-offset"] ?? 0);
      const attempt = (attempts.get(at) ?? 0) + 1;
      attempts.set(at, attempt);
      return hasResults(asked.text) ? { body: answer } : { body, ...fault(at, attempt) };
    });
    onTestFinished(() => server.close());
    return server;
  };

  const whole = async (): Promise<ProviderEvent[]> => {
    const server = await serve(() => ({}));
    const { events, error } = await outcome(connect(server.url, {}).stream(request({}, "read", "write")));
    expect(error).toBeUndefined();
    expect(callsOf(events).map(({ name }) => name)).toEqual(["read", "write"]);
    return events;
  };

  /** Tries offsets of the stream, some at a time. */
  const atOffsets = async (tryAt: (at: number) => Promise<void>, by = step): Promise<void> => {
    const offsets = Array.from({ length: Math.ceil(bytes / by) }, (_, i) => i * by);
    const worker = async () => {
      for (let at = offsets.pop(); at !== undefined; at = offsets.pop()) await tryAt(at);
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  };

  const streamAt = (server: FaultServer, at: number) =>
    outcome(connect(server.url, { "x-offset": String(at) }).stream(request({}, "read", "write")));

  test("the events are the same wherever the bytes of the stream are split", async () => {
    const expected = await whole();
    const server = await serve((at) => ({ splitAt: [at] }));

    await atOffsets(async (at) => {
      expect(await streamAt(server, at), `split at byte ${at}`).toEqual({ events: expected, error: undefined });
    });
  });

  test("the events are the same in packets of every size, compressed or not", async () => {
    const expected = await whole();
    const server = await serve((at) => ({ splitEvery: (at >> 1) + 1, gzip: at % 2 === 1 }));

    // Of one to twelve bytes, each compressed and not; otherwise five of them, which differ in both.
    for (let at = 0; at < 24; at += runs(5, 1, 1)) {
      const { events } = await streamAt(server, at);
      expect(events, `packets of ${(at >> 1) + 1} bytes`).toEqual(expected);
    }
  });

  for (const end of ["close", "reset"] as const) {
    test(`a stream cut at any byte by a ${end} never ends a message or a call early`, async () => {
      const expected = await whole();
      const calls = callsOf(expected);
      const server = await serve((at) => ({ cutAt: at, end }));
      const without = (events: readonly ProviderEvent[]) => events.slice(0, -1);
      let ended = 0;

      await atOffsets(async (at) => {
        const { events, error } = await streamAt(server, at);

        expect(textOf(expected).startsWith(textOf(events)), `cut at byte ${at}`).toBe(true);
        expect(calls.slice(0, callsOf(events).length), `cut at byte ${at}`).toEqual(callsOf(events));
        if (error === undefined) {
          ended++;
          expect(without(events), `cut at byte ${at}`).toEqual(without(expected));
          expect(events.at(-1)).toMatchObject({ type: "message-end", finishReason: "tool-calls" });
        } else {
          expect(error, `cut at byte ${at}`).toMatchObject({ retryable: true });
          expect(
            events.some(({ type }) => type === "message-end"),
            `cut at byte ${at}`,
          ).toBe(false);
        }
      });

      expect(ended).toBeLessThan(bytes / step / 3);
    });
  }

  test("no text is doubled and no call lost, wherever a retried stream is cut", async () => {
    const expected = await whole();
    const server = await serve((at, attempt) => (attempt === 1 ? { cutAt: at, end: "reset" } : {}));

    await atOffsets(async (at) => {
      const provider = withRetry(connect(server.url, { "x-offset": String(at) }), { baseMs: 0 });
      const { events, error } = await outcome(provider.stream(request({}, "read", "write")));
      const restart = events.findLastIndex((event) => event.type === "restart");

      expect(error, `cut at byte ${at}`).toBeUndefined();
      expect(textOf(events), `cut at byte ${at}`).toBe(textOf(expected));
      expect(callsOf(events.slice(restart + 1)), `cut at byte ${at}`).toEqual(callsOf(expected));
    });
  });

  test("no tool call runs twice or with half its arguments, wherever the engine's stream is cut", async () => {
    const expected = callsOf(await whole()).map((call) => ({ name: call.name, arguments: call.arguments }));
    const server = await serve((at, attempt) => (attempt === 1 ? { cutAt: at, end: "reset" } : {}));

    await atOffsets(async (at) => {
      const ran: unknown[] = [];
      const engine = new AgentEngine({
        provider: connect(server.url, { "x-offset": String(at) }),
        tools: recordingTools(ran),
        retry: { baseMs: 0 },
      });

      const result = await engine.run("go");

      expect(result, `cut at byte ${at}`).toMatchObject({ status: "completed", text: "Ready.", turns: 2 });
      expect(ran, `cut at byte ${at}`).toHaveLength(2);
      expect(ran).toEqual(expect.arrayContaining(expected));
    }, 3 * step);
  });
}

/** The tools that the answer calls; each call is written down. */
export function recordingTools(ran: unknown[]): BaseTool[] {
  const tool = (name: string, permission: "read_only" | "none") =>
    defineTool({
      name,
      description: name,
      permission,
      input: { type: "object" },
      execute: (input) => {
        ran.push({ name, arguments: input });
        return Promise.resolve("done");
      },
    });
  return [tool("write", "none"), tool("read", "read_only")];
}
