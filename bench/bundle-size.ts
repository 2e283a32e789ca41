// The smallest useful agent (a model, a tool, the loop) as a web page would ship it: bundled, minified, gzipped.
// What it loads is seen, not computed: the bundle answers a prompt, and every file that was loaded says so.
import { mkdtemp, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { readProgram } from "./child.js";
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

/** A model calls the tool, then answers. Prints which files of the bundle were loaded before the run, and which by its end. */
const FIRST_RUN = `
  globalThis.loaded = [];
  const { createAgent } = await import("./stdin.mjs");
  const events = [
    { type: "tool-call-end", index: 0, call: { id: "1", name: "clock", arguments: {} } },
    { type: "text-delta", text: "Now." },
  ];
  const usage = { inputTokens: 1, outputTokens: 1 };
  const model = { id: "m", model: "m", async *stream() {
    const event = events.shift();
    yield { type: "message-start" };
    yield event;
    yield { type: "message-end", finishReason: event.call ? "tool-calls" : "stop", usage };
  } };
  const agent = createAgent(model);
  const before = [...loaded];
  const { status, text } = await agent.run("What time is it?");
  if (status !== "completed" || text !== "Now.") throw new Error("The bundled agent ended as " + status + ": " + text);
  process.stdout.write(JSON.stringify({ before, after: loaded }));
`;

interface Loaded {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Gzipped bytes of each file of the bundle, by its name. */
type Sizes = ReadonlyMap<string, number>;

async function bundle(directory: string, outdir: string, splitting: boolean): Promise<Sizes> {
  const { outputFiles } = await build({
    stdin: { contents: AGENT, resolveDir: directory },
    bundle: true,
    minify: true,
    splitting,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    outdir,
    outExtension: { ".js": ".mjs" },
  });
  const sizes = new Map<string, number>();
  for (const { path, contents, text } of outputFiles) {
    const name = basename(path);
    sizes.set(name, gzipSync(contents, { level: 9 }).length);
    await writeFile(join(outdir, name), `${text}\nglobalThis.loaded.push(${JSON.stringify(name)});\n`);
  }
  return sizes;
}

function kilobytes(sizes: Sizes, names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + sizes.get(name)!, 0) / 1024;
}

export async function bundleSizes({ directory }: Installation): Promise<Row[]> {
  const outdir = await mkdtemp(join(directory, "bundle-"));
  const split = await bundle(directory, outdir, true);
  await writeFile(join(outdir, "first-run.mjs"), FIRST_RUN);
  const { before, after } = await readProgram<Loaded>(join(outdir, "first-run.mjs"));
  const whole = await bundle(directory, await mkdtemp(join(directory, "bundle-")), false);
  return [
    {
      what: "smallest useful agent, min + gzip, before its first run",
      unit: "KB",
      ours: kilobytes(split, before),
      budgets: [{ max: 32 }],
    },
    {
      what: "smallest useful agent, min + gzip, with its first answer",
      unit: "KB",
      ours: kilobytes(split, after),
      budgets: [{ max: 68 }],
    },
    {
      what: "smallest useful agent, min + gzip, bundled into one file",
      unit: "KB",
      ours: kilobytes(whole, whole.keys()),
    },
  ];
}
