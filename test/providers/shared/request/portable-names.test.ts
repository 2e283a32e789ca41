import { expect, test } from "vitest";
import { portableCallId, portableToolName } from "../../../../src/providers/shared/request/portable-names.js";

test("an id that fits stays, and any other always becomes the same one that fits", () => {
  expect(portableCallId("call_aB-9")).toBe("call_aB-9");
  for (const id of ["", "call:1", "functions.look:0", "ü", "x".repeat(41)]) {
    expect(portableCallId(id)).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
    expect(portableCallId(id)).toBe(portableCallId(id));
  }
});

test("ids that differ stay different", () => {
  const ids = Array.from({ length: 5_000 }, (_, n) => `functions.look:${n}`);

  expect(new Set(ids.map(portableCallId)).size).toBe(ids.length);
});

test("a name that a model invented becomes one that vendors accept", () => {
  expect(portableToolName("read file!")).toBe("read_file_");
  expect(portableToolName("x".repeat(100))).toHaveLength(64);
  expect(portableToolName("")).toBe("unnamed");
});
