import { expect, test } from "vitest";
import { FloodGate } from "../../../src/mcp/transport/flood-gate.js";

test("a server may send much, and not without end", () => {
  const gate = new FloodGate();

  const flooded = Array.from({ length: 20_001 }, () => gate.isFlooded());

  expect(flooded.indexOf(true)).toBe(20_000);
});
