import { createCodingAgent } from "loopwright/presets";
import { scripted } from "loopwright/providers/scripted";
import { expect, onTestFinished, test } from "vitest";
import { TerminalSession } from "../../../../src/program/terminal/session/terminal-session.js";
import { directoryWith } from "../../kit.js";

const LISTENER = { onEvent() {}, onStart() {}, onDelivered() {}, onEnd() {}, onChange() {} };

test("the mode of the first run is that of the options, by default that of the agent's settings, or default", async () => {
  const provider = scripted([]);
  const sessionOf = async (settings: object, mode?: "acceptEdits") => {
    const root = directoryWith({ ".claude/settings.json": JSON.stringify(settings) });
    const agent = await createCodingAgent({ provider, root, home: null, trustProject: true });
    onTestFinished(() => agent.close());
    return new TerminalSession(agent, { provider, mode, sessionId: "s" }, LISTENER).mode;
  };
  const plan = { permissions: { defaultMode: "plan" } };

  expect(await sessionOf(plan)).toBe("plan");
  expect(await sessionOf(plan, "acceptEdits")).toBe("acceptEdits");
  expect(await sessionOf({})).toBe("default");
});
