// Shows: a run on a cassette, replayed without its model and tools, and what a replay says when something has changed.
// Run:   npx tsx examples/28-record-and-replay.ts
// Expect: the replay is the same to the last word; a changed prompt is named with both sides.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, defineTool } from "loopwright";
import { recordRun, replayRun, scripted, text, toolCall } from "loopwright/testing";

const dir = mkdtempSync(join(tmpdir(), "cassette-"));
const file = join(dir, "run.jsonl");
let calls = 0;
const dice = defineTool({
  name: "roll_dice",
  description: "Rolls a die.",
  permission: "none",
  execute: async () => `Roll ${++calls}: ${1 + Math.floor(Math.random() * 6)}`,
});

try {
  const provider = scripted([toolCall("roll_dice"), text("There you are.")]);
  const recording = recordRun({ provider, tools: [dice] }, file);
  const recorded = await new AgentEngine(recording.options).run("Roll for me.");
  await recording.done();

  const replay = replayRun(file, { tools: [dice] });
  const replayed = await new AgentEngine(replay.options).run("Roll for me.");
  assert.deepEqual(replayed.messages(), recorded.messages());
  assert.equal(calls, 1);
  console.log("the same run, without its model and tools:", replay.verify().ok);

  const changed = replayRun(file, { tools: [dice] });
  await new AgentEngine(changed.options).run("Roll twice for me.");
  const { divergence } = changed.verify();
  console.log(`${divergence?.what}, ${divergence?.path}: ${divergence?.recorded} became ${divergence?.replayed}`);
  assert.equal(divergence?.what, "request 1");
} finally {
  rmSync(dir, { recursive: true, force: true });
}
