import fc from "fast-check";
import ignore from "ignore";
import { describe, expect, test } from "vitest";
import { compilePathPattern } from "../../../src/permissions/rules/path-pattern.js";
import { processorMs } from "../../processor-time.js";
import { runs } from "../../runs.js";

const directories = { root: "/project/app", home: "/home/ann" };
const pattern = (content: string) => compilePathPattern(`Read(${content})`, content, directories);

describe("a pattern starts", () => {
  test.each([
    ["./.env", "/project/app/.env", "/project/app/sub/.env"],
    ["/.env", "/project/app/.env", "/.env"],
    ["src/**", "/project/app/src/a/b.ts", "/project/app/lib/src/a.ts"],
    ["//etc/hosts", "/etc/hosts", "/project/app/etc/hosts"],
    ["~/notes/**", "/home/ann/notes/x.md", "/project/app/notes/x.md"],
    ["../other/**", "/project/other/x", "/project/app/other/x"],
    [".", "/project/app/any/where", "/project/other"],
    ["//", "/any/where", "relative"],
  ])("%s: at %s, not at %s", (content, inside, outside) => {
    expect(pattern(content).matches(inside)).toBe(true);
    expect(pattern(content).matches(outside)).toBe(false);
  });

  test("without a slash, at any depth below the root, and takes what lies below it", () => {
    for (const path of ["/project/app/.env", "/project/app/a/b/.env", "/project/app/.env/x"]) {
      expect(pattern(".env").matches(path)).toBe(true);
    }
    expect(pattern(".env").matches("/project/other/.env")).toBe(false);
  });
});

test("alternatives in braces are patterns of their own, which gitignore does not have", () => {
  const both = pattern("**/*.{pem,key}");

  expect([both.matches("/project/app/a/b.pem"), both.matches("/project/app/c.key")]).toEqual([true, true]);
  expect(both.matches("/project/app/c.crt")).toBe(false);
});

test("allow is by the letter; deny and ask take spellings a file system may take for the same", () => {
  const secret = pattern("./Secrets/**");
  for (const path of [
    "/project/app/secrets/a",
    "/project/app/SECRETS/A",
    "/project/app/Secrets./a",
    "/project/app/Sec\u200brets/a",
  ]) {
    expect(secret.matches(path)).toBe(false);
    expect(secret.matchesGenerously(path)).toBe(true);
  }
  expect(secret.matches("/project/app/Secrets/a")).toBe(true);
  expect(pattern("./caf\u00e9").matches("/project/app/cafe\u0301")).toBe(true);
});

test("a directory pattern denies the directory itself, too", () => {
  expect(pattern("secrets/").matchesGenerously("/project/app/secrets")).toBe(true);
  expect(pattern("secrets/").matchesGenerously("/project/app/secrets/a")).toBe(true);
});

test("a pattern that begins like a comment is not one", () => {
  expect(pattern("#notes").matches("/project/app/#notes")).toBe(true);
});

test.each(["!src/**", "a/../b", "src\\", `{${"a,".repeat(70)}b}`])("%s could never match and is refused", (content) => {
  expect(() => pattern(content)).toThrow(/is malformed/);
});

test("wildcards of the shell meet a pattern when some file could be both", () => {
  expect(pattern("./.env").meets("/project/app/.en?")).toBe(true);
  expect(pattern("./.env").meets("/project/app/.*")).toBe(true);
  expect(pattern(".env").meets("/project/app/config/.e*v")).toBe(true);
  expect(pattern("secrets/**").meets("/project/app/secrets/*")).toBe(true);
  expect(pattern("secrets/**").meets("/project/app/s*/key")).toBe(true);
  expect(pattern("*.pem").meets("/project/app/[a-z].pem")).toBe(true);
  expect(pattern("./.env").meets("/project/app/*")).toBe(false);
  expect(pattern("secrets/**").meets("/project/app/src/*")).toBe(false);
  expect(pattern("*.pem").meets("/project/app/*.ts")).toBe(false);
});

