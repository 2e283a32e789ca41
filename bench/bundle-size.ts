// The smallest useful agent (a model, a tool, the loop) as a web page would ship it: bundled, minified, gzipped.
import { gzipSync } from "node:zlib";
import { build, type OutputFile } from "esbuild";
import type { Installation } from "./installation.js";
import type { Row } from "./row.js";

const AGENT = `
  import { AgentEngine, defineTool } from "loopwright";
  const clock = defineTool({
    name: "clock", description: "The time.", permission: "none", input: { type: "object" },
    execute: async () => new Date().toISOString(),
  });
  export const createAgent = (provider) => new AgentEngine({ provider, tools: [clock] });
`;

async function bundle(resolveDir: string, splitting: boolean): Promise<readonly OutputFile[]> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: AGENT, resolveDir },
    bundle: true,
    minify: true,
    splitting,
    metafile: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    outdir: "bundle",
  });
  const needed = staticOutputs(metafile.outputs);
  return outputFiles.filter(({ path }) => [...needed].some((output) => path.endsWith(output)));
}

type Outputs = {
  readonly [path: string]: {
    readonly entryPoint?: string;
    readonly imports: readonly { path: string; kind: string }[];
  };
};

/** The entry and the chunks it imports at once; what it would load later is not part of the start. */
function staticOutputs(outputs: Outputs): ReadonlySet<string> {
  const entry = Object.keys(outputs).find((path) => outputs[path]!.entryPoint === "<stdin>")!;
  const needed = new Set([entry]);
  for (const path of needed) {
    for (const { path: imported, kind } of outputs[path]!.imports) {
      if (kind === "import-statement" && outputs[imported]) needed.add(imported);
    }
  }
  return needed;
}

function gzippedKb(files: readonly OutputFile[]): number {
  return files.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).length, 0) / 1024;
}

export async function bundleSizes({ directory }: Installation): Promise<Row[]> {
  return [
    {
      what: "smallest useful agent, bundled, min + gzip, code splitting",
      unit: "KB",
      ours: gzippedKb(await bundle(directory, true)),
      budgets: [{ max: 30 }],
    },
    {
      what: "smallest useful agent, bundled into one file, min + gzip",
      unit: "KB",
      ours: gzippedKb(await bundle(directory, false)),
    },
  ];
}
