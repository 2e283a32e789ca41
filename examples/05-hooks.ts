// Shows: three hooks. One denies a call, one changes what the model reads, one asks for another turn.
// Run:   npx tsx examples/05-hooks.ts
// Expect: the denial, a masked token, and an answer that was sent back once.
import assert from "node:assert/strict";
import { AgentEngine, defineTool, type HookMap } from "loopwright";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import * as z from "zod";

const settings = new Map(Object.entries({ region: "eu", token: "secret-4711" }));

const readSetting = defineTool({
  name: "read_setting",
  description: "Reads a setting.",
  input: z.object({ name: z.string() }),
  permission: "read_only",
  execute: async ({ name }) => `${name} = ${settings.get(name)}`,
});
const deleteSetting = defineTool({
  name: "delete_setting",
  description: "Deletes a setting.",
  input: z.object({ name: z.string() }),
  permission: "none",
  execute: async ({ name }) => `Deleted: ${settings.delete(name)}`,
});

const hooks: HookMap = {
  PreToolUse: [
    {
      matcher: "delete_.*",
      run: () => ({ permissionDecision: "deny", permissionDecisionReason: "Deletions are off." }),
    },
  ],
  PostToolUse: [
    {
      matcher: "read_setting",
      run: ({ toolResponse }) => ({ updatedToolOutput: String(toolResponse).replace(/secret-\d+/, "secret-…") }),
    },
  ],
  Stop: [
    {
      run: ({ lastAssistantMessage }) =>
        lastAssistantMessage.includes("region") ? {} : { decision: "block", reason: "Name the region, too." },
    },
  ],
};

const provider = scripted([
  [toolCall("delete_setting", { name: "region" }), toolCall("read_setting", { name: "token" })],
  text("The token is set."),
  text("The token is set and the region is eu."),
]);
const engine = new AgentEngine({ provider, tools: [readSetting, deleteSetting], hooks });
const result = await engine.run("Delete the region and check the token.");

const [denied, masked] = provider.requests[1]?.lastToolResults ?? [];
console.log([denied?.output, masked?.output, result.text].join("\n"));

assert.match(String(denied?.output), /Deletions are off/);
assert.ok(settings.has("region"), "the denied call did not run");
assert.equal(masked?.output, "token = secret-…");
assert.match(provider.requests[2]?.lastUserText ?? "", /Name the region, too/);
assert.equal(result.turns, 3);