test("only a pattern that spells a hidden name, or the name itself, names a file", () => {
  expect(pattern(".env*").names("/project/app/.env.local")).toBe(true);
  expect(pattern(".github/**").names("/project/app/.github/workflows/ci.yml")).toBe(true);
  expect(pattern("src/**").names("/project/app/src/.env")).toBe(false);
  expect(pattern("**").names("/project/app/.env")).toBe(false);
  expect(pattern("**/*.yml").names("/project/app/.github/workflows/ci.yml")).toBe(false);
});

test("a pattern knows where it begins to match", () => {
  expect(pattern("./secrets/**").place).toBe("/project/app/secrets");
  expect(pattern("//etc/ssh").place).toBe("/etc/ssh");
  expect(pattern("*.pem").place).toBe(null);
  expect(pattern(".env").place).toBe(null);
});

const pathName = fc.stringMatching(/^[ab.]{1,3}$/).filter((name) => !/^\.+$/.test(name));
const path = fc.array(pathName, { minLength: 1, maxLength: 4 });

test("by the letter, a pattern matches what git ignores by it", () => {
  const name = fc.oneof(fc.stringMatching(/^(?:[ab*?.]|\[ab\]|\[!a\]|\\[a*]){1,4}$/), fc.constant("**"));
  const content = fc.record({
    first: fc.constantFrom("", "/"),
    names: fc.array(name, { minLength: 1, maxLength: 4 }),
    last: fc.constantFrom("", "/"),
  });
  fc.assert(
    fc.property(content, path, ({ first, names, last }, parts) => {
      const text = first + names.join("/") + last;
      fc.pre(!/(^|\/)\.*(\/|$)|\*\*\*|[^/]\*\*|\*\*[^/]/.test(names.join("/")));
      const inside = parts.join("/");
      const expected = ignore({ ignorecase: false }).add(text).ignores(inside);
      expect({ text, inside, matches: pattern(text).matches(`/project/app/${inside}`) }).toEqual({
        text,
        inside,
        matches: expected,
      });
      if (expected) expect(pattern(text).matchesGenerously(`/PROJECT/app/${inside.toUpperCase()}`)).toBe(true);
    }),
    { numRuns: runs(400, 3_000, 200_000) },
  );
});

test("patterns and wildcards of the shell that match a common path meet", () => {
  const name = fc.stringMatching(/^[ab?*]{1,4}$/);
  const names = fc.array(fc.oneof(name, fc.constant("**")), { minLength: 1, maxLength: 4 });
  const plain = fc.array(fc.stringMatching(/^[ab]{1,3}$/), { minLength: 1, maxLength: 4 });
  const matches = (wild: readonly string[], parts: readonly string[]) => {
    const expression = wild
      .map((each) => (each === "**" ? "(?:[^/]+/)*" : `${each.replace(/\*+/g, "[^/]*").replace(/\?/g, "[^/]")}/`))
      .join("");
    return new RegExp(`^${expression}$`).test(`${parts.join("/")}/`);
  };
  fc.assert(
    fc.property(names, names, plain, (rule, word, parts) => {
      fc.pre(matches(rule, parts) && matches(word, parts));
      expect(pattern(`/${rule.join("/")}`).meets(`/project/app/${word.join("/")}`)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("no path and no pattern takes long", () => {
  const hostile = pattern(`/${"*a".repeat(60)}/**/${"**/x/".repeat(20)}*.key`);
  const startedAt = processorMs();

  expect(hostile.matches(`/project/app/${"a".repeat(4_000)}/${"x/".repeat(1_000)}y`)).toBe(false);
  expect(hostile.matchesGenerously(`/project/app/${"a".repeat(4_000)}/${"x/".repeat(1_000)}y`)).toBe(false);
  expect(hostile.meets(`/project/app/${"*a".repeat(2_000)}`)).toBe(false);

  expect(processorMs() - startedAt).toBeLessThan(5_000);
});

test("a range of letters may be any character: its case is not known any more", () => {
  expect(pattern("./.env").meets("/project/app/.[Z-f]nv")).toBe(true);
  expect(pattern("./key_file").meets("/project/app/key[A-z]file")).toBe(true);
  expect(pattern("*.pem").meets("/project/app/*.[0-9]em")).toBe(false);
});
