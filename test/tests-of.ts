/**
 * Where a source file is tested. Printed by `npx tsx test/tests-of.ts src/text/nearest-names.ts`, and required of every source by
 * test/architecture/tests-of.test.ts.
 *
 * A file with much of its own to get wrong has a test of its name: `src/a/b.ts` and `test/a/b.test.ts`. The parts of one idea are
 * tested through the file that owns it, by the tests of its folder or of a folder above: those are found by what they import.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** How many source files may lie between a test and what it tests. */
const NEAR = 2;

/** Parts that the tests of their own folder reach only from afar, or in a process or page of their own. */
export const TESTED_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  "src/engine/background-children.ts": ["test/subagents/background.test.ts"],
  "src/engine/calls": ["test/engine/calls/message-calls.test.ts"],
  "src/engine/calls/permission": ["test/engine/calls/permission/approval-matrix.test.ts"],
  "src/engine/run": ["test/engine/engine.test.ts"],
  "src/engine/session/earlier-subagent.ts": ["test/subagents/earlier-subagent.test.ts"],
  "src/engine/subagents": ["test/engine/child-run.test.ts"],
  "src/permissions/shell": ["test/permissions/shell/analyze-command.test.ts", "test/permissions/corpus.test.ts"],
  "src/permissions/shell/invocation": ["test/permissions/shell/programs/table.test.ts"],
  "src/presets/plugins": ["test/presets/plugins/agent-with-plugins.test.ts"],
  "src/presets/project": ["test/presets/coding-agent.test.ts"],
  "src/processes": ["test/workspace/shell/local-shell.test.ts"],
  "src/program/chat": ["test/program/print.test.ts"],
  "src/program/print": ["test/program/print.test.ts"],
  "src/program/project": ["test/program/print.test.ts"],
  "src/program/terminal": ["test/program/terminal/run-terminal.test.ts"],
  "src/providers/shared": ["test/providers/openai/contract.test.ts", "test/providers/anthropic/contract.test.ts"],
  "src/scheduler": ["test/scheduler/classic-case.test.ts"],
  "src/testing/evaluation": ["test/testing/evaluation/evaluate.test.ts"],
  "src/tools/edit": ["test/tools/edit/apply-edit.test.ts"],
};

/** The TypeScript files of a folder of the repository, by their path in it. */
function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes("node_modules"))
    .map((file) => join(folder, file));
}

/** 1 for files of one folder, else 0. */
const besides = (file: string, other: string) => Number(dirname(file) === dirname(other));

const isTest = (file: string) => /\.(?:test|spec)\.ts$/.test(file);

/** The tests of the sources, found by name and by import. */
export class TestFinder {
  /** The sources that export something that can be run. */
  readonly sources: readonly string[];

  readonly #imports = new Map<string, readonly string[]>();
  /** For each test, how many sources lie between it and each that it reaches. */
  readonly #reached = new Map<string, ReadonlyMap<string, number>>();

  constructor() {
    const texts = new Map(
      [...filesOf("src"), ...filesOf("test")].map((file) => [file, readFileSync(join(ROOT, file), "utf8")]),
    );
    for (const [file, text] of texts) {
      this.#imports.set(
        file,
        namedIn(file, text).filter((named) => texts.has(named)),
      );
    }
    this.sources = [...texts.keys()].filter(
      (file) =>
        file.startsWith("src/") &&
        !file.endsWith("/index.ts") &&
        /^export (?:async function|function|abstract class|class|const \w+ = (?:async )?(?:function|\())/m.test(
          texts.get(file)!,
        ),
    );
    for (const file of texts.keys()) if (isTest(file)) this.#reached.set(file, this.#reachedFrom(file));
  }

  /** The tests of a source, the nearest first; none, if they cannot be found. */
  testsOf(source: string): string[] {
    const named = Object.entries(TESTED_ELSEWHERE).flatMap(([at, tests]) => (isAtOrIn(source, at) ? tests : []));
    return [...new Set([...this.#foundFor(source), ...named])];
  }

  /** Whether the table alone leads to a test of a source. */
  isOnlyNamed(source: string): boolean {
    return this.#foundFor(source).length === 0;
  }

  #foundFor(source: string): string[] {
    const mirror = source.replace(/^src\//, "test/").replace(/\.tsx?$/, ".test.ts");
    const near = [...this.#reached]
      .map(([test, reached]) => ({ test, between: reached.get(source) ?? Number.POSITIVE_INFINITY }))
      .filter(({ test, between }) => between === 0 || (between <= NEAR && areRelated(dirname(test), dirname(mirror))))
      .sort((a, b) => a.between - b.between || besides(b.test, mirror) - besides(a.test, mirror))
      .map(({ test }) => test);
    return [...new Set([...(existsSync(join(ROOT, mirror)) ? [mirror] : []), ...near])];
  }

  /** Whether a test comes to a source through its imports, however many lie between. */
  reaches(test: string, source: string): boolean {
    return this.#reached.get(test)?.has(source) ?? false;
  }

  /** What an entry passes on and what tests share lies between nothing. */
  #reachedFrom(test: string): ReadonlyMap<string, number> {
    const reached = new Map<string, number>();
    // Nearest first: what costs nothing is looked at before what costs one more.
    let level = [test];
    for (let between = 0; level.length > 0; between++) {
      const next: string[] = [];
      for (let file = level.pop(); file !== undefined; file = level.pop()) {
        for (const named of this.#imports.get(file) ?? []) {
          if (reached.has(named)) continue;
          reached.set(named, between);
          (named.startsWith("test/") || named.endsWith("/index.ts") ? level : next).push(named);
        }
      }
      level = next;
    }
    return reached;
  }
}

/** The files of the repository that a file names: by imports, and as the programs that it bundles. */
function namedIn(file: string, text: string): string[] {
  return [...text.matchAll(/"((?:\.\.?\/|loopwright)[^"\s]*)"/g)].map(([, name]) => {
    if (name!.startsWith(".")) return join(dirname(file), name!.replace(/\.js$/, ".ts"));
    return join(name!.replace("loopwright", "src"), "index.ts");
  });
}

const isAtOrIn = (path: string, at: string) => path === at || path.startsWith(`${at}/`);

const areRelated = (one: string, other: string) => isAtOrIn(one, other) || isAtOrIn(other, one);

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const finder = new TestFinder();
  for (const path of process.argv.slice(2)) {
    const source = relative(ROOT, path);
    console.log([source, ...finder.testsOf(source).slice(0, 8)].join("\n  "));
  }
}
