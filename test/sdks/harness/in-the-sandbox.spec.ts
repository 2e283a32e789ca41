import type { HarnessV1 } from "@ai-sdk/harness";
import { HarnessAgent } from "@ai-sdk/harness/agent";
import { createJustBashSandbox } from "@ai-sdk/sandbox-just-bash";
import { expect, test } from "vitest";
import { loopwrightHarness } from "../../../src/ai-sdk/index.js";
import { AgentEngine } from "../../../src/index.js";
import { scripted, text, toolCall } from "../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../src/sessions/index.js";
import { builtinTools } from "../../../src/tools/index.js";
import { createWorkspaceOver, sessionFiles, sessionShell } from "../../../src/workspace/index.js";

test("the tools of an engine that is made for a session work in the host's sandbox", async () => {
  const sessions = createMemorySessionStore();
  const provider = scripted([
    toolCall("write_file", { path: "a.txt", content: "from the agent\n" }),
    toolCall("bash", { command: "cat a.txt" }),
    text("Done."),
  ]);
  const harness: HarnessV1 = loopwrightHarness({
    async createEngine({ sandboxSession, sessionWorkDir }) {
      const session = sandboxSession!;
      const workspace = await createWorkspaceOver({
        root: sessionWorkDir!,
        files: sessionFiles(session),
        shell: sessionShell(session),
      });
      return new AgentEngine({ provider, sessions, tools: builtinTools(workspace) });
    },
  });
  const sandboxSession = await createJustBashSandbox().createSession();
  const agent = new HarnessAgent({ harness });
  const session = await agent.createSession({ sessionId: "s", sandboxSession });

  const result = await agent.generate({ session, prompt: "Write." });
  await session.destroy();

  expect(result.text).toBe("Done.");
  expect(String(result.steps[1]?.toolResults[0]?.output)).toContain("from the agent");
  expect(await sandboxSession.readTextFile({ path: "/home/user/loopwright-s/a.txt" })).toBe("from the agent\n");
});
