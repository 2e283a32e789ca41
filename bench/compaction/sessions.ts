// Long sessions of a coding agent with planted facts: what was decided, names, paths, numbers, open bugs and wishes of
// the user, said once, early, among real files and logs. `held-out` is worded differently from what the stages were tried on.
import type { Message, ToolCall } from "../../src/index.js";
import {
  assistant,
  filledWith,
  linesOfSource,
  type PlantedSession,
  randomFrom,
  result,
  type Template,
  user,
} from "./planting.js";

const TRIED: readonly Template[] = [
  [
    "user wish",
    "user",
    "Please never use default exports, I prefer named ones.",
    "never use default exports",
    "which exports are preferred",
  ],
  [
    "user wish",
    "user",
    "All commit messages must begin with the ticket, as PAY-{n}.",
    "PAY-{n}",
    "how do commit messages begin",
  ],
  [
    "decision",
    "model",
    "Decision: we keep the legacy endpoint until release {n} instead of removing it now.",
    "legacy endpoint until release {n}",
    "legacy endpoint until when",
  ],
  [
    "decision",
    "model",
    "I chose optimistic locking because the table is read {n} times as often as it is written.",
    "optimistic locking",
    "which locking",
  ],
  ["identifier", "result", "deployed as build-{h} to staging", "build-{h}", "what was deployed to staging"],
  [
    "identifier",
    "model",
    "The request id of the failing call is req_{h}.",
    "req_{h}",
    "request id of the failing call",
  ],
  [
    "path",
    "result",
    "Error: cannot find module './vendor/shim-{n}.cjs'",
    "./vendor/shim-{n}.cjs",
    "cannot find module",
  ],
  [
    "path",
    "model",
    "The root cause is in packages/core/src/cache/evict-{n}.ts.",
    "packages/core/src/cache/evict-{n}.ts",
    "root cause in which file",
  ],
  ["number", "result", "timeout after {n}37 ms (limit 30000)", "{n}37 ms", "timeout after"],
  ["number", "user", "The staging database listens on port 5{n}.", "5{n}", "staging database port"],
  [
    "open bug",
    "model",
    "TODO: the retry counter is still wrong after a reconnect (off by one, see #{n}).",
    "#{n}",
    "retry counter wrong after reconnect",
  ],
  [
    "open bug",
    "result",
    "FAIL test/sync.test.ts > merges twice: expected {n} rows",
    "merges twice",
    "failing test expected rows",
  ],
];

const HELD_OUT: readonly Template[] = [
  [
    "user wish",
    "user",
    "From now on answer me in Portuguese, and keep functions under {n} lines.",
    "Portuguese",
    "language of the answers",
  ],
  [
    "user wish",
    "user",
    "My manager would like the report as report-{n}.xlsx by Thursday.",
    "report-{n}.xlsx",
    "file name of the report for the manager",
  ],
  [
    "decision",
    "model",
    "Let's go with a ring buffer of {n} slots for the log shipper; a linked list was too slow.",
    "ring buffer of {n} slots",
    "log shipper buffer",
  ],
  [
    "decision",
    "model",
    "After comparing both, Redis streams it is: consumer group billing-{n}.",
    "billing-{n}",
    "Redis consumer group",
  ],
  ["identifier", "result", "created ConfigMap settings-{h} in namespace edge", "settings-{h}", "created ConfigMap"],
  [
    "identifier",
    "user",
    "The customer who reported it is ACME GmbH, contract 2024/{n}.",
    "2024/{n}",
    "contract of the customer who reported it",
  ],
  [
    "path",
    "result",
    "wrote coverage to /var/tmp/cov-{n}/lcov.info",
    "/var/tmp/cov-{n}/lcov.info",
    "where was coverage written",
  ],
  [
    "path",
    "model",
    "Everything about tax lives in services/ledger/vat/{n}.rules.toml.",
    "services/ledger/vat/{n}.rules.toml",
    "file about tax",
  ],
  ["number", "result", "p99 latency: {n}.7 ms, budget 120 ms", "{n}.7 ms", "p99 latency"],
  [
    "number",
    "model",
    "The limit turned out to be {n} concurrent sockets per worker.",
    "{n} concurrent sockets",
    "limit of sockets per worker",
  ],
  [
    "open bug",
    "model",
    "Open: uploads above 2 GB hang at 99 % on Safari; I could not reproduce it here (case {n}).",
    "uploads above 2 GB",
    "uploads hang on Safari",
  ],
  [
    "open bug",
    "result",
    "1 flaky: scheduler drops the {n}th job on DST change",
    "drops the {n}th job",
    "flaky scheduler",
  ],
];

const TURNS = 160;

export function plantedSessions(set: "tried" | "held-out", count = 4): PlantedSession[] {
  const templates = set === "tried" ? TRIED : HELD_OUT;
  return Array.from({ length: count }, (_, index) => plantedSession(`${set} ${index + 1}`, templates, index + 1));
}

function plantedSession(name: string, templates: readonly Template[], seed: number): PlantedSession {
  const random = randomFrom(seed * 7_919);
  const filled = filledWith(random);
  const plan = templates.map((template) => ({ template, turn: 2 + Math.floor(random() * TURNS * 0.7) }));
  const messages: Message[] = [user("Make the billing service ready for the new contract model, step by step.")];
  for (let turn = 0; turn < TURNS; turn++) {
    const facts = plan.filter((each) => each.turn === turn).map(({ template }) => template);
    for (const [, speaker, text] of facts) if (speaker === "user") messages.push(user(filled(text), "steering"));
    const said = facts.filter(([, speaker]) => speaker === "model").map(([, , text]) => filled(text));
    const shown = facts.filter(([, speaker]) => speaker === "result").map(([, , text]) => filled(text));
    messages.push(...turnOf(turn, said, shown, random));
  }
  const facts = templates.map(([kind, , , needle, question]) => ({ kind, needle: filled(needle), question }));
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
  const { file, lines: source } = linesOfSource(random);
  // Files can be read again; what is only said once is in the output of a command.
  const kind = shown.length > 0 ? 0.7 + random() * 0.3 : random();
  const call: Omit<ToolCall, "id"> =
    kind < 0.5
      ? { name: "read_file", arguments: { path: file } }
      : kind < 0.7
        ? { name: "edit_file", arguments: { path: file, old_text: "a", new_text: "b" } }
        : { name: "bash", arguments: { command: kind < 0.85 ? "npm test" : `grep -rn ${turn} src` } };
  const text = [...said, CHATTER[turn % CHATTER.length]!].filter((line) => line !== "").join(" ");
  const lines = call.name === "bash" ? logLines(random) : source;
  for (const fact of shown) lines.splice(Math.floor(random() * lines.length), 0, fact);
  const id = `call-${turn}`;
  return [assistant(text, { id, ...call }), result(id, call.name, lines.join("\n"))];
}

function logLines(random: () => number): string[] {
  return Array.from({ length: 70 }, (_, i) =>
    random() < 0.5
      ? ` ✓ test/unit/${i % 9}.test.ts (${Math.floor(random() * 40)} tests) ${Math.floor(random() * 900)}ms`
      : `[${String(i).padStart(4, "0")}] info worker ${i % 4} handled batch ${Math.floor(random() * 1_000)}`,
  );
}
