import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));
const DECLARED = /^export (?:abstract )?(?:async )?(?:const|function\*?|class|interface|type|enum) ([A-Za-z_]\w*)/gm;

test("no exported name means two things", () => {
  const files = new Map<string, Set<string>>();
  for (const file of readdirSync(SRC, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    for (const [, name] of readFileSync(join(SRC, file), "utf8").matchAll(DECLARED)) {
      files.set(name!, (files.get(name!) ?? new Set()).add(file.split(sep).join("/")));
    }
  }
  const twice = [...files].filter(([, where]) => where.size > 1);

  expect(twice.map(([name, where]) => `${name}: ${[...where].join(", ")}`)).toEqual([]);
});
