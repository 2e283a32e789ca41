import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { circlesIn, ENGINE_ROOMS, importsOf, localImports, roomOf, SRC, sourceFiles } from "./measure/imports.js";

/** Ideas that several modules share, one directory each, in an order: each may import those before it. */
const GROUND = ["text", "json", "labels", "time", "schema", "peers", "rules"];
/** Ground that needs Node, and so is closed to the core. */
const NODE_GROUND = ["paths", "processes", "files", "frontmatter"];
const CORE = ["contracts", ...GROUND, "engine"];
/** Settings hold hooks and permission rules, and a hook's condition is a rule: the one module that reads another's language. */
const FRIENDS = new Set([
  "hooks → permissions",
  // The stores on PostgreSQL keep the rules of the others, and bring only where things are kept.
  "sessions/postgres → sessions",
  "sessions/postgres → tasks",
  "sessions/postgres → memory",
  "fleet → sessions/postgres",
  // A task of A2A is a run of the hub, in a view of its own.
  "a2a → http",
  // Programs search among tools as models do that find deferred ones.
  "programs → mcp",
  // A host of the AI SDK hands over the sandbox session that workspaces take.
  "ai-sdk → workspace",
]);
const WIRING = new Set(["presets", "program", "testing"]);

/** Directories inside a module that are modules of their own. */
const INNER = ["sessions/postgres"];
const layerOf = (file: string) =>
  INNER.find((inner) => file.startsWith(`${inner}/`)) ?? (file.includes("/") ? file.split("/")[0]! : "root");

test("contracts import nothing outside themselves", () => {
  const leaving = sourceFiles()
    .filter((file) => layerOf(file) === "contracts")
    .flatMap((file) => importsOf(file).map(({ specifier }) => ({ file, specifier })))
    .filter(({ specifier }) => !/^\.\/[\w-]+\.js$/.test(specifier));

  expect(leaving).toEqual([]);
});

test("ground imports contracts and the ground below it, and a module never imports a sibling module", () => {
  const all = [...GROUND, ...NODE_GROUND];
  const wrong = localImports("value", "type").filter(({ from, to }) => {
    const [source, target] = [layerOf(from), layerOf(to)];
    if (source === target || target === "contracts" || source === "root" || WIRING.has(source)) return false;
    if (all.includes(source)) return !all.slice(0, all.indexOf(source)).includes(target);
    if (source === "engine") return !CORE.includes(target);
    return !CORE.includes(target) && !NODE_GROUND.includes(target) && !FRIENDS.has(`${source} → ${target}`);
  });

  expect(wrong).toEqual([]);
});

test("values are never imported in a circle", () => {
  expect(circlesIn(localImports("value"))).toEqual([]);
});

test("contracts do not import each other's types in a circle", () => {
  const among = localImports("value", "type").filter(
    ({ from, to }) => layerOf(from) === "contracts" && layerOf(to) === "contracts",
  );

  expect(among.length).toBeGreaterThan(20);
  expect(circlesIn(among)).toEqual([]);
});

test("the rooms of the engine are known, and none imports a value from one that comes after it", () => {
  const values = localImports("value").filter(({ from, to }) => {
    return roomOf(from) !== undefined && layerOf(to) === "engine" && roomOf(from) !== roomOf(to);
  });
  const rooms = [...new Set(sourceFiles().flatMap((file) => roomOf(file) ?? []))];
  const wrong = values.filter(({ from, to }) => !ENGINE_ROOMS[roomOf(from)!]?.includes(roomOf(to) ?? "the top"));

  expect(rooms.sort()).toEqual(Object.keys(ENGINE_ROOMS).sort());
  expect(wrong).toEqual([]);
});

test("the core names no node module, vendor or file system", () => {
  const allowed = new Set([
    "eventemitter3",
    "@cfworker/json-schema",
    "@standard-schema/spec",
    "zod/v4/core",
    "zod-to-json-schema",
  ]);
  const foreign = sourceFiles()
    .filter((file) => CORE.includes(layerOf(file)) || layerOf(file) === "root")
    .flatMap((file) => importsOf(file).map(({ specifier }) => ({ file, specifier })))
    .filter(({ specifier }) => !specifier.startsWith(".") && !allowed.has(specifier));

  expect(foreign).toEqual([]);
});

test.each(["index.ts", "http/index.ts", "programs/index.ts"])(
  "%s bundles for the browser without node modules",
  async (entry) => {
    const { metafile } = await build({
      entryPoints: [join(SRC, entry)],
      bundle: true,
      platform: "browser",
      format: "esm",
      splitting: true,
      outdir: "out",
      write: false,
      metafile: true,
      logLevel: "silent",
    });
    const first = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined)!;
    const all = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
    const taken = all.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([input]) => input);

    expect(taken.length).toBeGreaterThan(25);
    expect(taken.filter((input) => /node:|node_modules\/(p-limit|diff)\//.test(input))).toEqual([]);
    expect(Object.keys(first.inputs).filter((input) => /node_modules\/zod\//.test(input))).toEqual([]);
    // The converter for zod mini, which waits in a chunk of its own.
    expect(taken.filter((input) => /node_modules\/zod\//.test(input)).length).toBeLessThan(10);
  },
);
