import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KEYS } from "./terminal-window.js";
import { useWindows } from "./windows.js";

const start = useWindows();

const PLAN = "plan mode";

test("a run that is gone on with after a crash has the mode that the session was in last, and so have its next prompts", async () => {
  const { window, dir, project } = await start("planned");
  window.type(`go${KEYS.enter}`);
  await window.sees("I think about it.");
  // In the middle of the run: what it began with is not what it has now.
  window.type(KEYS.shiftTab);
  await window.sees("edits without asking");
  window.type(KEYS.shiftTab);
  await window.sees(PLAN);
  const kept = () =>
    readFileSync(join(dir, "state", "modes.jsonl"), "utf8")
      .trim()
      .split("\n")
      .at(-1);
  await expect.poll(kept, { timeout: 10_000 }).toContain("plan");
  window.kill("SIGKILL");
  await window.exited();

  const again = await start("planned", dir, { sessionId: "latest", env: { IS_SECOND: "1" } });
  await again.window.sees(/Thought\.|1\. Yes/);

  expect(again.window.text).toContain(PLAN);
  expect(again.window.text).toContain("Thought.");
  expect(existsSync(join(project, "done.txt"))).toBe(false);
});
