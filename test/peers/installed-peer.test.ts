import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findInstalled } from "../../src/peers/installed-peer.js";

let app: string;
beforeEach(() => {
  app = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-installed-")));
  put("package.json", { name: "app", version: "7.0.0" });
});
afterEach(() => rmSync(app, { recursive: true, force: true }));

function put(path: string, content: object | string): string {
  const file = join(app, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return pathToFileURL(file).href;
}

/** The library in a directory; the address of one of its modules. */
function library(directory: string): string {
  put(`${directory}/package.json`, { name: "loopwright", version: "0.1.0" });
  return put(`${directory}/dist/chunk.js`, "");
}

const failing = () => {
  throw new Error("not found");
};

test("a package beside the library is found, whatever its exports hide", () => {
  const importer = library("node_modules/loopwright");
  put("node_modules/@scope/peer/package.json", { name: "@scope/peer", version: "3.1.4", exports: {} });

  expect(findInstalled("@scope/peer", importer, failing)).toEqual({
    version: "3.1.4",
    directory: join(app, "node_modules/@scope/peer"),
  });
});

test("the nearest copy counts, as for an import", () => {
  const importer = library("node_modules/loopwright");
  put("node_modules/peer/package.json", { name: "peer", version: "1.0.0" });
  put("node_modules/loopwright/node_modules/peer/package.json", { name: "peer", version: "2.0.0" });

  expect(findInstalled("peer", importer, failing)?.version).toBe("2.0.0");
});

test("where pnpm links packages, the one that the library is linked to counts", () => {
  const store = "node_modules/.pnpm/loopwright@0.1.0_peer@2.0.0/node_modules";
  const importer = library(`${store}/loopwright`);
  put("node_modules/.pnpm/peer@2.0.0/node_modules/peer/package.json", { name: "peer", version: "2.0.0" });
  put("node_modules/peer/package.json", { name: "peer", version: "1.0.0" });
  symlinkSync(join(app, "node_modules/.pnpm/peer@2.0.0/node_modules/peer"), join(app, store, "peer"), "dir");

  expect(findInstalled("peer", importer, failing)?.version).toBe("2.0.0");
});

test("without node_modules, where the runtime resolves the package counts", () => {
  const importer = library("cache/loopwright/0.1.0");
  const entry = put("cache/peer/5.0.0/lib/deep/index.js", "");
  put("cache/peer/5.0.0/lib/package.json", { type: "module" });
  put("cache/peer/5.0.0/package.json", { name: "peer", version: "5.0.0" });

  expect(findInstalled("peer", importer, () => entry)).toEqual({
    version: "5.0.0",
    directory: join(app, "cache/peer/5.0.0"),
  });
  expect(findInstalled("peer", importer, () => "npm:peer@5.0.0")).toBe(null);
});

test("in a bundle nothing is said about what lies on the disk", () => {
  library("node_modules/loopwright");
  put("node_modules/peer/package.json", { name: "peer", version: "1.0.0" });

  expect(findInstalled("peer", put("dist/bundle.js", ""), failing)).toBe(null);
  expect(findInstalled("peer", "https://app.example/bundle.js", failing)).toBe(null);
});

test("another package under the name, a broken file and no package at all have no version", () => {
  const importer = library("node_modules/loopwright");
  put("node_modules/fork/package.json", { name: "@mine/fork", version: "1.0.0" });
  put("node_modules/broken/package.json", "{");
  put("node_modules/nameless/package.json", {});

  for (const name of ["fork", "broken", "nameless", "absent"]) {
    expect(findInstalled(name, importer, failing)).toBe(null);
  }
});
