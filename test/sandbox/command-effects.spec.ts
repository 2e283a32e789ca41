// The third fuzz: lines that are allowed are run for real behind a wall, and do no more than was said of them.
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PermissionMode } from "../../src/index.js";
import { isInside } from "../../src/paths/inside.js";
import { analyzeCommand, createPermissionChecker } from "../../src/permissions/index.js";
import { fixedPart } from "../../src/permissions/lookup/disk-view.js";
import { createWorkspace } from "../../src/workspace/index.js";
import { Random } from "../permissions/shell/random-script.js";
import { runs } from "../runs.js";
import { MARKER, randomInvocation } from "./random-invocations.js";

const LINES = runs(3_000, 20_000, 1_000_000);
const MOST_RUN = runs(120, 800, 40_000);
const SEED = process.env.PROVE ? Date.now() >>> 0 : 20_265_000;
/** What stands in the files that must not be read. */
const SECRETS = ["canary-env", "canary-key", "canary-outside"];

let home: string;
let root: string;
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-effects-")));
  root = join(home, "work");
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The same small project before every line that may have changed it. */
function makeProject(): void {
  rmSync(root, { recursive: true, force: true });
  for (const directory of ["src", "secrets", ".git"]) mkdirSync(join(root, directory), { recursive: true });
  mkdirSync(join(home, "out"), { recursive: true });
  spawnSync("git", ["init", "-q", root]);
  for (const [name, text] of Object.entries({
    "a.txt": "a 1\nb 2\n",
    "b.txt": "b 2\na 1\n",
    "src/c.txt": "c 3\n",
    ".env": "canary-env",
    "secrets/key.txt": "canary-key",
    "../outside.txt": "canary-outside",
    [MARKER]: `#!/bin/sh\necho > ${join(root, "marked")}\n`,
  })) {
    writeFileSync(join(root, name), text);
  }
  chmodSync(join(root, MARKER), 0o755);
  symlinkSync("../out", join(root, "link"));
}

/** Every file with its content, but for git's own. */
function contentOf(directory: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (name === ".git") continue;
    const stat = lstatSync(path);
    if (stat.isDirectory()) {
      found.set(path, "directory");
      for (const [below, text] of contentOf(path)) found.set(below, text);
    } else found.set(path, stat.isFile() ? `${stat.mode} ${readFileSync(path, "latin1")}` : "other");
  }
  return found;
}

interface Observed {
  readonly changed: readonly string[];
  readonly read: readonly string[];
}

/** What a line really does, in a machine that it can only change in the project, and that has no network. */
function observe(line: string): Observed {
  if (!existsSync(root)) makeProject();
  const before = contentOf(root);
  const bwrap = `--ro-bind / / --dev /dev --proc /proc --bind ${root} ${root} --unshare-net --unshare-pid --die-with-parent --chdir ${root}`;
  const env = { PATH: `${process.env.PATH}:${root}`, HOME: home, LC_ALL: "C" };
  const { stdout, stderr } = spawnSync("bwrap", [...bwrap.split(" "), "bash", "-c", line], {
    env,
    encoding: "latin1",
    timeout: 2_000,
    killSignal: "SIGKILL",
    input: "",
    maxBuffer: 4_000_000,
  });
  const after = contentOf(root);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  if (changed.length > 0) makeProject();
  return { changed, read: SECRETS.filter((secret) => `${stdout}${stderr}`.includes(secret)) };
}

/** What of it was not said: files that changed, secrets that were shown, a program that was started. */
function surprises(line: string, told: readonly string[]): readonly string[] {
  const { changed, read } = observe(line);
  const isTold = (path: string) => told.some((each) => path === each || isInside(path, each) || isInside(each, path));
  return [...changed.filter((path) => !isTold(path)).map((path) => relative(root, path)), ...read];
}

/** The places a line is said to write. */
function toldWrites(line: string): readonly string[] {
  return analyzeCommand(line, { cwd: root, home }).effects.flatMap((effect) => {
    if (effect.kind !== "write" || effect.path === null) return [];
    return effect.pattern ? fixedPart(effect.path) : effect.path;
  });
}

async function allowedLines(mode: PermissionMode, most: number): Promise<readonly string[]> {
  const workspace = await createWorkspace({ root, shell: { run: () => Promise.reject(new Error("not used")) } });
  const checker = createPermissionChecker({ workspace, mode, rules: { deny: ["Read(secrets/**)"] } });
  const isThere = (program: string) => existsSync(`/usr/bin/${program}`);
  const found = new Set<string>();
  for (let index = 0; index < LINES && found.size < most; index++) {
    const line = randomInvocation(new Random(SEED + index), isThere);
    if ((await checker.decide({ tool: "bash", input: { command: line } })).behavior === "allow") found.add(line);
  }
  await workspace.close();
  return [...found];
}

test("a line that runs without a rule changes nothing, shows no secret and starts no other program", {
  timeout: 3_600_000,
}, async () => {
  makeProject();
  const lines = await allowedLines("default", MOST_RUN);

  expect(lines.length).toBeGreaterThan(60);
  const wrong = lines.flatMap((line) => {
    const found = surprises(line, []);
    return found.length === 0 ? [] : [`${line}: ${found.join(", ")}`];
  });
  expect({ seed: SEED, wrong }).toEqual({ seed: SEED, wrong: [] });
});

test("where edits are accepted, a line changes the files it is said to write, and no others", {
  timeout: 3_600_000,
}, async () => {
  makeProject();
  const lines = await allowedLines("acceptEdits", MOST_RUN);

  const wrong = lines.flatMap((line) => {
    const found = surprises(line, toldWrites(line));
    return found.length === 0 ? [] : [`${line}: ${found.join(", ")}`];
  });
  expect({ seed: SEED, wrong }).toEqual({ seed: SEED, wrong: [] });
});

test("lines that ask do change files, show secrets and start programs: the generator reaches what the rows hold back", {
  timeout: 600_000,
}, () => {
  makeProject();
  const isThere = (program: string) => existsSync(`/usr/bin/${program}`);
  const found = { changed: 0, read: 0, marked: 0 };
  const isEnough = () => found.changed > 5 && found.read > 5 && found.marked > 0;
  for (let index = 0; index < LINES && !isEnough(); index++) {
    const { changed, read } = observe(randomInvocation(new Random(SEED + index), isThere));
    if (changed.length > 0) found.changed++;
    if (read.length > 0) found.read++;
    if (changed.some((path) => path.endsWith("marked"))) found.marked++;
  }

  expect(isEnough(), JSON.stringify(found)).toBe(true);
});

test.each([
  [`awk 'BEGIN{print "a;b" > "src/made"}'`, "src/made"],
  ["sort -o b.txt a.txt", "b.txt"],
  ["cat link/../outside.txt", "canary-outside"],
  ["git diff --no-index /dev/null .env", "canary-env"],
  ["grep -r '' .", "canary-env"],
  ["sed --in-place=.bak s/a/b/ a.txt", "a.txt"],
  ["sed -n 'w made' a.txt", "made"],
  [`find . -name a.txt -exec ${MARKER} {} +`, "marked"],
  [`git -c core.pager=${MARKER} -c core.fsmonitor=./${MARKER} status`, "marked"],
  ["cp -s $PWD/a.txt g; printf x >> g", "a.txt"],
  [`tar cf /dev/null --checkpoint=1 --checkpoint-action=exec=${MARKER} a.txt`, "marked"],
])("put back, a hole is found: %s", (line, what) => {
  makeProject();

  expect(surprises(line, [])).toContain(what);
});
