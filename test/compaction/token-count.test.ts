import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { countTokens } from "gpt-tokenizer";
import type { Message } from "loopwright";
import { contextUsage, createCompactionPipeline, estimateTokens } from "loopwright/compaction";
import { expect, test } from "vitest";
import { budget, Session } from "./kit.js";

const here = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const noise = Array.from({ length: 200 }, (_, n) => createHash("sha512").update(String(n)).digest("base64")).join("");

const KINDS: Record<string, string> = {
  code: here("src/engine/transcript/transcript.ts"),
  prose: here("docs/concepts/the-loop.md").replace(/```[\s\S]*?```/g, ""),
  Chinese: "上下文压缩在模型窗口接近上限时触发,旧的工具结果会被替换为占位符,用户的指令、决定和标识符都会保留。".repeat(
    20,
  ),
  Japanese: "日本語のテキストも同じように数えられます。セッションは追記専用で、何も失われません。".repeat(20),
  JSON: JSON.stringify(JSON.parse(here("package.json")), null, 2),
  base64: noise,
  logs: Array.from({ length: 200 }, (_, n) => `2026-11-22 01:00:${n} INFO GET /api/users/${n} 200 ${n * 3}ms`).join(
    "\n",
  ),
};

test.each(Object.keys(KINDS))("the estimate of %s is within an eighth of what a tokenizer counts", (kind) => {
  const ratio = estimateTokens(KINDS[kind]!) / countTokens(KINDS[kind]!);

  expect(ratio).toBeGreaterThan(7 / 8);
  expect(ratio).toBeLessThan(9 / 8);
});

test("the estimate is linear, also for a megabyte of one character, and knows the empty text", () => {
  expect(estimateTokens("")).toBe(0);
  for (const unit of ["a", " ", "=", "\n", "é", "中", "🙂", "\u0000"]) {
    const [some, more] = [estimateTokens(unit.repeat(10_000)), estimateTokens(unit.repeat(100_000))];
    expect(more / some).toBeGreaterThan(4);
    expect(more / some).toBeLessThan(11);
  }
});

/** What a provider would count: text by the tokenizer, plus some tokens of a chat format for each message. */
function counted(messages: readonly Message[], system: string): number {
  const texts = messages.flatMap((message) =>
    message.content.map((part) => {
      if (part.type === "text") return part.text;
      if (part.type === "tool-call") return `${part.name}${JSON.stringify(part.arguments)}`;
      return part.type === "tool-result" ? `${part.name}${String(part.output)}` : "";
    }),
  );
  return countTokens(system) + texts.reduce((sum, each) => sum + countTokens(each) + 6, 0);
}

test.each(Object.keys(KINDS))(
  "contextUsage of a session of %s adds up to what was sent, within a twentieth",
  (kind) => {
    const session = new Session().user("Look at this.");
    for (let turn = 0; turn < 4; turn++) session.turn([["read_file", { path: `${turn}.txt` }, KINDS[kind]!]]);
    const system = [{ id: "system", text: "Be brief." }];
    const sent = session.transcript.view.slice(0, 7);
    const usage = { inputTokens: counted(sent, "Be brief."), outputTokens: 20 };
    const view = session.view({ system, lastUsage: { usage, messageCount: sent.length } });

    const { used, ...parts } = contextUsage(view, budget({ contextWindow: 100_000 }));

    const truth = counted(session.transcript.view, "Be brief.");
    expect(Math.abs(used / truth - 1)).toBeLessThan(0.05);
    expect(parts.system + parts.tools + parts.skills + parts.memory + parts.messages + parts.toolResults).toBe(used);
  },
);

test.each(Object.keys(KINDS))("with a real tokenizer contextUsage of %s needs no provider to be right", (kind) => {
  const session = new Session().user("Look.").turn([["read_file", { path: "a" }, KINDS[kind]!]]);

  const { used } = contextUsage(session.view(), budget(), { countTokens });

  expect(Math.abs(used / counted(session.transcript.view, "") - 1)).toBeLessThan(0.05);
});

test("what a provider reports decides when a compaction is due, and an absurd report is not believed", async () => {
  const session = new Session().user("Go.");
  for (let turn = 0; turn < 10; turn++) session.turn([["bash", { turn }, "word ".repeat(500)]]);
  const due = async (inputTokens: number, estimated = false) => {
    const usage = { inputTokens, outputTokens: 1, ...(estimated && { estimated: true as const }) };
    const view = session.view({ lastUsage: { usage, messageCount: session.transcript.view.length } });
    const room = budget({ contextWindow: 10_000, reservedOutputTokens: 0 });
    return (await createCompactionPipeline().prepare(view, room)).length > 0;
  };

  expect(await due(9_000)).toBe(true);
  expect(await due(4_000)).toBe(false);
  expect(await due(9_000, true)).toBe(false);
  expect(await due(1)).toBe(false);
  expect(await due(Number.NaN)).toBe(false);
});
