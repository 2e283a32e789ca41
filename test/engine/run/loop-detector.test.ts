import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/contracts/json.js";
import { LoopDetector } from "../../../src/engine/run/loop-detector.js";

type Done = readonly [name: string, args: JsonValue, output: string];

function observing(limits: { readonly remindAfter: number; readonly stopAfter: number } | null) {
  const detector = new LoopDetector(limits);
  return (...done: readonly Done[]) =>
    detector.observe(
      done.map(([name, args], at) => ({ id: String(at), name, arguments: args })),
      done.map(([name, , output], at) => ({
        type: "tool-result",
        toolCallId: String(at),
        name,
        output,
        isError: false,
      })),
    );
}

const LIMITS = { remindAfter: 3, stopAfter: 5 };

test("the same call with the same result is reminded of once, and ends the run later", () => {
  const turn = observing(LIMITS);
  const kinds = Array.from({ length: 5 }, () => turn(["read", { path: "a" }, "same"]).kind);

  expect(kinds).toEqual(["fine", "fine", "remind", "fine", "stop"]);
});

test("another argument, another result or a turn in between begins again", () => {
  const turn = observing(LIMITS);
  for (const done of [
    ["read", { path: "a" }, "same"],
    ["read", { path: "a" }, "same"],
    ["read", { path: "b" }, "same"],
    ["read", { path: "a" }, "same"],
    ["read", { path: "a" }, "changed"],
    ["write", { path: "a" }, "changed"],
  ] satisfies Done[]) {
    expect(turn(done).kind).toBe("fine");
  }
});

test("a repeated call is found among others, in any order", () => {
  const turn = observing(LIMITS);
  turn(["poll", {}, "no"], ["read", { n: 1 }, "1"]);
  turn(["read", { n: 2 }, "2"], ["poll", {}, "no"]);

  expect(turn(["poll", {}, "no"], ["read", { n: 3 }, "3"])).toEqual({ kind: "remind", call: "poll", times: 3 });
});

test("without limits nothing is noticed, and a turn without calls is fine", () => {
  expect(observing(null)(["read", {}, "same"])).toEqual({ kind: "fine" });
  expect(observing(LIMITS)()).toEqual({ kind: "fine" });
});
