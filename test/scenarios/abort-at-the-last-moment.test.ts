import { expect, test } from "vitest";
import { AgentEngine, defineTool, validateTranscript } from "../../src/index.js";
import { scripted, toolCall } from "../../src/providers/scripted/index.js";

/** More than lie between a run's last question and its end. */
const STEPS = 60;

/** A run that asks twice and is aborted that many steps of the event loop's microtasks after the second question. */
async function abortedAfter(steps: number) {
  const put = defineTool({
    name: "put",
    description: "Writes.",
    permission: "read_write",
    execute: async () => "done",
  });
  const hooks = { Notification: [{ run: () => ({}) }] };
  const engine = new AgentEngine({ provider: scripted([[toolCall("put"), toolCall("put")]]), tools: [put], hooks });
  let asked = 0;
  engine.on("approval-requested", async () => {
    if (++asked < 2) return;
    for (let step = 0; step < steps; step++) await null;
    run.abort("changed my mind");
  });
  const run = engine.stream("Write twice.");
  return run.result;
}

test("a run aborted at any moment around its waiting for approval answers its calls, or waits with all of them", async () => {
  const statuses = new Set<string>();
  for (let steps = 0; steps < STEPS; steps++) {
    const result = await abortedAfter(steps);

    statuses.add(result.status);
    expect(result.pending).toHaveLength(result.status === "aborted" ? 0 : 2);
    expect(validateTranscript(result.messages(), { allowOpen: result.status === "needs-approval" })).toEqual([]);
  }
  expect([...statuses]).toEqual(["aborted", "needs-approval"]);
});
