import { expect, test } from "vitest";
import { KNOWN_SETTINGS, SETTINGS_SECTIONS } from "../../src/hooks/settings/settings-table.js";
import { readPage } from "./pages.js";
import { MARK, whatCounts } from "./what-counts.js";

test("what-counts.md says of every known key what the readers do with it", () => {
  const [, generated] = readPage("docs/reference/what-counts.md").text.split(MARK);

  expect(generated?.trim()).toBe(whatCounts().trim());
});

test("every key is there once, and an object whose keys are rows is not one itself", () => {
  expect(KNOWN_SETTINGS.size).toBeGreaterThan(200);
  expect([...SETTINGS_SECTIONS].filter((key) => KNOWN_SETTINGS.has(key))).toEqual([]);
});
