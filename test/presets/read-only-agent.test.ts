import { expect, onTestFinished, test } from "vitest";
import { defineTool } from "../../src/index.js";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { createReadOnlyAgent } from "../../src/presets/index.js";
import { scripted, text, toolCall } from "../../src/testing/index.js";
import { directoryWith, PROJECT } from "./kit.js";

test("a read-only agent has no tool that changes anything", async () => {
  const provider = scripted([toolCall("read_file", { path: "README.md" }), text("A project.")]);
  const agent = await createReadOnlyAgent({ provider, root: directoryWith(PROJECT), home: null });
  onTestFinished(() => agent.close());

  const result = await agent.engine.run("What is it?");

  expect(result).toMatchObject({ status: "completed", text: "A project." });
  expect(agent.engine.tools.list().filter(({ permission }) => !["none", "read_only"].includes(permission))).toEqual([]);
});

test("no mode, rule, gate or approver makes a read-only agent change something", async () => {
  let ran = 0;
  const touch = defineTool({
    name: "touch",
    description: "Touches.",
    permission: "read_write",
    execute: () => {
      ran += 1;
      return "";
    },
  });
  const provider = scripted([toolCall("touch"), text("No.")]);
  const agent = await createReadOnlyAgent({
    provider,
    root: directoryWith(),
    home: null,
    tools: [touch],
    permissions: createPermissionChecker({ mode: "bypassPermissions", rules: { allow: ["touch"] } }),
    approver: () => ({ decision: "allow" }),
  });
  onTestFinished(() => agent.close());

  await agent.engine.run("Touch it.", { mode: "bypassPermissions" });

  expect(ran).toBe(0);
  expect(provider.requests[1]!.lastToolResult).toMatchObject({
    isError: true,
    output: expect.stringContaining("This agent can only read"),
  });
});
