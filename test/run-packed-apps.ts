// Packs the library, installs it into an empty directory and uses it there as strangers do: from ESM, from CommonJS and
// from a strict TypeScript app. Run with `npm run packaging`, after the build.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

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

try {
  const tarball = execFileSync("npm", ["pack", "--silent", "--pack-destination", app], { cwd: ROOT, encoding: "utf8" });
  write("package.json", JSON.stringify({ name: "app", private: true }));
  run(
    "npm",
    "install",
    "--silent",
    "--no-audit",
    "--no-fund",
    `./${tarball.trim().split("\n").at(-1)}`,
    "@types/node@20",
  );
  write("app.mjs", ESM);
  write("app.cjs", CJS);
  write("app.mts", ESM);
  write("app.cts", ESM);
  write("tsconfig.json", JSON.stringify(STRICT));
  for (const file of ["app.mjs", "app.cjs"]) {
    if (run(process.execPath, file).trim() !== "ok") throw new Error(`${file} did not print "ok"`);
    console.log(`${file}: ok`);
  }
  run(process.execPath, join(ROOT, "node_modules/typescript/bin/tsc"), "-p", ".");
  console.log("strict TypeScript, ESM and CommonJS: ok");
} finally {
  rmSync(app, { recursive: true, force: true });
}
