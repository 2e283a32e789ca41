import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionModes } from "../../../src/program/sessions/session-modes.js";
import { directoryWith } from "../kit.js";

test("the newest mode of a session comes back, and bypassPermissions has to be asked for again", async () => {
  const file = join(directoryWith(), "state", "modes.jsonl");
  const modes = sessionModes(file);

  void modes.keep("a", "acceptEdits");
  void modes.keep("a", "plan");
  void modes.keep("b", "bypassPermissions");

  expect([await modes.of("a"), await modes.of("b"), await modes.of("c")]).toEqual(["plan", undefined, undefined]);
  expect(await sessionModes(file).of("a")).toBe("plan");
});
