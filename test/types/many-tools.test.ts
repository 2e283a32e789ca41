// A host with fifty tools must not wait for its compiler: what their types cost is counted, not timed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Packages are found from here, and no other test looks here. */
const CACHE = join(ROOT, "node_modules", ".cache");

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.esnext.disposable.d.ts"],
  types: [],
  skipLibCheck: true,
  noEmit: true,
  paths: { loopwright: [join(ROOT, "src/index.ts")] },
};

function appWith(tools: number): string {
  const tool = (at: number) => `
const tool${at} = defineTool({
  name: "tool_${at}",
  description: "Tool ${at}.",
  permission: "none",
  input: z.object({ path${at}: z.string(), limit: z.number().default(${at}), tags: z.array(z.string()).optional() }),
  execute: async ({ path${at}, limit, tags = [] }) => path${at}.slice(limit) + tags.join(),
});`;
  const all = Array.from({ length: tools }, (_, at) => at);
  return `import { AgentEngine, defineTool, type ProviderAdapter } from "loopwright";
import * as z from "zod";
declare const provider: ProviderAdapter;
${all.map(tool).join("\n")}
export const engine = new AgentEngine({ provider, tools: [${all.map((at) => `tool${at}`).join(", ")}] });
`;
}

/** What checking apps with so many tools instantiates, for each app after the ones before it: what is ours is checked in the first. */
function instantiations(directory: string, tools: readonly number[]): number[] {
  const files = tools.map((count) => join(directory, `app-${count}.mts`));
  for (const [index, file] of files.entries()) writeFileSync(file, appWith(tools[index]!));
  const program = ts.createProgram(files, OPTIONS);
  let before = 0;
  return files.map((file) => {
    const problems = program.getSemanticDiagnostics(program.getSourceFile(file));
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
    const all = program.getInstantiationCount();
    const own = all - before;
    before = all;
    return own;
  });
}

test("a tool more costs a strict app at most 3,000 instantiations, with fifty tools as with one", () => {
  mkdirSync(CACHE, { recursive: true });
  const directory = mkdtempSync(join(CACHE, "many-tools-"));
  try {
    const [, fifty] = instantiations(directory, [1, 50]) as [number, number];

    expect(Math.round(fifty / 50)).toBeLessThan(3_000);
    // Something was counted.
    expect(fifty).toBeGreaterThan(1_000);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
