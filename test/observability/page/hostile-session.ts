import type { SessionEntry } from "loopwright";

/** Strings that try to run, to leave the page, to hide or to break what shows them. */
export const HOSTILE_TEXTS: readonly string[] = [
  "</script><script>window.pwned=1;alert(1)</script>",
  '<img src=x onerror="window.pwned=1"><svg onload=window.pwned=1>',
  "<!--<script>window.pwned=1</script>-->",
  "javascript:window.pwned=1",
  "<iframe src=https://evil.example/></iframe><link rel=stylesheet href=https://evil.example/x.css>",
  "![x](https://evil.example/x.png) [y](javascript:window.pwned=1)",
  "\u2028window.pwned=1\u2029\u202egpj.exe\u202c\u0000\u001b[31m",
  "\ud800 alone \udc00",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "$" + "{window.pwned=1}{{window.pwned=1}}",
  "",
  "*".repeat(2_000),
  "`".repeat(2_000) + "[".repeat(2_000),
];

const NUMBERS = [Number.NaN, -1, Number.POSITIVE_INFINITY, 1e300, -1e18, 0.1, "7", null, {}, Number.MAX_SAFE_INTEGER];
const LONG_LINE = "x".repeat(1_000_000);
const LONG_DIFF = `--- a\n+++ b\n@@ -1,10000 +1,10000 @@\n${"-old\n+new\n".repeat(5_000)}`;

/** A session in which every field of every entry is hostile in turn. Each turn says `needle-<turn>` once. */
export function hostileSession(turns: number): SessionEntry[] {
  const entries: object[] = [];
  let chosen = 0;
  const any = <T>(of: readonly T[]): T => {
    chosen = (chosen * 31 + 17) % 1_000_003;
    return of[chosen % of.length]!;
  };
  const string = () => any(HOSTILE_TEXTS);
  const number = () => any(NUMBERS);
  const parent = () => any([entries.length - 1, entries.length, entries.length + 1, "missing", null, {}, 0]);
  const add = (turn: number, record: object) =>
    entries.push({
      v: 1,
      id: entries.length % 7 === 3 ? string() : `e${entries.length}`,
      parent: entries.length % 5 === 2 ? parent() : `e${entries.length - 1}`,
      at: entries.length % 3 === 0 ? number() : Date.UTC(2026, 0, 1) + entries.length * 1_000,
      runId: "r",
      turn: turn % 11 === 5 ? number() : turn,
      ...record,
    });
  add(0, { type: "run-start" });
  for (let turn = 1; turn <= turns; turn++) {
    const id = turn % 4 === 0 ? string() : `call-${turn % 500}`;
    const name = string();
    const usage = { inputTokens: number(), outputTokens: number(), cacheReadTokens: number() };
    const content = [
      { type: "text", text: `needle-${turn} ${string()}` },
      { type: "reasoning", text: string() },
      { type: "tool-call", id, name, arguments: { [string()]: string(), nested: [[[string()]]] } },
      { type: string(), [string()]: string() },
    ];
    const message = { role: "assistant", content, usage, provider: string(), model: string(), finishReason: string() };
    add(turn, { type: "message", message });
    if (turn % 6 === 0) continue; // Its result is missing.
    const details = { diff: turn % 400 === 0 ? LONG_DIFF : `${string()}\n@@ -1 +1 @@\n-${string()}\n+${string()}` };
    const output = turn % 300 === 1 ? LONG_LINE : string();
    const artifact = { id: string(), path: string(), bytes: number(), mediaType: string() };
    const result = { toolCallId: id, name, status: string(), isError: turn % 2, output, durationMs: number(), details };
    const sources = [{ kind: string(), name: string(), untrusted: true }, { kind: string(), name: number() }, string()];
    const label = turn % 5 === 0 ? { integrity: "untrusted", sources } : string();
    add(turn, { type: "tool-result", label, result: turn % 9 === 0 ? { ...result, artifact } : result });
    for (const extra of EXTRAS[turn % EXTRAS.length]!(string, number)) add(turn, extra);
  }
  add(turns, { type: "run-end", status: string(), usage: { inputTokens: number() } });
  return entries as SessionEntry[];
}

type Pick<T> = () => T;

/** What else an entry can be, one kind a turn. */
const EXTRAS: readonly ((string: Pick<string>, number: Pick<unknown>) => readonly object[])[] = [
  (string) => [{ type: string(), [string()]: string() }],
  (string) => [
    { type: "pending", request: { id: "q", toolCallId: string(), tool: string(), reason: string(), kind: string() } },
    { type: "answer", answer: { id: "q", by: string(), decision: string(), reason: string(), value: string() } },
  ],
  (string, number) => [
    {
      type: "view-edit",
      stage: string(),
      from: string(),
      to: string(),
      replacement: [{ role: string(), content: [{ type: "text", text: string() }] }],
      report: {
        stage: string(),
        beforeTokens: number(),
        afterTokens: number(),
        durationMs: number(),
        costUsd: number(),
      },
    },
  ],
  (string) => [
    { type: "epoch", cause: string(), system: [{ id: string(), text: string() }], tools: [{ name: string() }, null] },
  ],
  (string) => [
    { type: "custom", name: "scheduler/plan", data: { goal: string(), tasks: [{ id: "a", dependsOn: ["b"] }] } },
    { type: "custom", name: "scheduler/task", data: { task: string(), attempt: 1, status: string() } },
    { type: "custom", name: string(), data: { [string()]: string() } },
  ],
  (string, number) => [
    { type: "message", message: number() },
    { type: "tool-result", result: string() },
  ],
  (string) => [
    { type: "run-end", status: string() },
    { type: "run-start" },
    { type: "message", message: { role: string(), content: string(), origin: string() } },
  ],
];
