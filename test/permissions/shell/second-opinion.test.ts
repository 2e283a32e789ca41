import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { Language, Parser } from "web-tree-sitter";
import { runs } from "../../runs.js";
import { analyze } from "./kit.js";
import { Random, randomScript } from "./random-script.js";

const SCRIPTS = runs(150, 1_000, 20_000);

test("every plain command name another parser sees is in the analysis, or the analysis is opaque", async () => {
  await Parser.init();
  const parser = new Parser();
  const path = createRequire(import.meta.url).resolve("tree-sitter-bash/tree-sitter-bash.wasm");
  parser.setLanguage(await Language.load(path));
  const missed: unknown[] = [];
  let compared = 0;

  for (let seed = 0; seed < SCRIPTS; seed++) {
    const script = randomScript(new Random(seed), 2);
    const analysis = analyze(script);
    const tree = parser.parse(script)!;
    // Where it reports an error of its own, its reading is a guess.
    if (!analysis.opaque && !tree.rootNode.hasError) {
      compared++;
      const names = tree.rootNode.descendantsOfType("command_name").flatMap((node) => node?.text ?? []);
      const known = new Set(
        analysis.commands.flatMap(({ program, wrappers }) => [program, ...wrappers.map((wrapper) => wrapper.program)]),
      );
      missed.push(...names.filter((name) => /^p\d$/.test(name) && !known.has(name)).map((name) => ({ script, name })));
    }
    tree.delete();
  }

  expect(missed).toEqual([]);
  expect(compared).toBeGreaterThan(SCRIPTS / 4);
});
