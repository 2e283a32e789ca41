// The first hour of a person on every Node: what README.md and docs/getting-started.md tell them to type is read from the pages and
// run in a fresh clone and in an empty directory. `npm run first-contact [-- --node 24] [--without-tests]`
//
// The first Node runs the tests in the environment that this is started in: with `CI=true`, that is the test run of CI. The others
// run them as a person does, so that both ways are seen, a fifth of the files each.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pLimit from "p-limit";
import { ROOT, readPage } from "../docs/pages.js";
import { runApp } from "./app.js";
import { Clone } from "./clone.js";
import { installNode, MAJORS } from "./node-release.js";
import { commandsOf, PAGES, placeOf } from "./page-commands.js";
import { Steps } from "./steps.js";

/** The part of the tests of each Node; without an entry, all. */
const SHARDS: Readonly<Record<number, string>> = { 22: "1/5", 24: "2/5", 26: "3/5" };
/** Most of these commands wait for something. */
const AT_ONCE = 2;

const { values } = parseArgs({
  options: { node: { type: "string", multiple: true }, "without-tests": { type: "boolean" } },
});
const majors = values.node?.map(Number) ?? MAJORS;
const unknown = majors.find((major) => !MAJORS.includes(major));
if (unknown !== undefined) throw new Error(`--node takes ${MAJORS.join(", ")}, not ${unknown}.`);

const pages = PAGES.map(readPage);
const inClone = pages.flatMap(commandsOf).filter((command) => placeOf(command) === "clone");
const demos = inClone.filter(({ text }) => text.endsWith("npm run demo"));
const tests = values["without-tests"] ? [] : inClone.filter(({ text }) => text.endsWith("npm test"));

const steps = new Steps();
const parent = mkdtempSync(join(tmpdir(), "first-contact-"));
chmodSync(parent, 0o755); // Some tests run programs as another user.
const limit = pLimit(AT_ONCE);

/** A clone for a Node, installed; `null` if that failed. */
async function openClone(major: number): Promise<Clone | null> {
  const clone = new Clone(installNode(major, parent), steps, parent);
  if (!(await clone.make(ROOT)) || !(await clone.install())) return null;
  for (const command of demos) await clone.runDemo(command);
  return clone;
}

try {
  const clones = await limit.map(majors, openClone);
  const first = clones.find((clone) => clone !== null);
  const tarball = (await first?.pack(parent)) ?? null;
  if (tarball !== null) {
    await limit.map(clones, async (clone) => {
      if (!clone) return;
      for (const page of pages) await runApp(page, tarball, { node: clone.node, steps, parent });
    });
  }
  for (const clone of clones) {
    if (!clone) continue;
    const { CI, RUNS } = process.env;
    const env = clone.node.major === majors[0] ? { CI, RUNS } : {};
    for (const command of tests) await clone.runTests(command, SHARDS[clone.node.major] ?? null, env);
  }
} finally {
  rmSync(parent, { recursive: true, force: true });
}
console.log(`${steps.passed} passed, ${steps.failed} failed`);
if (steps.failed > 0) process.exitCode = 1;
