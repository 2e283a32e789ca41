import { describe, expect, test } from "vitest";
import { compilePathPattern } from "../../src/permissions/path-pattern.js";

const folders = { root: "/work/app", home: "/home/ann" };
const pattern = (content: string) => compilePathPattern(`Read(${content})`, content, folders);

describe("a pattern starts", () => {
  test.each([
    ["./.env", "/work/app/.env", "/work/app/sub/.env"],
    ["/.env", "/work/app/.env", "/.env"],
    ["src/**", "/work/app/src/a/b.ts", "/work/app/lib/src/a.ts"],
    ["//etc/hosts", "/etc/hosts", "/work/app/etc/hosts"],
    ["~/notes/**", "/home/ann/notes/x.md", "/work/app/notes/x.md"],
    ["../other/**", "/work/other/x", "/work/app/other/x"],
    [".", "/work/app/any/where", "/work/other"],
    ["//", "/any/where", "relative"],
  ])("%s: at %s, not at %s", (content, inside, outside) => {
    expect(pattern(content).matches(inside)).toBe(true);
    expect(pattern(content).matches(outside)).toBe(false);
  });

  test("without a slash, at any depth below the root, and takes what lies below it", () => {
    for (const path of ["/work/app/.env", "/work/app/a/b/.env", "/work/app/.env/x"]) {
      expect(pattern(".env").matches(path)).toBe(true);
    }
    expect(pattern(".env").matches("/work/other/.env")).toBe(false);
  });
});

test("alternatives in braces are patterns of their own, which gitignore does not have", () => {
  const both = pattern("**/*.{pem,key}");

  expect([both.matches("/work/app/a/b.pem"), both.matches("/work/app/c.key")]).toEqual([true, true]);
  expect(both.matches("/work/app/c.crt")).toBe(false);
});

test("allow is by the letter; deny and ask take spellings a file system may take for the same", () => {
  const secret = pattern("./Secrets/**");
  for (const path of [
    "/work/app/secrets/a",
    "/work/app/SECRETS/A",
    "/work/app/Secrets./a",
    "/work/app/Sec\u200brets/a",
  ]) {
    expect(secret.matches(path)).toBe(false);
    expect(secret.matchesGenerously(path)).toBe(true);
  }
  expect(secret.matches("/work/app/Secrets/a")).toBe(true);
  expect(pattern("./caf\u00e9").matches("/work/app/cafe\u0301")).toBe(true);
});

test("a folder pattern denies the folder itself, too", () => {
  expect(pattern("secrets/").matchesGenerously("/work/app/secrets")).toBe(true);
  expect(pattern("secrets/").matchesGenerously("/work/app/secrets/a")).toBe(true);
});

test("a pattern that begins like a comment is none", () => {
  expect(pattern("#notes").matches("/work/app/#notes")).toBe(true);
});

test.each(["!src/**", "a/../b", "src\\", `{${"a,".repeat(70)}b}`])("%s could never match and is refused", (content) => {
  expect(() => pattern(content)).toThrow(/is malformed/);
});

test("wildcards of the shell meet a pattern when some file could be both", () => {
  expect(pattern("./.env").meets("/work/app/.en?")).toBe(true);
  expect(pattern("./.env").meets("/work/app/.*")).toBe(true);
  expect(pattern(".env").meets("/work/app/config/.e*v")).toBe(true);
  expect(pattern("secrets/**").meets("/work/app/secrets/*")).toBe(true);
  expect(pattern("secrets/**").meets("/work/app/s*/key")).toBe(true);
  expect(pattern("*.pem").meets("/work/app/[a-z].pem")).toBe(true);
  expect(pattern("./.env").meets("/work/app/*")).toBe(false);
  expect(pattern("secrets/**").meets("/work/app/src/*")).toBe(false);
  expect(pattern("*.pem").meets("/work/app/*.ts")).toBe(false);
});

test("only a pattern that spells a hidden name, or the name itself, names a file", () => {
  expect(pattern(".env*").names("/work/app/.env.local")).toBe(true);
  expect(pattern(".github/**").names("/work/app/.github/workflows/ci.yml")).toBe(true);
  expect(pattern("src/**").names("/work/app/src/.env")).toBe(false);
  expect(pattern("**").names("/work/app/.env")).toBe(false);
  expect(pattern("**/*.yml").names("/work/app/.github/workflows/ci.yml")).toBe(false);
});

test("a pattern knows where it begins to match", () => {
  expect(pattern("./secrets/**").place).toBe("/work/app/secrets");
  expect(pattern("//etc/ssh").place).toBe("/etc/ssh");
  expect(pattern("*.pem").place).toBe(null);
  expect(pattern(".env").place).toBe(null);
});
