import { expect, test, vi } from "vitest";
import { colorCode, loadCodeColors } from "../../../../src/program/terminal/screen/code-colors.js";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";

const theme = createTheme({});

test("code with an endless line has no colours, and other code its own", async () => {
  await loadCodeColors();
  const endless = `const ${"a".repeat(40_000)} = 1;`;

  expect(colorCode(endless, "java", theme)).toEqual([endless]);
  expect(colorCode("const a = 1;", "ts", theme)).toEqual(["\x1b[35mconst\x1b[39m a = \x1b[33m1\x1b[39m;"]);
});

test("code stays plain when the highlighter cannot be loaded, and nothing fails", async () => {
  vi.resetModules();
  vi.doMock("../../../../src/program/terminal/screen/code-languages.js", () => {
    throw new Error("The files of the program are gone.");
  });
  try {
    const fresh = await import("../../../../src/program/terminal/screen/code-colors.js");

    await fresh.loadCodeColors();

    expect(fresh.colorCode("const a = 1;", "ts", theme)).toEqual(["const a = 1;"]);
  } finally {
    vi.doUnmock("../../../../src/program/terminal/screen/code-languages.js");
    vi.resetModules();
  }
});
