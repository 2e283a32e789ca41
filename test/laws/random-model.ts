import fc from "fast-check";
import { ProviderError } from "../../src/contracts/errors.js";
import type { ProviderAdapter, ProviderEvent, ProviderRequest } from "../../src/contracts/provider.js";
import type { FinishReason } from "../../src/contracts/usage.js";
import { TOOL_NAMES } from "./random-tools.js";
import { type Wish, wish } from "./wish.js";
import type { World } from "./world.js";

type Step =
  | { readonly do: "send"; readonly event: ProviderEvent }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "fail"; readonly how: Failure }
  | { readonly do: "stall" }
  | { readonly do: "end" };

type Failure = "retryable" | "final" | "not-an-error" | "nothing" | "too-long" | "slow-down";

/** What a model does with one request, and how it fails at it first. */
export interface ModelTurn {
  readonly steps: readonly Step[];
  /** Attempts that break off after some steps, before one that does not. */
  readonly broken: readonly { readonly after: number; readonly how: Failure | "end" | "stall" }[];
  readonly manners: "good" | "throws-at-once" | "ignores-abort" | "cleanup-hangs" | "cleanup-throws" | "next-throws";
}

type Piece =
  | { readonly kind: "text" | "reasoning"; readonly text: string }
  | { readonly kind: "media"; readonly part: unknown }
  | {
      readonly kind: "call";
      readonly form: CallForm;
      readonly id: string;
      readonly name: string;
      readonly wish: Wish;
      /** Called through `call_tool`, which a host that defers its tools has. */
      readonly isDeferred: boolean;
    }
  | { readonly kind: "other"; readonly steps: readonly Step[] }
  | { readonly kind: "again" };

const FORMS = ["whole", "end-only", "no-end", "no-start", "malformed", "half", "twice", "no-object"] as const;
type CallForm = (typeof FORMS)[number];

const text = fc.constantFrom("Hello", " ", "", "ünï – 🙂", "x".repeat(300));
const callId = fc.constantFrom("", "a", "b", "a-2", "call", "call-1", "__proto__");
const toolName = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...TOOL_NAMES) },
  { weight: 1, arbitrary: fc.constantFrom("nope", "", "tool_search", "__proto__", "x".repeat(2_000)) },
);
const failure = fc.constantFrom<Failure>(
  "retryable",
  "retryable",
  "final",
  "not-an-error",
  "nothing",
  "too-long",
  "slow-down",
);

const NONSENSE: readonly unknown[] = [
  null,
  undefined,
  7,
  "text-delta",
  {},
  { type: "no-such-event" },
  { type: "text-delta" },
  { type: "tool-call-delta", index: 99, json: "{}" },
  { type: "tool-call-end" },
  { type: "tool-call-start" },
  { type: "tool-call-end", index: "x", call: { id: 5, name: null, arguments: () => 1 } },
  { type: Object.create(null) },
  { type: "reasoning-end", providerData: { signature: "s" } },
  { type: "message-start" },
];

const media = fc.constantFrom<unknown>(
  { type: "image", mediaType: "image/png", data: "iVBORw0KGgo=" },
  { type: "image", mediaType: "image/png", data: "A".repeat(2_000), providerData: { signature: "s" } },
  { type: "file", mediaType: "audio/wav", data: "UklGRg==", name: "ünï.wav" },
  { type: "image", mediaType: "image/png", data: "not base64" },
  { type: "image" },
  undefined,
);

const piece: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("text" as const, "reasoning" as const), text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("media" as const), part: media }) },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant("call" as const),
      form: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom<CallForm>("whole", "end-only") },
        { weight: 1, arbitrary: fc.constantFrom<CallForm>(...FORMS) },
      ),
      id: callId,
      name: toolName,
      wish,
      isDeferred: fc.nat({ max: 3 }).map((n) => n === 3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .oneof(
        fc.integer({ min: 1, max: 8 }).map((ms): Step => ({ do: "wait", ms })),
        fc.constantFrom(...NONSENSE).map((event): Step => ({ do: "send", event: event as ProviderEvent })),
      )
      .map((step): Piece => ({ kind: "other", steps: [step] })),
  },
  { weight: 1, arbitrary: fc.constant<Piece>({ kind: "again" }) },
);

