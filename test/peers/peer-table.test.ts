import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isSupported, PEERS, type PeerName } from "../../src/peers/peer-table.js";

const read = (path: string) => readFileSync(path, "utf8");
const manifest = JSON.parse(read("package.json"));

test("the table names every optional package, and package.json asks for no version of any", () => {
  const names = Object.keys(PEERS).sort();

  expect(manifest.peerDependencies).toEqual(Object.fromEntries(names.map((name) => [name, "*"])));
  expect(manifest.peerDependenciesMeta).toEqual(Object.fromEntries(names.map((name) => [name, { optional: true }])));
});

test("the versions that the tests use are in the ranges", () => {
  const versions = Object.keys(PEERS).map((name) => [
    name,
    JSON.parse(read(`node_modules/${name}/package.json`)).version,
  ]);

  expect(versions.filter(([name, version]) => !isSupported(name as PeerName, version))).toEqual([]);
});

test("a range ends before its upper bound, and a preview counts as what it is a preview of", () => {
  const supported = (...versions: string[]) =>
    versions.filter((version) => isSupported("@modelcontextprotocol/client", version));

  expect(
    supported("0.0.1", "1.29.0", "2.3.9", "2.4.0", "2.4.1-beta.2", "2.10.0", "2.99.99", "3.0.0", "10.0.0"),
  ).toEqual(["2.4.0", "2.4.1-beta.2", "2.10.0", "2.99.99"]);
  expect(supported("3.0.0-alpha.1", "", "latest")).toEqual([]);
  expect(isSupported("pg", "8.0.2")).toBe(false);
  expect(isSupported("pg", "9.0.0")).toBe(true);
  expect(isSupported("@anthropic-ai/sandbox-runtime", "0.0.77")).toBe(false);
  expect(isSupported("@anthropic-ai/sandbox-runtime", "0.1.0")).toBe(false);
});

test("the page says which versions work, as the table does", () => {
  const rows = read("docs/where-it-runs.md").matchAll(/^\| ([^|`]+) \| `([^`]+)` \| `(>=[^`]+)` \|/gm);

  expect([...rows].map(([, usedBy, name, range]) => [name, { range, usedBy }])).toEqual(Object.entries(PEERS));
});
