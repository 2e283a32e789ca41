// The other way to `HarnessAgent`: the AI SDK's adapter for agents that speak ACP, over the program of this library's ACP server. The
// adapter starts it in the sandbox of the host, as it starts the agents of others.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HarnessAgent } from "@ai-sdk/harness/agent";
import { createACP } from "@ai-sdk/harness-acp";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../docs/pages.js";
import { newDirectory, partsOf } from "./hosts.js";
import { localSandbox } from "./local-sandbox.js";

/** A script in the sandbox that starts `test/acp/agent-program.ts`. */
function install(sessions: string): string {
  const program = `exec "${process.execPath}" --import "${join(ROOT, "node_modules/tsx/dist/loader.mjs")}" "${join(ROOT, "test/acp/agent-program.ts")}" "${sessions}"`;
  return `printf '%s\\n' '#!/bin/sh' '${program}' > home/.local/bin/agent && chmod +x home/.local/bin/agent`;
}

test("an agent behind serveAcp is a harness of the AI SDK: it asks, and works in the session's directory", async () => {
  const directory = newDirectory();
  const harness = createACP({
    harnessId: "over-acp",
    source: { type: "install-command", command: install(join(directory, "sessions")) },
    executable: "agent",
    modelMapping: { type: "session-config-option", path: "model" },
    permissionModeMapping: {
      "allow-reads": { type: "session-mode", modeId: "default" },
      "allow-edits": { type: "session-mode", modeId: "acceptEdits" },
      "allow-all": { type: "session-mode", modeId: "bypassPermissions" },
    },
  });
  // biome-ignore lint/suspicious/noExplicitAny: the settings of the AI SDK, whose tools have types of their own
  const agent = new HarnessAgent<any, any, any, any, never>({
    harness,
    sandbox: localSandbox(directory),
    permissionMode: "allow-reads",
  });
  const session = await agent.createSession({ sessionId: "s" });
  onTestFinished(() => session.destroy());

  const asked = await agent.generate({ session, prompt: "Make it." });
  const request = asked.content.find(({ type }) => type === "tool-approval-request") as { approvalId: string };
  const answer = { type: "tool-approval-response" as const, approvalId: request.approvalId, approved: true };
  expect(existsSync(join(directory, "over-acp-s/made.txt"))).toBe(false);
  const result = await agent.continueStream({ session, toolApprovalContinuations: [answer] });
  const parts = await partsOf(result);

  expect(parts.filter(({ type }) => type === "tool-result").at(-1)).toMatchObject({ output: { status: "success" } });
  expect(await result.text).toBe("It is made.");
  expect(readFileSync(join(directory, "over-acp-s/made.txt"), "utf8")).toBe("made\n");
});
