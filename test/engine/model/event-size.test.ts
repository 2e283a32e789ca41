import { expect, test } from "vitest";
import type { ProviderEvent } from "../../../src/contracts/provider.js";
import { sizeOf } from "../../../src/engine/model/message-builder.js";

const textDelta = (text: string): ProviderEvent => ({ type: "text-delta", text });
const callEnd = (args: unknown) => ({ type: "tool-call-end", call: { arguments: args } }) as unknown as ProviderEvent;

test("an event is never free, so that a flood of empty ones reaches the limit, too", () => {
  expect(sizeOf(textDelta(""))).toBeGreaterThan(0);
  expect(sizeOf({ type: "nobody-knows" } as unknown as ProviderEvent)).toBe(sizeOf(textDelta("")));
  expect(sizeOf(null as unknown as ProviderEvent)).toBe(sizeOf(textDelta("")));
});

test("text and arguments count by their length", () => {
  const empty = sizeOf(textDelta(""));

  expect(sizeOf(textDelta("x".repeat(1_000))) - empty).toBe(1_000);
  expect(sizeOf(callEnd({ path: "x".repeat(1_000) }))).toBeGreaterThan(1_000);
  expect(sizeOf(callEnd(["x".repeat(600), { deep: "y".repeat(600) }]))).toBeGreaterThan(1_200);
});

test("arguments that contain themselves have a size", () => {
  const endless: Record<string, unknown> = {};
  endless.self = endless;

  expect(sizeOf(callEnd(endless))).toBeGreaterThan(0);
});
