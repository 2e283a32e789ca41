import { describe, expect, test } from "vitest";
import { compilePathPattern } from "../../src/permissions/path-pattern.js";

const folders = { root: "/project/app", home: "/home/ann" };
const pattern = (content: string) => compilePathPattern(`Read(${content})`, content, folders);

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

test("a folder pattern denies the folder itself, too", () => {
  expect(pattern("secrets/").matchesGenerously("/project/app/secrets")).toBe(true);
  expect(pattern("secrets/").matchesGenerously("/project/app/secrets/a")).toBe(true);
});

test("a pattern that begins like a comment is none", () => {
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
