// How many sub-agents there may be, counted where agents have agents of their own.
import { expect, test } from "vitest";
import { text, toolCall } from "../../src/providers/scripted/index.js";
import { agent, lastOutputs, subagentEngine } from "./kit.js";

const give = (n: number) => toolCall("task", { prompt: `part ${n}`, subagent_type: "boss" }, { id: `t${n}` });

test("a run has as many sub-agents as it may in all, at every depth, and the next run begins at none", async () => {
  const begun: string[] = [];
  const { engine } = subagentEngine(
    {
      main: (_request, step) => (step < 2 ? give(step) : text("done")),
      boss: (_request, step) => {
        if (step === 0) begun.push("boss");
        return step < 2 ? toolCall("task", { prompt: "x", subagent_type: "hand" }, { id: `h${step}` }) : text("ok");
      },
      hand: (request) => {
        begun.push("hand");
        return text(lastOutputs(request).join() || "ok");
      },
    },
    [agent("boss"), agent("hand")],
    { maxDepth: 2, maxPerRun: 3 },
  );

  await engine.run("go");
  expect(begun).toEqual(["boss", "hand", "hand"]);
  await engine.run("again");
  expect(begun).toEqual(["boss", "hand", "hand", "boss", "hand", "hand"]);
});
