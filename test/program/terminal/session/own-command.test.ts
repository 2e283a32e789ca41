import { expect, test } from "vitest";
import { AgentEngine } from "../../../../src/engine/engine.js";
import { OwnCommands } from "../../../../src/program/terminal/session/own-command.js";
import { isUnfinished, readBranch } from "../../../../src/program/terminal/session/session-history.js";
import type { TerminalAgent } from "../../../../src/program/terminal/terminal-agent.js";
import { scripted, toolCall } from "../../../../src/providers/scripted/index.js";
import { createMemorySessionStore } from "../../../../src/sessions/index.js";
import { builtinTools } from "../../../../src/tools/index.js";
import { createWorkspace } from "../../../../src/workspace/index.js";
import { temporaryDirectory } from "../../../sessions/kit.js";

test("a command of the person's own leaves nothing in the middle", async () => {
  const sessions = createMemorySessionStore();
  const workspace = await createWorkspace({ root: temporaryDirectory() });
  const provider = scripted(["Hello."]);
  const engine = new AgentEngine({
    provider,
    sessions,
    tools: builtinTools(workspace),
    permissions: { decide: async () => ({ behavior: "allow" }) },
  });
  const own = new OwnCommands(async ({ run }) => {
    await run(() => {});
  });

  await engine.run("hi", { sessionId: "s" });
  await own.run({ engine } as TerminalAgent, "s", "true");

  expect((await readBranch(sessions, "s")).at(-1)?.type).toBe("tool-result");
  expect(isUnfinished(await readBranch(sessions, "s"))).toBe(false);
});

test("only the command under way is the person's own; a model that names its call alike is asked about", async () => {
  const asked: string[] = [];
  const provider = scripted([{ toolCalls: [toolCall("bash", { command: "touch x" }, { id: "own-1" })] }, "Done."]);
  let own: OwnCommands;
  const workspace = await createWorkspace({ root: temporaryDirectory() });
  const engine = new AgentEngine({
    provider,
    tools: builtinTools(workspace),
    permissions: { decide: async () => ({ behavior: "ask" }) },
    approver: ({ toolCallId }) => {
      asked.push(`${toolCallId} ${own.isAbout(toolCallId)}`);
      return { decision: "deny" };
    },
  });
  own = new OwnCommands(async ({ run }) => {
    await run(() => {});
  });

  await own.run({ engine } as TerminalAgent, "s", "touch x");
  await engine.run("go", { sessionId: "t" });

  expect(asked).toEqual([expect.stringMatching(/^own-[0-9a-f-]{36} true$/), "own-1 false"]);
  expect(own.isAbout(asked[0]!.split(" ")[0]!)).toBe(false);
});
