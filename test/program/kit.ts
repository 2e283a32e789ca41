// What the tests of the program share: the program itself, bundled once, in processes of its own; and a model on loopback.
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { onTestFinished, vi } from "vitest";
import type { ProgramIo } from "../../src/program/program-io.js";
import { runCommandLine } from "../../src/program/run-command-line.js";
import { chatChunks, createFaultServer, type FaultServer, sse } from "../../src/testing/fault-server/index.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Bundles the program into a directory of the cache; resolves with its file. Remove the directory afterwards. */
export async function bundleProgram(): Promise<{ readonly file: string; remove(): void }> {
  const cache = join(ROOT, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, "program-"));
  copyFileSync(join(ROOT, "package.json"), join(directory, "package.json"));
  await build({
    entryPoints: [join(ROOT, "src/program/main.ts")],
    outdir: join(directory, "dist"),
    bundle: true,
    splitting: true,
    // To find and read the files of packages one by one is a good part of a start. These find files beside their own.
    external: ["@vscode/ripgrep", "@dbos-inc/*", "pg"],
    mainFields: ["module", "main"],
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
    },
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  });
  return { file: join(directory, "dist/main.js"), remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** A directory with these files, gone after the test. */
export function directoryWith(files: Readonly<Record<string, string>> = {}): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-program-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

type Answer = Parameters<typeof chatChunks>[0];

/** A server that answers one request after the other, as OpenAI would. */
export async function modelServer(...answers: readonly Answer[]): Promise<FaultServer> {
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const server = await createFaultServer(answers.map((answer) => ({ body: sse(chatChunks({ usage, ...answer })) })));
  onTestFinished(() => server.close());
  return server;
}

/** A call as a model's answer. */
export function calling(name: string, args: object): Answer {
  return { toolCalls: [{ id: `call_${name}`, name, arguments: args }] } as Answer;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Start {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What is piped in; `null` leaves the input open. */
  readonly input?: string | null;
  /** Whether a person reads the output. Only for `runHere`. */
  readonly isTTY?: boolean;
  /** Called once the process exists. */
  readonly start?: (child: ReturnType<typeof spawn>) => void;
  /** Called with what was printed so far. */
  readonly watch?: (child: ReturnType<typeof spawn>, stdout: string) => void;
}

/** Runs the program in this process: quicker, for what does not need one of its own. */
export async function runHere(args: readonly string[], { cwd, home, env = {}, isTTY }: Omit<Start, "input" | "watch">) {
  for (const name of KEYS) vi.stubEnv(name, env[name]);
  vi.stubEnv("HOME", home);
  const output = () => Object.assign(new PassThrough(), { isTTY });
  const [stdout, stderr] = [output(), output()];
  const io = { argv: args, env: { HOME: home, ...env }, cwd, stdin: { isTTY: true, fd: 0 }, stdout, stderr };
  const code = await runCommandLine(io as unknown as ProgramIo);
  vi.unstubAllEnvs();
  const textOf = async (stream: PassThrough) => Buffer.concat(await stream.end().toArray()).toString();
  return { code, stdout: await textOf(stdout), stderr: await textOf(stderr) };
}

const KEYS = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "LOOPWRIGHT_HOME",
];

/** Runs the program to its end. Nothing of this machine's user is in its environment. */
export async function runProgramFile(file: string, args: readonly string[], start: Start): Promise<Ended> {
  const { cwd, home, env, input = "", start: started, watch } = start;
  const child = spawn(process.execPath, [file, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: process.env.TMPDIR ?? tmpdir(), ...env },
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once("close", (code, signal) => resolve({ code, signal })),
  );
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
    watch?.(child, stdout);
  });
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  started?.(child);
  if (input !== null) child.stdin.end(input);
  onTestFinished(() => void child.kill("SIGKILL"));
  return { ...(await ended), stdout, stderr };
}
