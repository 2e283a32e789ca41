import { expect, test } from "vitest";
import type { PermissionGate } from "../../../src/index.js";
import { gateContract } from "../../../src/testing/index.js";
import { failingCases } from "../failing-cases.js";

const samples = {
  tool: "deploy",
  allowed: { to: "staging" },
  asked: { to: "preview" },
  denied: { to: "production" },
};

const gate: PermissionGate = {
  decide({ input }) {
    const { to } = input as { readonly to: string };
    if (to === "production") return { behavior: "deny" };
    return { behavior: to === "staging" ? "allow" : "ask" };
  },
};

for (const each of gateContract(() => gate, samples)) test(`a small gate: ${each.name}`, each.run);

for (const each of gateContract(() => gate, { ...samples, permission: "read_only" })) {
  test(`a small gate over a tool that only reads: ${each.name}`, each.run);
}

test("a gate that lets itself be overruled fails on every path", async () => {
  const weak: PermissionGate = {
    decide: (request) => (request.hook?.behavior === "allow" ? { behavior: "allow" } : gate.decide(request)),
  };

  const failed = await failingCases(gateContract(() => weak, samples));

  expect(failed).toContain("the main run: what the gate denies does not run, whatever approves it");
  expect(failed).toContain("a sub-agent: what the gate denies does not run, whatever approves it");
  expect(failed).toContain("a call by a tool: what the gate denies does not run, whatever approves it");
  expect(failed).toContain("a call left open by a crash: what the gate denies does not run, whatever approves it");
  expect(failed).toContain("a hook's allow does not turn a deny around");
});

test("a gate that a mode opens fails", async () => {
  const moody: PermissionGate = {
    decide: (request) => (request.mode === "bypassPermissions" ? { behavior: "allow" } : gate.decide(request)),
  };

  expect(await failingCases(gateContract(() => moody, samples))).toEqual(["no mode turns a deny around"]);
});

test("a gate that denies everything fails where its yes is expected", async () => {
  const closed: PermissionGate = { decide: () => ({ behavior: "deny" }) };

  const failed = await failingCases(gateContract(() => closed, samples));

  expect(failed).toContain("the main run: what the gate allows runs");
  expect(failed).not.toContain("the main run: what the gate denies does not run, whatever approves it");
});
