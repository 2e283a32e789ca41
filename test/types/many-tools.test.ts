// A host with fifty tools must not wait for its compiler: what their types cost is counted, not timed.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

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

/** Reads each file once for all programs. */
function cachingHost(): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS);
  const files = new Map<string, ts.SourceFile | undefined>();
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...options) => {
    if (!files.has(name)) files.set(name, getSourceFile(name, ...options));
    return files.get(name);
  };
  return host;
}

/** What checking an app with so many tools instantiates. */
function instantiations(directory: string, tools: number, host: ts.CompilerHost): number {
  const file = join(directory, `app-${tools}.ts`);
  writeFileSync(file, appWith(tools));
  const program = ts.createProgram([file], OPTIONS, host);
  const problems = program.getSemanticDiagnostics(program.getSourceFile(file));
  expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  return program.getInstantiationCount();
}

test("a tool more costs a strict app at most 3,000 instantiations, with fifty tools as with one", () => {
  const directory = mkdtempSync(join(HERE, "many-tools-"));
  try {
    const host = cachingHost();
    const [one, fifty] = [1, 50].map((tools) => instantiations(directory, tools, host)) as [number, number];

    expect(Math.round((fifty - one) / 49)).toBeLessThan(3_000);
  } finally {
    rmSync(directory, { recursive: true });
  }
});
