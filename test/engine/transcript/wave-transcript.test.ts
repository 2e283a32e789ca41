// The record of the calls that a tool makes, as its entries say it.
import { expect, test } from "vitest";
import { WaveTranscript } from "../../../src/engine/transcript/wave-transcript.js";
import type { SessionEntry, SessionRecord, ToolCall } from "../../../src/index.js";

/** A transcript of these records; the n-th is an entry of the time n. */
function transcriptOf(...records: readonly SessionRecord[]): WaveTranscript {
  const transcript = new WaveTranscript(() => ({ tool: "compose", toolCallId: "c" }));
  for (const [at, record] of records.entries())
    transcript.apply({ v: 1, id: `${at}`, parent: null, at, runId: "r", turn: 1, ...record } as SessionEntry);
  return transcript;
}

function wave(...calls: readonly ToolCall[]): SessionRecord {
  const content = calls.map((call) => ({ type: "tool-call" as const, ...call }));
  const author = { provider: "program", model: "compose" };
  return { type: "message", message: { role: "assistant", content, finishReason: "tool-calls", ...author } };
}

function resultOf(toolCallId: string): SessionRecord {
  const result = { toolCallId, name: "look", output: toolCallId, isError: false, status: "success" as const };
  return { type: "tool-result", result: { ...result, durationMs: 0 } };
}

const look = (id: string): ToolCall => ({ id, name: "look", arguments: { id } });

test("waves have their calls and results in order, with the times of the results", () => {
  const { waves } = transcriptOf(
    wave(look("c.1.1"), look("c.1.2")),
    resultOf("c.1.2"),
    resultOf("c.1.1"),
    wave(look("c.2.1")),
  );

  expect(waves.map(({ calls }) => calls.map(({ input }) => input))).toEqual([
    [{ id: "c.1.1" }, { id: "c.1.2" }],
    [{ id: "c.2.1" }],
  ]);
  expect(waves.map(({ results }) => results.map((each) => each && [each.result.output, each.at]))).toEqual([
    [
      ["c.1.1", 2],
      ["c.1.2", 1],
    ],
    [undefined],
  ]);
});

test("calls are numbered over all waves", () => {
  const transcript = transcriptOf(
    wave(look("c.1.1"), look("c.1.2")),
    resultOf("c.1.1"),
    resultOf("c.1.2"),
    wave(look("c.2.1")),
  );

  expect(["c.1.1", "c.1.2", "c.2.1", "d"].map((id) => transcript.numberOf(id))).toEqual([1, 2, 3, 0]);
});

test("the first start counts", () => {
  const start = (data: number): SessionRecord => ({
    type: "custom",
    name: "loopwright.program",
    data: { v: 1, tool: "compose", data },
  });

  expect(transcriptOf(start(1), start(2)).start).toEqual({ at: 0, data: 1 });
  expect(transcriptOf(wave(look("c.1.1"))).start).toBe(null);
});
