// Long sessions of a coding agent with planted facts: what was decided, names, paths, numbers, open bugs and wishes of
// the user, said once, early, among real files and logs. `held-out` is worded otherwise than what the stages were tried on.
import { readdirSync, readFileSync } from "node:fs";
import type { Message, ToolCall } from "../../src/index.js";

export type FactKind = "decision" | "identifier" | "path" | "number" | "open bug" | "user wish";

export interface Fact {
  readonly kind: FactKind;
  /** What has to be in the view, word for word. */
  readonly needle: string;
}

export interface PlantedSession {
  readonly name: string;
  readonly messages: readonly Message[];
  readonly facts: readonly Fact[];
}

/** Who says a fact: the user, the model, or a tool's result. */
type Speaker = "user" | "model" | "result";
type Template = readonly [FactKind, Speaker, text: string, needle: string];

// `{n}` is a number and `{h}` a hash of the session's own, so that no two sessions share a fact.
const TRIED: readonly Template[] = [
  ["user wish", "user", "Please never use default exports, I prefer named ones.", "never use default exports"],
  ["user wish", "user", "All commit messages must begin with the ticket, as PAY-{n}.", "PAY-{n}"],
  [
    "decision",
    "model",
    "Decision: we keep the legacy endpoint until release {n} instead of removing it now.",
    "legacy endpoint until release {n}",
  ],
  [
    "decision",
    "model",
    "I chose optimistic locking because the table is read {n} times as often as it is written.",
    "optimistic locking",
  ],
  ["identifier", "result", "deployed as build-{h} to staging", "build-{h}"],
  ["identifier", "model", "The request id of the failing call is req_{h}.", "req_{h}"],
  ["path", "result", "Error: cannot find module './vendor/shim-{n}.cjs'", "./vendor/shim-{n}.cjs"],
  [
    "path",
    "model",
    "The root cause is in packages/core/src/cache/evict-{n}.ts.",
    "packages/core/src/cache/evict-{n}.ts",
  ],
  ["number", "result", "timeout after {n}37 ms (limit 30000)", "{n}37 ms"],
  ["number", "user", "The staging database listens on port 5{n}.", "5{n}"],
  ["open bug", "model", "TODO: the retry counter is still wrong after a reconnect (off by one, see #{n}).", "#{n}"],
  ["open bug", "result", "FAIL test/sync.test.ts > merges twice: expected {n} rows", "merges twice"],
];

const HELD_OUT: readonly Template[] = [
  ["user wish", "user", "From now on answer me in Portuguese, and keep functions under {n} lines.", "Portuguese"],
  ["user wish", "user", "My manager would like the report as report-{n}.xlsx by Thursday.", "report-{n}.xlsx"],
  [
    "decision",
    "model",
    "Let's go with a ring buffer of {n} slots for the log shipper; a linked list was too slow.",
    "ring buffer of {n} slots",
  ],
  ["decision", "model", "After comparing both, Redis streams it is: consumer group billing-{n}.", "billing-{n}"],
  ["identifier", "result", "created ConfigMap settings-{h} in namespace edge", "settings-{h}"],
  ["identifier", "user", "The customer who reported it is ACME GmbH, contract 2024/{n}.", "2024/{n}"],
  ["path", "result", "wrote coverage to /var/tmp/cov-{n}/lcov.info", "/var/tmp/cov-{n}/lcov.info"],
  [
    "path",
    "model",
    "Everything about tax lives in services/ledger/vat/{n}.rules.toml.",
    "services/ledger/vat/{n}.rules.toml",
  ],
  ["number", "result", "p99 latency: {n}.7 ms, budget 120 ms", "{n}.7 ms"],
  ["number", "model", "The limit turned out to be {n} concurrent sockets per worker.", "{n} concurrent sockets"],
  [
    "open bug",
    "model",
    "Open: uploads above 2 GB hang at 99 % on Safari; I could not reproduce it here (case {n}).",
    "uploads above 2 GB",
  ],
  ["open bug", "result", "1 flaky: scheduler drops the {n}th job on DST change", "drops the {n}th job"],
];

