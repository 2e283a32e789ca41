import { expect, test } from "vitest";
import { freeCallId } from "../../../src/engine/transcript/message-shape.js";

test("an id that is free stays, one that is taken gets the next free number", () => {
  const taken = new Set(["a", "a-2"]);

  expect(freeCallId("b", (id) => taken.has(id))).toBe("b");
  expect(freeCallId("a", (id) => taken.has(id))).toBe("a-3");
  expect(freeCallId("", (id) => taken.has(id))).toBe("call-1");
});

test("the thousandth use of one id looks at no more ids than the second", () => {
  const taken = new Set<string>();
  const suffixes = new Map<string, number>();
  let looks = 0;
  for (let use = 0; use < 1_000; use++) {
    looks = 0;
    const id = freeCallId(
      "same",
      (each) => {
        looks++;
        return taken.has(each);
      },
      suffixes,
    );
    expect(taken.has(id)).toBe(false);
    taken.add(id);
  }

  expect(looks).toBeLessThanOrEqual(2);
});
