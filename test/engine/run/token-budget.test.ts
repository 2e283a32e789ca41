// Going on while budget is left.
import { expect, test } from "vitest";
import type { Usage } from "../../../src/index.js";
import { text } from "../../../src/providers/scripted/index.js";
import { listen, testEngine } from "../kit.js";

const used = (inputTokens: number, outputTokens: number): Usage => ({ inputTokens, outputTokens });

test("a model that stops early is asked to continue until 90% of the budget is used", async () => {
  const { engine, provider } = testEngine([
    { text: "One.", usage: used(100, 200) },
    { text: "Two.", usage: used(100, 200) },
    { text: "Three.", usage: used(100, 200) },
  ] as never);
  const turns = listen(engine, "turn-end");

  const result = await engine.run("write", { tokenBudget: 1_000 });

  expect(result).toMatchObject({ status: "completed", text: "Three.", turns: 3 });
  expect(turns.map(({ transition }) => transition)).toEqual([
    "token-budget-continuation",
    "token-budget-continuation",
    "completed",
  ]);
  expect(provider.requests[1]!.lastUserText).toContain("30%");
});

test("two continuations in a row that add little end it", async () => {
  const { engine } = testEngine([
    { text: "One.", usage: used(10, 200) },
    { text: "Two.", usage: used(10, 3) },
    { text: "Three.", usage: used(10, 3) },
  ] as never);

  expect(await engine.run("write", { tokenBudget: 100_000 })).toMatchObject({ status: "completed", turns: 3 });
});

test("no continuation is asked for that a limit would cut off", async () => {
  const { engine } = testEngine([text("One.")], { limits: { maxTurns: 1 } });

  expect(await engine.run("write", { tokenBudget: 100_000 })).toMatchObject({ status: "completed", turns: 1 });
});

test.each([0, -1, 1.5, "many"])("a token budget of %j is refused", async (tokenBudget) => {
  const { engine } = testEngine([]);

  await expect(engine.run("write", { tokenBudget: tokenBudget as number })).rejects.toMatchObject({
    code: "OPTION_INVALID",
  });
});
