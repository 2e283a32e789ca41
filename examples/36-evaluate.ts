// Shows: an agent scored on a few cases, several times each, with intervals, and what a recorded session would have scored.
// Run:   npx tsx examples/36-evaluate.ts
// Expect: one case that fails now and then, a table with intervals, and a page in a file.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, defineTool } from "loopwright";
import { createMemorySessionStore } from "loopwright/sessions";
import { contains, evaluate, noErrors, scripted, text, toolCall, toolsCalled } from "loopwright/testing";
import * as z from "zod";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

const PRICES: Readonly<Record<string, number>> = { tea: 3, cake: 5 };
const price = defineTool({
  name: "price",
  description: "The price of an article in euros.",
  input: z.object({ article: z.string() }),
  permission: "none",
  execute: async ({ article }) => `${PRICES[article] ?? "not sold"}`,
});

/** Plays a model that looks the price up, but guesses it in every third run about cake. */
const engineFor = (article: string, repeat: number) => {
  const isGuess = article === "cake" && repeat % 3 === 0;
  const turns = isGuess
    ? [text("Cake is about 4 euros.")]
    : [
        toolCall("price", { article }),
        ({ lastToolResult }: { lastToolResult?: { output: unknown } | undefined }) =>
          text(`It is ${lastToolResult?.output} euros.`),
      ];
  return new AgentEngine({ provider: scripted(turns), tools: [price], sessions });
};

const sessions = createMemorySessionStore();
const report = await evaluate({
  cases: [
    { name: "tea", input: "What is tea?", expected: "3 euros" },
    { name: "cake", input: "What is cake?", expected: "5 euros" },
  ],
  agent: ({ name }, { repeat }) => engineFor(name, repeat),
  scorers: [contains(), toolsCalled(["price"]), noErrors()],
  repeats: 6,
});
console.log(report.toMarkdown().split("\n").slice(0, 6).join("\n"));

const dir = mkdtempSync(join(tmpdir(), "evaluation-"));
try {
  writeFileSync(join(dir, "report.html"), report.toHtml());
  assert.ok(statSync(join(dir, "report.html")).size > 2_000);
} finally {
  rmSync(dir, { recursive: true, force: true });
}

// A session that was recorded earlier is scored without a model.
const { sessionId } = report.results[0]!.run!;
const again = await evaluate({
  cases: [{ name: "recorded", expected: "3 euros" }],
  agent: () => sessions.read(sessionId!),
  scorers: [contains(), noErrors()],
});
console.log("the recorded session:", again.scores.map(({ scorer, value }) => `${scorer} ${value}`).join(", "));

const [right, called, clean] = report.scores;
assert.equal(right?.value, 10 / 12);
assert.ok(right.low! < 0.83 && right.high! > 0.84);
assert.equal(called?.value, 10 / 12);
assert.equal(clean?.value, 1);
assert.deepEqual(
  again.scores.map(({ value }) => value),
  [1, 1],
);
