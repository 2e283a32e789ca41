// The small package that the demo works on: one function, its tests, and a mistake.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FILES: Readonly<Record<string, string>> = {
  "package.json": `{
  "name": "slug",
  "version": "1.0.0",
  "description": "Titles as parts of addresses.",
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  "slug.js": `/** A title as a part of an address: "Crème Brûlée!" is "creme-brulee". */
export function slug(title) {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
`,
  "slug.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { slug } from "./slug.js";

test("words are joined by dashes", () => {
  assert.equal(slug("Hello, World!"), "hello-world");
});

test("accents are dropped and letters kept", () => {
  assert.equal(slug("Crème Brûlée"), "creme-brulee");
  assert.equal(slug("Über Ångström"), "uber-angstrom");
});

test("nothing is left of punctuation", () => {
  assert.equal(slug("  ...  "), "");
});
`,
};

export const DEMO_TASK = "A test of this package fails. Find out why, fix the code, and show that the tests pass.";

/** Writes the package into a temporary directory; the caller removes it. */
export function makeDemoProject(): string {
  const directory = mkdtempSync(join(tmpdir(), "loopwright-demo-"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(directory, name), text);
  return directory;
}
