// A provider's events, each without one of its fields: what is missing is reported, and never made up.
import { expect, test } from "vitest";
import { AgentEngine, type ProviderAdapter, type ProviderEvent } from "../../../src/index.js";
import { issuesOf, listen, tool } from "../kit.js";

const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WHOLE: readonly ProviderEvent[] = [
  { type: "message-start", id: "m1", model: "m" },
  { type: "reasoning-delta", text: "Let me see." },
  { type: "reasoning-end", providerData: { signature: "s" } },
  { type: "text-delta", text: "Look: " },
  { type: "media", part: { type: "image", mediaType: "image/png", data: PICTURE } },
  { type: "tool-call-start", index: 0, id: "c1", name: "look" },
  { type: "tool-call-delta", index: 0, json: '{"at":"the sea"}' },
  { type: "tool-call-end", index: 0, call: { id: "c1", name: "look", arguments: { at: "the sea" } } },
  { type: "message-end", finishReason: "tool-calls", usage: { inputTokens: 5, outputTokens: 7 } },
];

/** The paths of all fields of an event, outermost first. What a model says in arguments is no field. */
function pathsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [
    [...path, key],
    ...(key === "arguments" ? [] : pathsIn(one, [...path, key])),
  ]);
}

function without(event: ProviderEvent, path: readonly string[]): ProviderEvent {
  const copy = structuredClone(event);
  Reflect.deleteProperty(
    path.slice(0, -1).reduce((at: object, key) => Reflect.get(at, key), copy),
    path.at(-1)!,
  );
  return copy;
}

async function runWith(events: readonly ProviderEvent[]) {
  let turn = 0;
  const provider: ProviderAdapter = {
    id: "maimed",
    model: "m",
    async *stream() {
      yield* turn++ === 0
        ? events
        : ([
            { type: "message-start" },
            { type: "text-delta", text: "Done." },
            { type: "message-end", finishReason: "stop" },
          ] as const);
    },
  };
  const inputs: unknown[] = [];
  const look = tool("look", async (input) => {
    inputs.push(input);
    return "blue";
  });
  const engine = new AgentEngine({
    provider,
    tools: [look],
    retry: false,
    permissions: { decide: () => ({ behavior: "allow" }) },
  });
  const notices = listen(engine, "notice");
  const result = await engine.run("go");
  const kept = result.messages().flatMap(({ role, content }) => (role === "assistant" ? content : []));
  return { result, inputs, notices, kept: kept.map((part) => JSON.stringify(part)) };
}

/** Fields that may be absent, or that another event says as well. */
const SAID_ELSEWHERE = ["id", "model", "providerData", "usage"];

const cases = WHOLE.flatMap((event, at) =>
  pathsIn(event).map((path) => [event.type, path.join("."), at, path] as const),
);

test.each(cases)(
  "%s without %s: the run ends, and nothing is lost or made up without a word",
  async (_type, _name, at, path) => {
    const whole = await runWith(WHOLE);
    const { result, inputs, notices, kept } = await runWith(
      WHOLE.map((event, index) => (index === at ? without(event, path) : event)),
    );

    expect(["completed", "failed"]).toContain(result.status);
    expect(result.error?.code).not.toBe("INTERNAL");
    expect(issuesOf(result)).toEqual([]);
    // A tool is given what the model has said, or nothing.
    for (const input of inputs) expect(input).toEqual({ at: "the sea" });
    const isWhole = kept.length === whole.kept.length && inputs.length === whole.inputs.length;
    const isToldToModel =
      kept.some((part) => part.includes("malformed")) || JSON.stringify(result.messages()).includes('"isError":true');
    if (result.status === "completed" && !SAID_ELSEWHERE.includes(path.at(-1)!)) {
      expect(isWhole || notices.length > 0 || isToldToModel).toBe(true);
    }
  },
);
