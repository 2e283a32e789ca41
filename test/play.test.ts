// What a contributor starts: `npm run play`, and what `npm run dev` runs on a save.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { testsOfChanged } from "./dev.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { exports: object };

/** Runs the script as npm does, from a directory with this file. */
function play(args: readonly string[], code = "", env: NodeJS.ProcessEnv = {}) {
  const directory = mkdtempSync(join(tmpdir(), "play-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, "try.mts"), code);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", "test/play.ts", ...args], {
    cwd: ROOT,
    env: { ...process.env, INIT_CWD: directory, ...env },
    encoding: "utf8",
  });
  return { directory, status, stdout, stderr };
}

test("a file runs against the sources: loopwright and every subpath resolve to src, no build, arguments passed on", () => {
  const subpaths = Object.keys(exports).filter((path) => !path.endsWith(".json"));
  const names = subpaths.map((path) => `loopwright${path.slice(1)}`);
  const resolved = `console.log([${names.map((name) => `import.meta.resolve("${name}")`).join(", ")}].join("\\n"));`;

  const { status, stdout, stderr, directory } = play(
    ["try.mts", "one", "--two"],
    `import { AgentEngine } from "loopwright";
     import { text, scripted } from "loopwright/providers/scripted";
     ${names.map((name, index) => `import * as m${index} from "${name}";`).join("\n")}
     console.log(process.argv.slice(2).join(" "));
     console.log(process.cwd());
     console.log((await new AgentEngine({ provider: scripted([text("Hi.")]) }).run("x")).text);
     console.log([${names.map((_, index) => `Object.keys(m${index}).length > 0`).join(", ")}].every(Boolean));
     ${resolved}`,
  );

  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const [args, cwd, answer, all, ...files] = stdout.trim().split("\n");
  expect([args, cwd, answer, all]).toEqual(["one --two", realpathSync(directory), "Hi.", "true"]);
  const sources = subpaths.map((path) => pathToFileURL(join(ROOT, "src", path, "index.ts")).href);
  expect(files.map((file) => file.replace(/\?.*/, ""))).toEqual(sources);
});

test("a file that does not exist, a directory, or no file is a line that says so", () => {
  for (const args of [["nope.ts"], ["."], []]) {
    const { status, stdout, stderr } = play(args);

    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(
      /^play: (?:There is no file ".*" in .*\. Name one that exists|Name a file), as in: npm run play .*\n$/,
    );
  }
});

test("LOOPWRIGHT_TRACE shows what the runs of a file do, and a file that cannot be written is a line that says so", () => {
  const code = `
    import { AgentEngine } from "loopwright";
    import { text, scripted } from "loopwright/providers/scripted";
    await new AgentEngine({ provider: scripted([text("Hi.")]) }).run("password=hunter22");`;

  const traced = play(["try.mts"], code, { LOOPWRIGHT_TRACE: "1" });
  const refused = play(["try.mts"], code, { LOOPWRIGHT_TRACE: "missing/trace.log" });

  expect(traced.stderr).toMatch(/ prompt {4}password=\[redacted value\] .*\n[\s\S]* end {7}completed after 1 turn/);
  expect(refused).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^play: LOOPWRIGHT_TRACE: .* cannot be written/),
  });
});

test("what a file throws ends the process with its stack", () => {
  const { status, stderr } = play(["try.mts"], `throw new Error("that was it");`);

  expect(status).toBe(1);
  expect(stderr).toMatch(/Error: that was it\n\s+at .*try\.mts:1/);
});

test("a save runs the test itself, or of any other file the nearest tests, each once", () => {
  const own = "test/text/cut.test.ts";
  const tests = testsOfChanged([own, "src/text/cut.ts", "test/sessions/kit.ts", "src/contracts/tool.ts"]);

  expect(tests[0]).toBe(own);
  expect(tests.filter((file) => file === own)).toHaveLength(1);
  expect(tests.some((file) => file.startsWith("test/sessions/"))).toBe(true);
  expect(tests.filter((file) => !file.endsWith(".test.ts"))).toEqual([]);
  expect(tests.length).toBeLessThanOrEqual(25);
});
