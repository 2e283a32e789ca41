import fc from "fast-check";
import { expect, test } from "vitest";
import { mcpToolNames } from "../../src/mcp/index.js";
import { runs } from "../runs.js";

/** Google's are the strictest: they begin with a letter or underscore. */
const VALID = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

const nameOf = (server: string, tool: string) => mcpToolNames(server, [tool]).get(tool)!;

test("an ordinary tool is called mcp__server__tool", () => {
  const names = mcpToolNames("github", ["create_issue", "list-issues", "getMe"]);

  expect([...names]).toEqual([
    ["create_issue", "mcp__github__create_issue"],
    ["list-issues", "mcp__github__list-issues"],
    ["getMe", "mcp__github__getMe"],
  ]);
});

test.each([
  ["my server", "search.web", /^mcp__my_server_[0-9a-f]{10}__search_web_[0-9a-f]{10}$/],
  ["", "", /^mcp__x_[0-9a-f]{10}__x_[0-9a-f]{10}$/],
  ["日本", "検索", /^mcp__x_[0-9a-f]{10}__x_[0-9a-f]{10}$/],
  ["wetter", "Höhe über NN", /^mcp__wetter__Hohe_uber_NN_[0-9a-f]{10}$/],
  ["s".repeat(100), "t".repeat(100), /^mcp__s{17}_[0-9a-f]{10}__t{18}_[0-9a-f]{10}$/],
])("what is not plain or too long is spelled plainly and ends in a digest: %j %j", (server, tool, expected) => {
  expect(nameOf(server, tool)).toMatch(expected);
  expect(nameOf(server, tool)).toMatch(VALID);
});

test.each([
  [
    ["a__b", "c"],
    ["a", "b__c"],
  ],
  [
    ["a_", "b"],
    ["a", "_b"],
  ],
  [
    ["my server", "x"],
    ["my_server", "x"],
  ],
  [
    ["s", "x y"],
    ["s", "x_y"],
  ],
  [
    ["s", "x.y"],
    ["s", "x_y"],
  ],
  [
    ["s", "ä"],
    ["s", "a"],
  ],
  [
    ["s", "A"],
    ["s", "a"],
  ],
])("tools that look alike, %j and %j, have different names", (one, other) => {
  expect(nameOf(one[0]!, one[1]!)).not.toBe(nameOf(other[0]!, other[1]!));
});

test("a tool cannot be named after the digest of another one", () => {
  const shortened = nameOf("s", "x y");
  const forged = shortened.slice("mcp__s__".length);

  expect(nameOf("s", forged)).not.toBe(shortened);
});

test("names are valid for every provider, unique, and depend on nothing but server and tool", () => {
  const part = fc.oneof(
    fc.string({ unit: fc.constantFrom("a", "b", "_", "-", ".", " ", "é", "7"), maxLength: 12 }),
    fc.string({ unit: "grapheme", maxLength: 80 }),
  );
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(part, part), { selector: (pair) => JSON.stringify(pair), maxLength: 20 }),
      (pairs) => {
        const names = pairs.map(([server, tool]) => nameOf(server, tool));

        expect(new Set(names).size).toBe(pairs.length);
        for (const [index, [server, tool]] of pairs.entries()) {
          expect(names[index]).toMatch(VALID);
          expect(mcpToolNames(server, ["other", tool, "and another"]).get(tool)).toBe(names[index]);
        }
      },
    ),
    { numRuns: runs(150, 5_000, 100_000) },
  );
});
