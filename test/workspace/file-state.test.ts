import { expect, test } from "vitest";
import { createFileState } from "../../src/workspace/file-state.js";

test("digests are kept per session until it ends", () => {
  const state = createFileState();
  state.note("a", "/x", "1");
  state.note("a", "/x", "2");
  state.note("ab", "/x", "3");

  state.endSession("a");

  expect([state.get("a", "/x"), state.get("ab", "/x")]).toEqual([undefined, "3"]);
  state.endSession();
  expect(state.get("ab", "/x")).toBeUndefined();
});

test("beyond the limit the file noted longest ago is forgotten", () => {
  const state = createFileState(2);
  for (const path of ["/1", "/2", "/1", "/3"]) state.note("a", path, "digest");

  expect(["/1", "/2", "/3"].map((path) => state.get("a", path))).toEqual(["digest", undefined, "digest"]);
});
