import { expect, test } from "vitest";
import { eventId, positionIn } from "../../src/http/event-id.js";

test("an id says run and number, and is read back", () => {
  expect(eventId("run-1", 7)).toBe("run-1:7");
  expect(positionIn("run-1", "run-1:7", "test()")).toBe(7);
  expect(positionIn(undefined, "a:b:7", "test()")).toBe(7);
});

test("nothing, or an id of another run, is the beginning", () => {
  expect(positionIn("run-1", undefined, "test()")).toBe(0);
  expect(positionIn("run-1", "", "test()")).toBe(0);
  expect(positionIn("run-1", "run-2:7", "test()")).toBe(0);
});

test("a number stands for itself", () => {
  expect(positionIn("run-1", 7, "test()")).toBe(7);
  expect(positionIn("run-1", "7", "test()")).toBe(7);
});

test.each([-1, 1.5, Number.NaN, "seven", "run-1:", "run-1:-7", "1".repeat(16)])("%s is refused", (from) => {
  expect(() => positionIn("run-1", from, "test()")).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
});
