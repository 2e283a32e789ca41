import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGE = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, unknown>>;
};

const subpaths = Object.keys(PACKAGE.exports).filter((subpath) => !subpath.endsWith(".json"));

test("every subpath is a directory with an index.ts, and every such directory is a subpath", () => {
  const directories = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => basename(file) === "index.ts")
    .map((file) => dirname(file).split(sep).join("/"))
    .map((directory) => (directory === "." ? "." : `./${directory}`));

  expect([...subpaths].sort()).toEqual(directories.sort());
});

test("every subpath offers ESM and CommonJS, each with its types", () => {
  for (const subpath of subpaths) {
    const base = `./dist/${subpath === "." ? "index" : `${subpath.slice(2)}/index`}`;

    expect(PACKAGE.exports[subpath]).toEqual({
      ...(subpath === "./workspace" && { browser: "./dist/workspace/browser.js" }),
      import: { types: `${base}.d.ts`, default: `${base}.js` },
      require: { types: `${base}.d.cts`, default: `${base}.cjs` },
    });
  }
});

test("an index.ts names its exports and holds no code", () => {
  for (const subpath of subpaths) {
    const file = join(ROOT, "src", subpath, "index.ts");
    const text = readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
    const rest = text.replace(/export (type )?\{[^}]*\} from "\.[^"]*";/g, "").trim();

    expect({ file: existsSync(file), rest }).toEqual({ file: true, rest: "" });
  }
});
