import { expect, test } from "vitest";
import { ALL, effectsOf, NONE, targetsOf } from "../../src/labels/effects.js";

const read = { permission: "read_only" } as const;

test("an unknown tool has every effect, one that only reads sends, one of the run itself has none", () => {
  expect(effectsOf({ permission: "execute" }, {})).toEqual(ALL);
  expect(effectsOf({ permission: "read_write" }, {})).toEqual(ALL);
  expect(effectsOf(read, {})).toEqual({ ...NONE, sends: true });
  expect(effectsOf({ permission: "none" }, {})).toEqual(NONE);
});

test("declared effects count as they are, and what is not understood has them all", () => {
  expect(effectsOf({ ...read, effects: {} }, {})).toEqual(NONE);
  expect(effectsOf({ ...read, effects: () => ({ deletes: true, sends: undefined }) }, {})).toEqual({
    ...NONE,
    deletes: true,
  });
  expect(effectsOf({ ...read, effects: { sends: "no" } as never }, {})).toEqual(ALL);
  expect(effectsOf({ ...read, effects: { steals: true } as never }, {})).toEqual(ALL);
  const effects = () => {
    throw new Error("broken");
  };
  expect(effectsOf({ ...read, effects }, {})).toEqual(ALL);
});

test("targets that are not understood are none", () => {
  const target = { field: "to", kind: "recipient", value: "ann" } as const;

  expect(targetsOf({ targets: () => [target] }, { to: ["bob", "ann"] })).toEqual([target]);
  expect(targetsOf({}, { to: "ann" })).toEqual([]);
  expect(targetsOf({ targets: () => [{ ...target, kind: "friend" } as never] }, { to: "ann" })).toEqual([]);
  expect(targetsOf({ targets: () => Promise.resolve([target]) as never }, { to: "ann" })).toEqual([]);
});

test("a tool that names another target than it was given is not believed", () => {
  const ann = { field: "to", kind: "recipient", value: "ann" } as const;
  const bob = { ...ann, value: "bob" };

  expect(targetsOf({ targets: () => [ann] }, { to: "eve", text: "ann" })).toEqual([]);
  expect(targetsOf({ targets: () => [ann, bob] }, { to: ["ann", "eve"] })).toEqual([]);
  expect(targetsOf({ targets: () => [ann, bob] }, { to: { first: "ann", second: "bob" } })).toEqual([ann, bob]);
});
