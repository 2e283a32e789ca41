// Rights only narrow on the way down: whatever parent and child say, the stricter decision counts.
import { expect, test } from "vitest";
import { AgentEngine, type BaseTool, type PermissionMode } from "../../src/index.js";
import { createPermissionChecker, type PermissionChecker, type PermissionRules } from "../../src/permissions/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";
import { runs } from "../runs.js";

const COMMAND = "make all";
const MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;
const RULE_SETS: readonly PermissionRules[] = [
  {},
  { allow: ["Bash(make *)"] },
  { allow: ["Bash(make *)"], ask: ["Bash(make all)"] },
  { allow: ["Bash(make *)"], deny: ["Bash(make:*)"] },
];

interface Gate {
  readonly mode: PermissionMode;
  readonly rules: PermissionRules;
}
const GATES: readonly Gate[] = MODES.flatMap((mode) => RULE_SETS.map((rules) => ({ mode, rules })));

/** What one gate says alone, by the fixed order: deny, ask, allow, mode. */
function alone({ mode, rules }: Gate): "allow" | "ask" | "deny" {
  if (rules.deny || mode === "plan") return "deny";
  const asked = mode === "dontAsk" ? "deny" : "ask";
  if (rules.ask) return asked;
  return rules.allow || mode === "bypassPermissions" ? "allow" : asked;
}

/** What becomes of a child's command: it runs, somebody is asked, or neither. */
async function outcomeOf(parent: PermissionChecker, child: PermissionChecker | undefined): Promise<string> {
  const seen: string[] = [];
  const bash: BaseTool = {
    name: "bash",
    permission: "execute",
    definition: () => ({ name: "bash", description: "Runs.", inputSchema: { type: "object" } }),
    execute: async () => {
      seen.push("allow");
      return "ok";
    },
  };
  const task: BaseTool = {
    name: "task",
    permission: "none",
    timeoutMs: null,
    definition: () => ({ name: "task", description: "Delegates.", inputSchema: { type: "object" } }),
    execute: async (_input, { spawn }) => {
      const definition = { name: "maker", description: "Makes.", systemPrompt: "Make.", permissions: child };
      return (await spawn!(definition, "Make.")).text;
    },
  };
  const engine = new AgentEngine({
    provider: scripted([toolCall("task"), toolCall("bash", { command: COMMAND }), text("Made."), text("Done.")]),
    tools: [bash, task],
    permissions: parent,
    approver: () => {
      seen.push("ask");
      return { decision: "deny" };
    },
  });
  await engine.run("Go.");
  await engine.close();
  return seen.join() || "deny";
}

test("of a parent's and a child's decision the stricter counts, in every mode and under every kind of rule", async () => {
  const strictness = ["allow", "ask", "deny"];
  const wrong: unknown[] = [];
  // Every pair, or one of five, in which each mode meets each, and each kind of rule.
  const step = runs(5, 1, 1);
  let pair = 0;
  for (const parent of GATES) {
    for (const child of [undefined, ...GATES]) {
      if (pair++ % step > 0) continue;
      const own = [alone(parent), ...(child ? [alone(child)] : [])];
      const expected = strictness[Math.max(...own.map((each) => strictness.indexOf(each)))];
      const outcome = await outcomeOf(createPermissionChecker(parent), child && createPermissionChecker(child));
      if (outcome !== expected) wrong.push({ parent, child, outcome, expected });
    }
  }

  expect(wrong).toEqual([]);
});
