// Runs every numbered example and the demo as programs of their own: `npm run examples`.
// Those of examples/machines need a Docker engine or a host: `npm run test:machines` runs them.
// Prints a line for each. Exits with 1 when one fails or takes too long, and shows what that one printed.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pLimit from "p-limit";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const AT_ONCE = 2;
const TIME_LIMIT_MS = 240_000;
/** For a program to end by itself once it is asked to. */
const GRACE_MS = 5_000;

interface Outcome {
  readonly file: string;
  readonly passed: boolean;
  readonly how: string;
  readonly output: string;
}

const files = [
  ...readdirSync(`${ROOT}/examples`)
    .filter((name) => /^\d\d-.*\.ts$/.test(name))
    .sort()
    .map((name) => `examples/${name}`),
  "examples/coding-agent/demo.ts",
  "examples/web-chat/self-check.ts",
  "examples/fleet/self-check.ts",
];

function runExample(file: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, ["--import", "tsx", file], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let isLate = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const timers = [
      setTimeout(() => {
        isLate = true;
        child.kill("SIGTERM");
      }, TIME_LIMIT_MS),
      setTimeout(() => {
        child.kill("SIGKILL");
        // What it started may hold these open for as long as it likes.
        child.stdout.destroy();
        child.stderr.destroy();
      }, TIME_LIMIT_MS + GRACE_MS),
    ];

    function settle(how: string, passed = false): void {
      for (const timer of timers) clearTimeout(timer);
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(5);
      console.log(`${passed ? "ok  " : "FAIL"} ${seconds} s  ${file}${passed ? "" : `  (${how})`}`);
      resolve({ file, passed, how, output });
    }
    child.once("error", (error) => settle(error.message));
    child.once("close", (code, signal) => {
      if (isLate) return settle(`took longer than ${TIME_LIMIT_MS / 1_000} s`);
      settle(signal ? `ended by ${signal}` : `exit code ${code}`, code === 0);
    });
  });
}

const limit = pLimit(AT_ONCE);
const outcomes = await Promise.all(files.map((file) => limit(() => runExample(file))));
const failed = outcomes.filter(({ passed }) => !passed);
for (const { file, how, output } of failed) console.error(`\n── ${file} (${how}) ──\n${output.trimEnd()}`);
console.log(`\n${outcomes.length - failed.length} of ${outcomes.length} examples passed.`);
process.exitCode = failed.length === 0 ? 0 : 1;
