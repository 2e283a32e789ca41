// What the model streams on its way to the consumer: text, and long arguments in small pieces.
import type { ProviderAdapter, ProviderEvent } from "loopwright";
import { consume, contractStream, noop, streamingModel } from "../floors.js";
import { interleave } from "../measure.js";
import { engineFor } from "../ours.js";
import { isQuick, type Row, report } from "../row.js";

const TEXT_DELTAS = 20_000;
const DELTA_CHARS = 100;

function* textDeltas(): Generator<ProviderEvent> {
  for (let i = 0; i < TEXT_DELTAS; i++) yield { type: "text-delta", text: "a few words of it " };
}

/** A call whose arguments have this many characters. */
function longCall(chars: number): () => Generator<ProviderEvent> {
  const json = JSON.stringify({ text: "x".repeat(chars) });
  const pieces = json.match(new RegExp(`.{1,${DELTA_CHARS}}`, "g"))!;
  return function* () {
    yield { type: "tool-call-start", index: 0, id: "call_0", name: noop.name };
    let received = "";
    for (const piece of pieces) {
      received += piece;
      yield { type: "tool-call-delta", index: 0, json: piece };
    }
    const call = { id: "call_0", name: noop.name, arguments: JSON.parse(received) };
    yield { type: "tool-call-end", index: 0, call };
  };
}

async function timesOf(events: () => Generator<ProviderEvent>): Promise<Omit<Row, "what" | "unit">> {
  const model = (): ProviderAdapter => streamingModel(events);
  const { floor, contract, ours } = await interleave(
    {
      floor: async () => consume(model().stream({} as never)),
      contract: () => consume(contractStream(model())),
      ours: () => consume(engineFor(model()).stream("go")),
    },
    { rounds: isQuick ? 11 : 31, warmups: 6 },
  );
  return { floor, contractFloor: contract, ours };
}

const text = await timesOf(textDeltas);
const long = await timesOf(longCall(800_000));
const half = await timesOf(longCall(400_000));
const perDelta = (ms: number) => (ms * 1000) / TEXT_DELTAS;
report([
  {
    what: "a text delta to the consumer",
    unit: "µs",
    floor: perDelta(text.floor!),
    contractFloor: perDelta(text.contractFloor!),
    ours: perDelta(text.ours),
    budgets: [{ max: 1.2, times: "contractFloor" }],
  },
  {
    what: `800 KB of tool arguments in ${DELTA_CHARS}-byte deltas`,
    unit: "ms",
    ...long,
    budgets: [{ max: 1.2, times: "contractFloor" }],
  },
  { what: `400 KB of tool arguments in ${DELTA_CHARS}-byte deltas`, unit: "ms", ...half },
]);
