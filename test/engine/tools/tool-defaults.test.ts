import { expect, test } from "vitest";
import type { BaseTool } from "../../../src/contracts/tool.js";
import { claimsOfCall, EVERYTHING, isReplayable } from "../../../src/engine/tools/tool-defaults.js";

const tool = (given: Partial<BaseTool>) => ({ name: "probe", permission: "execute", ...given }) as BaseTool;

test("only what reads may run again, unless the tool says so itself", () => {
  expect(isReplayable(tool({ permission: "read_only" }))).toBe(true);
  expect(isReplayable(tool({ permission: "read_write" }))).toBe(false);
  expect(isReplayable(tool({ permission: "none" }))).toBe(false);
  expect(isReplayable(tool({ permission: "execute", replayable: true }))).toBe(true);
  expect(isReplayable(tool({ permission: "read_only", replayable: false }))).toBe(false);
});

test("a tool without claims claims what its permission implies", () => {
  expect(claimsOfCall(tool({ permission: "none" }), {})).toEqual([]);
  expect(claimsOfCall(tool({ permission: "read_only" }), {})).toEqual([{ mode: "read", key: EVERYTHING }]);
  expect(claimsOfCall(tool({ permission: "execute" }), {})).toEqual([{ mode: "write", key: EVERYTHING }]);
});

test("claims are a copy, which the tool cannot change later", () => {
  const claims = [{ mode: "write" as const, key: "file:a" }];

  const read = claimsOfCall(tool({ claims: () => claims }), {});
  claims[0]!.key = "file:b";

  expect(read).toEqual([{ mode: "write", key: "file:a" }]);
});

test.each([undefined, "all", [null], [{ mode: "delete", key: "a" }], [{ mode: "read", key: 1 }]])(
  "the claims %j are a fault of the tool",
  (claims) => {
    const faulty = tool({ claims: () => claims as never });

    expect(() => claimsOfCall(faulty, {})).toThrow(expect.objectContaining({ code: "TOOL_FAILED" }));
  },
);

test("what a tool claims may depend on the session", () => {
  const own = tool({ claims: (_, about) => [{ mode: "write", key: `${about?.sessionId}/x` }] });
  expect(claimsOfCall(own, {}, "s")).toEqual([{ mode: "write", key: "s/x" }]);
});
