// `npm run bench:machines` measures workspaces on other machines beside the bare client: `docker exec` and `ssh`. Starts a Docker
// engine and an SSH server as `npm run test:machines` does, and needs the same. Writes docs/benchmarks.md between its marks.
// `--quick`: fewer rounds, prints only.
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createPermissionChecker } from "../../src/permissions/index.js";
import { createGlobTool } from "../../src/tools/search/glob.js";
import { createGrepTool } from "../../src/tools/search/grep.js";
import { createMachineWorkspace } from "../../src/workspace/index.js";
import { startRealParts } from "../../test/machines/real-parts.js";
import { LOOKING } from "../../test/permissions/corpus/texts.js";
import { callTool } from "../../test/tools/call-tool.js";
import { counted } from "../../test/workspace/machines/counted-machine.js";
import { fill } from "../fill.js";
import { interleave } from "../measure.js";
import { figure, markdown } from "../row.js";
import { type Backend, backends } from "./backends.js";

const isQuick = process.argv.includes("--quick");
const PLAN = { rounds: isQuick ? 3 : 15, warmups: 2, clock: "wall" } as const;
const GIGABYTE = 1024 ** 3;
const LINES = LOOKING.filter((_, index) => index % 8 === 0);
setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

type Line = readonly [what: string, trips: string, bare: string, ours: string, ratio: string];

const { parts, stop } = await startRealParts();
try {
  const shared = join(parts.ssh.directory, "bench");
  mkdirSync(shared);
  chmodSync(shared, 0o755);
  const tables: string[] = [];
  for (const backend of backends(parts, shared)) {
    const lines = await measure(backend, treeIn(shared));
    const header = ["what", "round trips", backend.client, "loopwright", "×"];
    tables.push(`**${backend.name}**\n\n${markdown(header, lines)}`);
    process.stdout.write(`${tables.at(-1)}\n\n`);
  }
  const load = loadavg().map((each) => each.toFixed(1));
  const about = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim()}, load ${load.join(" / ")}.`;
  if (!isQuick) await fill("docs/benchmarks.md", "machines", [about, ...tables].join("\n\n"));
} finally {
  await stop();
}

/** 300 files in 30 directories, of which every tenth has the word that is looked for. */
function treeIn(shared: string): string {
  const root = mkdtempSync(join(shared, "root-"));
  for (let index = 0; index < 300; index++) {
    const directory = join(root, `src/d${index % 30}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(
      join(directory, `f${index}.ts`),
      `${"export const one = 1;\n".repeat(40)}${index % 10 ? "" : "needle\n"}`,
    );
  }
  mkdirSync(join(root, "thirty"));
  for (let index = 0; index < 30; index++) writeFileSync(join(root, "thirty", `${index}.txt`), "");
  writeFileSync(join(root, "small"), "x".repeat(1_000));
  writeFileSync(join(root, "large"), "x".repeat(1_000_000));
  for (const each of ["", "small", "large"]) chmodSync(join(root, each), 0o777);
  return root;
}

async function measure(backend: Backend, root: string): Promise<readonly Line[]> {
  const machine = counted(backend.open());
  const workspace = await createMachineWorkspace({ machine, root });
  const { files, shell } = workspace;
  const [glob, grep] = [createGlobTool(workspace), createGrepTool(workspace)];
  const checker = createPermissionChecker({ workspace });
  const lines: Line[] = [];

  async function beside(what: string, line: string, ours: () => Promise<unknown>, times = 1): Promise<void> {
    const before = machine.trips;
    const rounds = await interleave({ bare: () => bareClient(backend, root, line), ours }, PLAN);
    const trips = (machine.trips - before) / (PLAN.rounds + PLAN.warmups) / times;
    lines.push(besideEachOther(what, trips, rounds.bare, rounds.ours / times));
  }
  const kilobyte = Buffer.alloc(1_000, "x");

  try {
    await beside("open a workspace and close it", "true", async () => {
      const other = counted(backend.open());
      await (await createMachineWorkspace({ machine: other, root })).close();
      machine.trips += other.trips;
    });
    await beside("read 1 KB", "cat small", () => files.read("small"));
    await beside("write 1 KB", "head -c 1000 /dev/zero >small", () => files.write("small", kilobyte));
    await beside("status of a file", "stat small", () => files.stat("small"));
    await beside("list 30 files", "ls thirty", () => files.list("thirty"));
    await beside("read 1 MB", "cat large", () => files.read("large"));
    await beside("a command", "true", () => shell.run({ command: "true" }));
    await beside("grep in 300 files", "grep -rl needle src", () => callTool(grep, { pattern: "needle" }));
    await beside("glob of 300 files", "find src -name '*.ts'", () => callTool(glob, { pattern: "**/*.ts" }));
    await beside("a permission decision", "true", () => decideAll(checker), LINES.length);
    lines.push(...(await output(backend, root, shell)));
    return lines;
  } finally {
    await workspace.close();
  }
}

async function decideAll(checker: ReturnType<typeof createPermissionChecker>): Promise<void> {
  for (const command of LINES) await checker.decide({ tool: "bash", input: { command } });
}

/** Runs a line in the root by the bare client, to its end. Its output is thrown away. */
async function bareClient(backend: Backend, root: string, line: string): Promise<void> {
  const [file, ...args] = backend.bare(`cd ${root} && ${line}`);
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.resume();
  const code = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (code !== 0) throw new Error(`"${line}" by "${backend.client}" ended with ${code}.`);
}

async function output(
  backend: Backend,
  root: string,
  shell: Awaited<ReturnType<typeof createMachineWorkspace>>["shell"],
): Promise<readonly Line[]> {
  // An eighth of it first: what any long output takes is there then, and more would be what its length takes.
  await shell.run({ command: `head -c ${GIGABYTE / 8} /dev/zero`, onOutput() {} });
  const line = `head -c ${GIGABYTE} /dev/zero`;
  let bytes = 0;
  collect();
  const before = process.memoryUsage().rss;
  let most = before;
  const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  const startedAt = performance.now();
  const onOutput = (chunk: Uint8Array) => {
    bytes += chunk.length;
  };
  await shell.run({ command: line, onOutput });
  const ours = performance.now() - startedAt;
  clearInterval(watching);
  if (bytes !== GIGABYTE) throw new Error(`${bytes} bytes came instead of 1 GB.`);
  const bareAt = performance.now();
  await bareClient(backend, root, line);
  return [
    besideEachOther("1 GB of output", undefined, performance.now() - bareAt, ours),
    ["memory that it adds to 128 MB of output", "–", "–", figure((most - before) / 1_000_000, "MB"), "–"],
  ];
}

function besideEachOther(what: string, trips: number | undefined, bare: number, ours: number): Line {
  return [what, figure(trips, ""), figure(bare, "ms"), figure(ours, "ms"), (ours / bare).toFixed(2)];
}