const ROOT = new URL("../../", import.meta.url);
const FILES = ["src/engine", "src/tools", "src/providers/openai"].flatMap((folder) =>
  readdirSync(new URL(folder, ROOT))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`),
);
const TURNS = 160;

export function plantedSessions(set: "tried" | "held-out", count = 4): PlantedSession[] {
  const templates = set === "tried" ? TRIED : HELD_OUT;
  return Array.from({ length: count }, (_, index) => plantedSession(`${set} ${index + 1}`, templates, index + 1));
}

function plantedSession(name: string, templates: readonly Template[], seed: number): PlantedSession {
  const random = randomFrom(seed * 7_919);
  const values = { n: String(100 + Math.floor(random() * 899)), h: Math.floor(random() * 2 ** 36).toString(16) };
  const filled = (text: string) => text.replace(/\{n\}/g, values.n).replace(/\{h\}/g, values.h);
  const plan = templates.map((template) => ({ template, turn: 2 + Math.floor(random() * TURNS * 0.7) }));
  const messages: Message[] = [user("Make the billing service ready for the new contract model, step by step.")];
  for (let turn = 0; turn < TURNS; turn++) {
    const facts = plan.filter((each) => each.turn === turn).map(({ template }) => template);
    for (const [, speaker, text] of facts) if (speaker === "user") messages.push(user(filled(text), "steering"));
    const said = facts.filter(([, speaker]) => speaker === "model").map(([, , text]) => filled(text));
    const shown = facts.filter(([, speaker]) => speaker === "result").map(([, , text]) => filled(text));
    messages.push(...turnOf(turn, said, shown, random));
  }
  const facts = templates.map(([kind, , , needle]) => ({ kind, needle: filled(needle) }));
  return { name, messages, facts };
}

const CHATTER = [
  "Let me look at this part.",
  "",
  "Next file.",
  "Running it again.",
  "",
  "I will check the callers, too.",
];

function turnOf(turn: number, said: readonly string[], shown: readonly string[], random: () => number): Message[] {
  const file = FILES[Math.floor(random() * FILES.length)]!;
  // Files can be read again; what is only said once is in the output of a command.
  const kind = shown.length > 0 ? 0.7 + random() * 0.3 : random();
  const call: Omit<ToolCall, "id"> =
    kind < 0.5
      ? { name: "read_file", arguments: { path: file } }
      : kind < 0.7
        ? { name: "edit_file", arguments: { path: file, old_text: "a", new_text: "b" } }
        : { name: "bash", arguments: { command: kind < 0.85 ? "npm test" : `grep -rn ${turn} src` } };
  const text = [...said, CHATTER[turn % CHATTER.length]!].filter((line) => line !== "").join(" ");
  const about = { finishReason: "tool-calls", provider: "bench", model: "bench" } as const;
  const id = `call-${turn}`;
  return [
    {
      role: "assistant",
      content: [...(text ? [{ type: "text" as const, text }] : []), { type: "tool-call", id, ...call }],
      ...about,
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: id,
          name: call.name,
          output: outputOf(call.name, file, shown, random),
          isError: false,
        },
      ],
    },
  ];
}

/** A piece of a real file or a log, with the facts somewhere in it. */
function outputOf(name: string, file: string, shown: readonly string[], random: () => number): string {
  const source = readFileSync(new URL(file, ROOT), "utf8").split("\n");
  const from = Math.floor((random() * source.length) / 2);
  const lines =
    name === "bash" ? logLines(random) : source.slice(from, from + 90).map((line, i) => `${from + i + 1}\t${line}`);
  for (const fact of shown) lines.splice(Math.floor(random() * lines.length), 0, fact);
  return lines.join("\n");
}

function logLines(random: () => number): string[] {
  return Array.from({ length: 70 }, (_, i) =>
    random() < 0.5
      ? ` ✓ test/unit/${i % 9}.test.ts (${Math.floor(random() * 40)} tests) ${Math.floor(random() * 900)}ms`
      : `[${String(i).padStart(4, "0")}] info worker ${i % 4} handled batch ${Math.floor(random() * 1_000)}`,
  );
}

function user(text: string, origin?: "steering"): Message {
  return { role: "user", content: [{ type: "text", text }], ...(origin && { origin }) };
}

function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