const finish = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      finishReason: fc.constantFrom<FinishReason>(
        "stop",
        "tool-calls",
        "length",
        "other",
        "error",
        "nonsense" as never,
      ),
      usage: fc.constantFrom(undefined, { inputTokens: 10, outputTokens: 5 }, { inputTokens: Number.NaN } as never),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom("end" as const, "stall" as const) },
);

/** One turn of a random model. */
export const modelTurn: fc.Arbitrary<ModelTurn> = fc
  .record({
    pieces: fc.array(piece, { maxLength: 6 }),
    order: fc.array(fc.nat({ max: 3 }), { maxLength: 20 }),
    finish,
    broken: fc.oneof(
      { weight: 4, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc.array(
          fc.record({
            after: fc.nat({ max: 12 }),
            how: fc.oneof(failure, fc.constantFrom("end" as const, "stall" as const)),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      },
    ),
    manners: fc.oneof(
      { weight: 6, arbitrary: fc.constant("good" as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<ModelTurn["manners"]>(
          "throws-at-once",
          "ignores-abort",
          "cleanup-hangs",
          "cleanup-throws",
          "next-throws",
        ),
      },
    ),
  })
  .map(({ pieces, order, finish: end, broken, manners }) => ({
    steps: [...interleaved(pieces, order), ...lastSteps(end)],
    broken,
    manners,
  }));

function lastSteps(end: "end" | "stall" | { finishReason: FinishReason; usage: unknown }): Step[] {
  if (typeof end === "string") return [{ do: end }];
  return [{ do: "send", event: { type: "message-end", ...end } as ProviderEvent }];
}

/** Deals the pieces' steps out in the given order, so that several calls stream at once. */
function interleaved(pieces: readonly Piece[], order: readonly number[]): Step[] {
  const again = pieces.findIndex(({ kind }) => kind === "again");
  const parts = again < 0 ? [pieces] : [pieces.slice(0, again), pieces];
  const streams = parts.map((part) => deal(part, order));
  if (again < 0) return streams[0]!;
  const error = new ProviderError("STREAM_BROKEN", { message: "It broke.", retryable: true });
  return [...streams[0]!, { do: "send", event: { type: "restart", attempt: 1, delayMs: 0, error } }, ...streams[1]!];
}

function deal(pieces: readonly Piece[], order: readonly number[]): Step[] {
  const queues = pieces.map((one, index) => stepsOf(one, index)).filter((queue) => queue.length > 0);
  const steps: Step[] = [{ do: "send", event: { type: "message-start" } }];
  for (let turn = 0; queues.length > 0; turn++) {
    const at = (order[turn] ?? 0) % queues.length;
    steps.push(queues[at]!.shift()!);
    if (queues[at]!.length === 0) queues.splice(at, 1);
  }
  return steps;
}

function stepsOf(one: Piece, index: number): Step[] {
  if (one.kind === "other") return [...one.steps];
  if (one.kind === "again") return [];
  if (one.kind === "media") return [{ do: "send", event: { type: "media", part: one.part } as ProviderEvent }];
  if (one.kind !== "call") return [{ do: "send", event: { type: `${one.kind}-delta`, text: one.text } }];
  const { form, id } = one;
  const args = { ...one.wish };
  const name = one.isDeferred ? "call_tool" : one.name;
  const call = { id, name, arguments: one.isDeferred ? { name: one.name, arguments: args } : args };
  const json = JSON.stringify(call.arguments);
  const start: ProviderEvent = { type: "tool-call-start", index, id, name };
  const delta: ProviderEvent = { type: "tool-call-delta", index, json };
  const end: ProviderEvent = { type: "tool-call-end", index, call };
  const events: { readonly [K in CallForm]: readonly ProviderEvent[] } = {
    whole: [start, delta, end],
    "end-only": [end],
    "no-end": [start, delta],
    "no-start": [delta, end],
    malformed: [start, { type: "tool-call-end", index, call: { ...call, arguments: {}, malformed: json.slice(1) } }],
    half: [start, { type: "tool-call-delta", index, json: json.slice(0, 9) }],
    twice: [start, end, end],
    "no-object": [start, { type: "tool-call-end", index, call: { ...call, arguments: [1, null] } }],
  };
  return events[form].map((event) => ({ do: "send", event }));
}

/** Plays the turns, then answers "That is all." Tells `onRequest` of every attempt. */
export function randomModel(
  world: World,
  turns: readonly ModelTurn[],
  onRequest: (request: ProviderRequest) => void = () => {},
): ProviderAdapter {
  let turn = 0;
  let attempt = 0;

  function nextSteps(): { steps: readonly Step[]; manners: ModelTurn["manners"] } {
    const planned = turns[turn];
    if (!planned) return { steps: THE_END, manners: "good" };
    const broken = planned.broken[attempt++];
    if (!broken) {
      turn++;
      attempt = 0;
      return planned;
    }
    const last: Step =
      broken.how === "end" || broken.how === "stall" ? { do: broken.how } : { do: "fail", how: broken.how };
    return { steps: [...planned.steps.slice(0, broken.after), last], manners: planned.manners };
  }

  return {
    id: "random",
    model: "random-1",
    stream(request) {
      onRequest(request);
      const { steps, manners } = nextSteps();
      if (manners === "throws-at-once") throw errorOf("retryable");
      if (request.messages.length === 0) world.violations.push("a request had no messages");
      const stream = play(world, steps, manners, request);
      return manners === "next-throws" ? impolite(stream) : stream;
    },
  };
}

const THE_END: readonly Step[] = [
  { do: "send", event: { type: "text-delta", text: "That is all." } },
  { do: "send", event: { type: "message-end", finishReason: "stop", usage: { inputTokens: 9, outputTokens: 3 } } },
];

async function* play(
  world: World,
  steps: readonly Step[],
  manners: ModelTurn["manners"],
  request: ProviderRequest,
): AsyncGenerator<ProviderEvent> {
  try {
    for (const step of steps) {
      if (manners !== "ignores-abort") request.signal.throwIfAborted();
      if (step.do === "send") yield step.event;
      if (step.do === "wait") await world.time.sleep(step.ms);
      if (step.do === "fail") throw errorOf(step.how);
      if (step.do === "stall") await untilAborted(request.signal, manners);
      if (step.do === "end") return;
    }
  } finally {
    if (manners === "cleanup-hangs") await new Promise(() => {});
    // biome-ignore lint/correctness/noUnsafeFinally: the point of it
    if (manners === "cleanup-throws") throw new Error("cleanup failed");
  }
}

/** An iterator that fails in ways no generator does. */
function impolite(stream: AsyncGenerator<ProviderEvent>): AsyncIterable<ProviderEvent> {
  let calls = 0;
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        if (++calls === 3) throw errorOf("retryable");
        return stream.next();
      },
      return() {
        throw new Error("no return");
      },
    }),
  };
}

function untilAborted(signal: AbortSignal, manners: ModelTurn["manners"]): Promise<never> {
  return new Promise((_, reject) => {
    if (manners !== "ignores-abort") signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function errorOf(how: Failure): unknown {
  switch (how) {
    case "retryable":
      return new ProviderError("OVERLOADED", { message: "Too much.", retryable: true });
    case "slow-down":
      return new ProviderError("RATE_LIMITED", { message: "Later.", retryable: true, retryAfterMs: 3 });
    case "final":
      return new ProviderError("AUTH", { message: "Who are you?" });
    case "too-long":
      return new ProviderError("CONTEXT_TOO_LONG", { message: "Too long." });
    case "not-an-error":
      return Object.create(null);
    case "nothing":
      return undefined;
  }
}
