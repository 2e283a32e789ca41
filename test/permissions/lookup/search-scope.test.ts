import { expect, test } from "vitest";
import { skipsHidden } from "../../../src/permissions/lookup/search-scope.js";
import { analyzeCommand } from "../../../src/permissions/shell/analyze-command.js";

const commandOf = (line: string) => analyzeCommand(line).commands[0]!;

test.each([
  "rg secret",
  "rg -n --count secret src",
  "rg -g '!*.lock' secret",
  "rg --glob '!*.lock' secret",
  "rg --glob='!*.lock' secret",
])("%s leaves out hidden files", (line) => {
  expect(skipsHidden(commandOf(line))).toBe(true);
});

test.each([
  "rg --hidden secret",
  "rg -. secret",
  "rg -uu secret",
  "rg -nu secret",
  "rg --no-ignore secret",
  "rg --unrestricted secret",
  "rg -g '.env*' secret",
  "rg -g.env secret",
  "rg --glob .env secret",
  "rg --iglob=.ENV secret",
  // A word that is not known may be any of these.
  'rg "$OPTION" secret',
  // Others search what is hidden.
  "grep -r secret .",
  "find . -name secret",
])("%s may read them", (line) => {
  expect(skipsHidden(commandOf(line))).toBe(false);
});
