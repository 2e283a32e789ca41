import { defaultGate, type PermissionMode, type PermissionResult, type ToolPermission } from "loopwright";
import { expect, test } from "vitest";

const MODES: readonly PermissionMode[] = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"];

function decide(permission: ToolPermission, mode: PermissionMode, own?: PermissionResult["behavior"]) {
  const checkPermission = own && (() => ({ behavior: own }));
  const decided = defaultGate.decide({ tool: { name: "tool", permission, checkPermission }, input: {}, mode });
  return (decided as { behavior: string }).behavior;
}

test("what only reads runs in every mode", () => {
  for (const mode of MODES) expect([decide("none", mode), decide("read_only", mode)]).toEqual(["allow", "allow"]);
});

test("what writes or executes is asked, denied where nobody is to be asked, and allowed where everything is", () => {
  const outcomes = MODES.map((mode) => [decide("read_write", mode), decide("execute", mode)]);

  expect(outcomes).toEqual([
    ["ask", "ask"],
    ["ask", "ask"],
    ["deny", "deny"],
    ["deny", "deny"],
    ["allow", "allow"],
  ]);
});

test("a tool's own deny holds in every mode", () => {
  for (const mode of MODES) expect(decide("read_only", mode, "deny")).toBe("deny");
});

test("a tool's own ask is asked even of a tool that only reads", () => {
  expect(decide("read_only", "default", "ask")).toBe("ask");
  expect(decide("read_only", "dontAsk", "ask")).toBe("deny");
});

test("no mode answers what a tool or a hook wants asked", () => {
  expect(decide("execute", "bypassPermissions", "ask")).toBe("ask");
  const tool = { name: "tool", permission: "execute" } as const;
  const request = { tool, input: {}, mode: "bypassPermissions", hook: { behavior: "ask" } } as const;
  expect(defaultGate.decide(request)).toMatchObject({ behavior: "ask" });
});

test("a tool's own allow does not widen plan mode", () => {
  expect(decide("read_write", "default", "allow")).toBe("allow");
  expect(decide("read_write", "plan", "allow")).toBe("deny");
});

test("a hook's allow lets a call run that would be asked, a hook's ask asks about one that would run", () => {
  const tool = (permission: ToolPermission) => ({ name: "tool", permission });

  expect(defaultGate.decide({ tool: tool("execute"), input: {}, hook: { behavior: "allow" } })).toMatchObject({
    behavior: "allow",
  });
  expect(defaultGate.decide({ tool: tool("none"), input: {}, hook: { behavior: "ask" } })).toMatchObject({
    behavior: "ask",
  });
});

test("a tool known by its name alone is asked", () => {
  expect(defaultGate.decide({ tool: "anything", input: {} })).toMatchObject({ behavior: "ask" });
});

test("an opinion that comes later counts as one that is there at once", async () => {
  for (const behavior of ["deny", "ask", "allow"] as const) {
    const tool = { name: "tool", permission: "execute" as const, checkPermission: async () => ({ behavior }) };
    expect(await defaultGate.decide({ tool, input: {} })).toMatchObject({ behavior });
  }
});
