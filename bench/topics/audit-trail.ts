// What an audit trail costs a run: each turn with one tool call leaves six records, written before the run goes on.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine, defineTool } from "loopwright";
import { createAuditTrail } from "loopwright/observability";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { interleave } from "../measure.js";
import { isQuick, report } from "../row.js";

const TURNS = 200;
const plan = { rounds: isQuick ? 3 : 9, warmups: 1 };
const look = defineTool({
  name: "look",
  description: "Looks.",
  permission: "read_only",
  execute: async () => "x".repeat(1_000),
});

async function run(watch?: (engine: AgentEngine) => () => void): Promise<void> {
  const calls = Array.from({ length: TURNS }, (_, n) => toolCall("look", { n }));
  const engine = new AgentEngine({
    provider: scripted([...calls, text("done")]),
    tools: [look],
    limits: { maxTurns: TURNS + 1 },
  });
  const unwatch = watch?.(engine);
  await engine.run("go");
  unwatch?.();
}

const directory = mkdtempSync(join(tmpdir(), "loopwright-audit-"));
const digests = await createAuditTrail({ file: join(directory, "digests.jsonl") });
const contents = await createAuditTrail({ file: join(directory, "contents.jsonl"), content: "redacted" });
const measured = await interleave(
  {
    floor: () => run(),
    digests: () => run(digests.watch),
    contents: () => run(contents.watch),
  },
  plan,
);
await digests.close();
await contents.close();
rmSync(directory, { recursive: true });

const perTurn = (ms: number) => (ms * 1_000) / TURNS;
report([
  {
    what: "a turn with one call under an audit trail, digests alone (floor: without one)",
    unit: "µs",
    floor: perTurn(measured.floor),
    ours: perTurn(measured.digests),
    budgets: [],
  },
  {
    what: "the same, with redacted inputs and outputs of 1 KB",
    unit: "µs",
    floor: perTurn(measured.floor),
    ours: perTurn(measured.contents),
    budgets: [],
  },
]);
