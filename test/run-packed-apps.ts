// Packs the library, installs it into an empty directory and uses it there as strangers do: from ESM, from CommonJS, from a
// strict TypeScript app and in bundles. Checks what it weighs. Run with `npm run packaging`, after the build.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { rolldown } from "rolldown";
import { checkFirstErrors } from "./packed-errors.js";
import { checkPeers } from "./packed-peers.js";
import { runPackedProgram } from "./packed-program.js";
import { checkPackedRelease } from "./packed-release.js";
import { bundleWithWebpack, runOnPlatforms } from "./platforms.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  exports: Record<string, unknown>;
};
const subpaths = Object.keys(exports)
  // An app without OpenTelemetry has no use for its entry, and cannot load it.
  .filter((subpath) => !subpath.endsWith(".json") && subpath !== "./observability/otel")
  .map((subpath) => `loopwright${subpath.slice(1)}`);

const app = mkdtempSync(join(tmpdir(), "loopwright-packed-"));
const write = (name: string, text: string) => writeFileSync(join(app, name), text);
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: app, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

const PROGRAM = `
const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  permission: "none",
  input: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => String(a + b),
});
const provider = scripted([toolCall("add", { a: 2, b: 3 }), text("It is 5.")]);
const engine = new AgentEngine({ provider, tools: [add] });
engine.run("What is 2 + 3?").then((result) => {
  const isRight = result.status === "completed" && result.text === "It is 5." && isHarnessError(new ToolError("TOOL_FAILED", { message: "x" }), "TOOL_FAILED");
  if (!isRight) throw new Error(JSON.stringify(result));
  console.log("ok");
});
`;
const NAMES = "{ AgentEngine, defineTool, isHarnessError, ToolError }";
const SCRIPTED = "{ scripted, text, toolCall }";

const ESM = `import ${NAMES} from "loopwright";
import ${SCRIPTED} from "loopwright/providers/scripted";
import { z } from "zod";
${subpaths.map((subpath, index) => `import * as entry${index} from "${subpath}";`).join("\n")}
for (const entry of [${subpaths.map((_, index) => `entry${index}`).join(", ")}]) if (Object.keys(entry).length === 0) throw new Error("an entry is empty");
${PROGRAM}`;

/** What runs in a browser, in one file. */
const page = (zod: string) => `import ${NAMES} from "loopwright";
import ${SCRIPTED} from "loopwright/providers/scripted";
import * as z from "${zod}";
${PROGRAM}`;

/** A workspace in memory in a page, by the condition `browser` of its entry. */
const JUST_BASH = `import { Bash } from "just-bash";
import { createJustBashWorkspace } from "loopwright/workspace";
const workspace = await createJustBashWorkspace({ bash: new Bash({ files: { "/home/user/a.txt": "one" } }) });
await workspace.files.write("deep/../b.txt", await workspace.files.read("./a.txt"));
let output = "";
const onOutput = (chunk) => { output += new TextDecoder().decode(chunk); };
await workspace.shell.run({ command: "tr a-z A-Z < b.txt", onOutput });
const refused = await workspace.files.read("../../etc/passwd").catch(({ code }) => code);
await workspace.close();
if (output !== "ONE" || refused !== "PATH_OUTSIDE") throw new Error(output + refused);
console.log("ok");
`;
/** just-bash of the repository, and no part of Node. */
const IN_A_PAGE = {
  "just-bash": join(ROOT, "node_modules/just-bash/dist/bundle/browser.js"),
  "node:zlib": join(ROOT, "test/browser/no-zlib.mjs"),
};

const CJS = `const ${NAMES} = require("loopwright");
const ${SCRIPTED} = require("loopwright/providers/scripted");
const { z } = require("zod");
for (const entry of ${JSON.stringify(subpaths)}) if (Object.keys(require(entry)).length === 0) throw new Error(entry);
${PROGRAM}`;

const STRICT = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: false,
    target: "es2022",
    lib: ["es2022"],
    module: "nodenext",
    types: ["node"],
    noEmit: true,
  },
  files: ["app.mts", "app.cts"],
};

const MB = 1024 * 1024;

/** What a page ships has to run without anything else beside it. */
const BUNDLERS = {
  esbuild: (entry: string, outfile: string) =>
    build({
      ...{ entryPoints: [entry], outfile, bundle: true, minify: true, format: "esm", platform: "browser" },
      alias: IN_A_PAGE,
    }),
  // What Vite builds with.
  rolldown: async (input: string, file: string) => {
    const bundle = await rolldown({ input, platform: "browser", logLevel: "warn", resolve: { alias: IN_A_PAGE } });
    await bundle.write({ file, format: "esm", minify: true, codeSplitting: false });
  },
};

function check(what: string, found: number, limit: number, unit: string): void {
  const said = `${what}: ${found.toFixed(unit === "" ? 0 : 2)}${unit} (at most ${limit}${unit})`;
  if (found > limit) throw new Error(said);
  console.log(said);
}

