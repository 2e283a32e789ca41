import { expect, test } from "vitest";
import type { Target } from "../../src/contracts/label.js";
import { isNamedIn, valueKey } from "../../src/labels/value-names.js";

const target = (kind: Target["kind"], value: string, field = "to"): Target => ({ field, kind, value });

test.each([
  ["recipient", "ann@x.com", "Write to ann@x.com.", true],
  ["recipient", "Ann@X.com", "Write to <ann@x.com>, please", true],
  ["recipient", "ann@x.com", "Write to joann@x.com", false],
  ["recipient", "ann@x.com", "Write to ann@x.com.evil.org", false],
  ["recipient", "ann", "Write to ann@x.com", false],
  ["recipient", "Al", "Write to Al", false],
  ["url", "https://docs.example.com/a", "Read docs.example.com/a.", true],
  ["url", "https://docs.example.com/", "Read https://docs.example.com and tell me", true],
  ["url", "https://docs.example.com/a?key=1", "Read https://docs.example.com/a", false],
  ["url", "https://docs.example.com/a", "Read https://docs.example.com/a/b", false],
  ["url", "https://evil.org", "Read https://evil.org.example.com/", false],
  ["url", "https://Example.com/A", "Read https://example.COM/A", true],
  ["url", "https://example.com/A", "Read https://example.com/a", false],
  ["path", "src/a.ts", "Change `src/a.ts`", true],
  ["path", "src/A.ts", "Change `src/a.ts`", false],
  ["path", "a.ts", "Change src/a.ts", false],
  ["amount", "50", "Send 50 dollars", true],
  ["amount", "2024-05-19 16:00", "On 2024-05-19, at 16:00 if I am free", true],
  ["amount", "2024-05-20 16:00", "On 2024-05-19, at 16:00", false],
  ["amount", "50", "Send 150 dollars on 2024-50-01", false],
] as const)("the %s %s is a whole word of %j: %s", (kind, value, text, isNamed) => {
  expect(isNamedIn(text, target(kind, value))).toBe(isNamed);
});

test.each([
  ["Delete event 134", "134", "event_id", true],
  ["Delete event #134", "134", "event_id", true],
  ["Delete the event with id: 134", "134", "eventId", true],
  ["Pay 134 for the event", "134", "event_id", false],
  ["Delete event 13", "13", "event_id", false],
  ["Delete file 134", "134", "event_id", false],
])("%j names the number %s of %s: %s", (text, value, field, isNamed) => {
  expect(isNamedIn(text, target("id", value, field))).toBe(isNamed);
});

test("addresses are compared without scheme and last slash, their hosts without case", () => {
  expect(valueKey("url", "HTTPS://Docs.Example.com/A/")).toBe(valueKey("url", "docs.example.com/A"));
  expect(valueKey("url", "example.com/A")).not.toBe(valueKey("url", "example.com/a"));
});
