// What goes over the wire in one session of 200 turns: all of it with each request, or only what the server does not have yet.
import type { ProviderAdapter } from "loopwright";
import { anthropic } from "loopwright/providers/anthropic";
import { openai } from "loopwright/providers/openai";
import { anthropicEvents, namedSse, responseEvents, sse } from "loopwright/testing/fault-server";
import { engineFor, mustComplete } from "../ours.js";
import { type Row, report } from "../row.js";
import { workTool } from "../work-tool.js";

const TURNS = 200;
const OUTPUT = "const answer = compute(input, { limit: 42 }); // see the notes above\n".repeat(40);

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type Make = (fetch: Fetch, state: "client" | "server") => ProviderAdapter;

const VENDORS: Readonly<Record<string, { readonly make: Make; readonly write: (turn: number) => string }>> = {
  Anthropic: {
    make: (fetch, state) => anthropic({ model: "claude-opus-5", apiKey: "k", baseURL: "http://bench", fetch, state }),
    write: (turn) => namedSse(anthropicEvents(answerOf(turn))).replace("msg_1", `msg_${turn}`),
  },
  OpenAI: {
    make: (fetch, state) =>
      openai({ model: "gpt-5.1", api: "responses", apiKey: "k", baseURL: "http://bench", fetch, state }),
    write: (turn) => sse(responseEvents(answerOf(turn))).replaceAll("resp_1", `resp_${turn}`),
  },
};

function answerOf(turn: number) {
  const toolCalls = turn < TURNS ? [{ id: `call_${turn}`, name: "work", arguments: { turn } }] : [];
  return { text: `Step ${turn}: on to the next file.`, toolCalls };
}

async function bytesSent(vendor: string, state: "client" | "server"): Promise<number> {
  const { make, write } = VENDORS[vendor]!;
  let [bytes, turn] = [0, 0];
  const fetch: Fetch = async (_url, { body }) => {
    bytes += Buffer.byteLength(String(body));
    return new Response(write(++turn), { headers: { "content-type": "text/event-stream" } });
  };
  mustComplete(await engineFor(make(fetch, state), workTool(OUTPUT)).run("Work through the list."));
  return bytes;
}

const rows: Row[] = [];
for (const vendor of Object.keys(VENDORS)) {
  rows.push({
    what: `bytes of all requests, ${TURNS} turns, what ${vendor} keeps left out (floor: each request whole)`,
    unit: "MB",
    ours: (await bytesSent(vendor, "server")) / 1e6,
    floor: (await bytesSent(vendor, "client")) / 1e6,
    budgets: [{ max: 0.02, times: "floor" }],
  });
}
report(rows);