/** A failure inside the library has to name the functions it went through: its code is shrunk, its names are not. */
const STACK = `import { AgentEngine } from "loopwright";
let stack = "";
try { new AgentEngine({ providr: {} }); } catch (error) { stack = error.stack; }
if (!/checkOptions/.test(stack) || stack.length > 5_000) throw new Error("not a readable stack: " + stack);
console.log("ok");
`;

/** Running commands, searching in workers and checksums load what they need when they begin (docs/decisions/0025). */
const LOADED = `for (const entry of ["", "/tools", "/workspace", "/permissions", "/sessions"]) await import("loopwright" + entry);
const loaded = process.moduleLoadList.filter((name) => /^NativeModule (child_process|net|worker_threads|zlib)$/.test(name));
if (loaded.length > 0) throw new Error("an import loads " + loaded.join(", "));
console.log("ok");
`;

try {
  const tarball = execFileSync("npm", ["pack", "--silent", "--pack-destination", app], { cwd: ROOT, encoding: "utf8" });
  write("package.json", JSON.stringify({ name: "app", private: true }));
  run("npm", "install", "--silent", "--no-audit", "--no-fund", `./${tarball.trim().split("\n").at(-1)}`);
  const installed = readdirSync(join(app, "node_modules"), { recursive: true, encoding: "utf8" });
  const sizes = installed.map((path) => statSync(join(app, "node_modules", path))).filter((stat) => stat.isFile());
  const lock = JSON.parse(readFileSync(join(app, "package-lock.json"), "utf8")) as { packages: object };
  const [name] = readdirSync(app).filter((file) => file.endsWith(".tgz"));
  // It grew by 51 KB, from 1,149, with machines as workspaces and A2A, by 20 KB with workspaces in a browser page, and by
  // 55 KB with containment, workspaces of sessions, searches elsewhere and the harness for the AI SDK. It grew by 105 KB with code
  // in colours in the terminal (44 KB of grammars), programs, calls of tools, pages that go back and agents of other vendors, and by
  // 95 KB with labels, state on servers, sessions of other programs, lists of chats, work trees on machines and plugins.
  // 70 KB of it, and 0.45 MB installed, are line breaks and indentation, for errors and debuggers (docs/decisions/0025).
  // 5 KB more are hooks' fields, sub-agents that go on after their end, and text that is made to hold a terminal up.
  // 5 KB of it, and 20 KB installed, are refusals that reach pages, and questions that are read before they are answered.
  // 2 KB more are labels that plans and teams pass on, and machines that start nothing any more.
  // 2 KB more are ends of sub-agents' work trees, undo after commands, and programs on a server that get no further.
  // 1 MB installed are packages that travelled in our files before: `npm audit` sees them (docs/decisions/0031).
  check("packed tarball", statSync(join(app, name!)).size / 1024, 1_514, " KB");
  check("installed with all dependencies", sizes.reduce((sum, { size }) => sum + size, 0) / MB, 12.9, " MB");
  check("packages installed", Object.keys(lock.packages).length - 1, 16, "");
  run("npm", "install", "--silent", "--no-audit", "--no-fund", "@types/node@20");
  write("stack.mjs", STACK);
  write("loaded.mjs", LOADED);
  write("app.mjs", ESM);
  write("app.cjs", CJS);
  write("app.mts", ESM);
  write("app.cts", ESM);
  write("tsconfig.json", JSON.stringify(STRICT));
  for (const file of ["app.mjs", "app.cjs", "stack.mjs", "loaded.mjs"]) {
    if (run(process.execPath, file).trim() !== "ok") throw new Error(`${file} did not print "ok"`);
    console.log(`${file}: ok`);
  }
  checkFirstErrors(app);
  checkPeers(join(app, name!));
  await runPackedProgram(app);
  checkPackedRelease(ROOT, app);
  if (process.argv.includes("--platforms")) runOnPlatforms(app, "app.mjs");
  run(process.execPath, join(ROOT, "node_modules/typescript/bin/tsc"), "-p", ".");
  console.log("strict TypeScript, ESM and CommonJS: ok");
  write("page.mjs", page("zod"));
  write("mini-page.mjs", page("zod/mini"));
  write("just-bash-page.mjs", JUST_BASH);
  for (const [bundler, bundle] of Object.entries(BUNDLERS)) {
    const elsewhere = mkdtempSync(join(tmpdir(), "loopwright-bundle-"));
    try {
      for (const name of ["page.mjs", "mini-page.mjs", "just-bash-page.mjs"]) {
        const outfile = join(elsewhere, name);
        await bundle(join(app, name), outfile);
        if (run(process.execPath, outfile).trim() !== "ok")
          throw new Error(`${name}, bundled with ${bundler}, did not print "ok"`);
      }
      console.log(`bundled with ${bundler}, with zod, with zod mini and with just-bash: ok`);
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
  }
  if (process.argv.includes("--platforms")) bundleWithWebpack(app, "page.mjs");
} finally {
  rmSync(app, { recursive: true, force: true });
}
