import { expect, test } from "vitest";
import type { CommandAnalysis } from "../../../src/permissions/shell/analysis.js";
import { analyzeCommand } from "../../../src/permissions/shell/analyze-command.js";
import { runs } from "../../runs.js";
import { Random, randomScript } from "./random-script.js";
import { recordPrograms } from "./recording-shell.js";

const SCRIPTS = runs(400, 5_000, 100_000);
const DEPTH = process.env.PROVE ? 3 : 2;
const SHELLS = 2;
const SCRIPTS_PER_SHELL = Math.min(2_500, SCRIPTS / SHELLS);
const TIMEOUT_MS = process.env.PROVE ? 3_600_000 : 180_000;

test("every program that bash starts, with its words, is in the analysis, or the analysis is opaque", {
  timeout: TIMEOUT_MS,
}, async () => {
  const seed = process.env.PROVE ? Date.now() >>> 0 : 20_261_122;
  const counts = { scripts: 0, opaque: 0, programs: 0 };
  const missed: unknown[] = [];

  while (counts.scripts < SCRIPTS) {
    const batches = Array.from({ length: SHELLS }, () => {
      const scripts = Array.from({ length: SCRIPTS_PER_SHELL }, () =>
        randomScript(new Random(seed + counts.scripts++), DEPTH),
      );
      const read = scripts.map((script) => ({ script, analysis: analyze(script) }));
      // Whatever an opaque script starts is accounted for, so there is nothing to compare.
      return read.filter(({ analysis }) => !analysis.opaque);
    });
    const records = await Promise.all(batches.map((batch) => recordPrograms(batch.map(({ script }) => script))));
    for (const [index, batch] of batches.entries()) {
      counts.opaque += SCRIPTS_PER_SHELL - batch.length;
      for (const [position, { script, analysis }] of batch.entries()) {
        const started = records[index]![position]!;
        counts.programs += started.length;
        missed.push(...started.filter((words) => !isFound(words, analysis)).map((words) => ({ script, words })));
      }
    }
  }

  expect({ seed, missed: missed.slice(0, 3) }).toEqual({ seed, missed: [] });
  expect(counts.programs).toBeGreaterThan(counts.scripts);
  expect(counts.opaque).toBeLessThan(counts.scripts / 2);
});

function analyze(script: string): CommandAnalysis {
  return analyzeCommand(script, { cwd: "/project", home: "/home/user" });
}

function isFound(words: readonly string[], { commands }: CommandAnalysis): boolean {
  const isWrapper = commands.some(({ wrappers }) => wrappers.some(({ program }) => program === words[0]));
  return isWrapper || commands.some((command) => fits(words, command.words));
}

/** A word that is not known represents any number of words. */
function fits(words: readonly string[], known: readonly (string | null)[]): boolean {
  let reachable = new Set([0]);
  for (const word of known) {
    const next = new Set<number>();
    for (const at of reachable) {
      if (word === null) for (let end = at; end <= words.length; end++) next.add(end);
      else if (words[at] === word) next.add(at + 1);
    }
    reachable = next;
  }
  return reachable.has(words.length);
}
