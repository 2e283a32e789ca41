// `npm run play file.ts [arguments]`: one file against the sources, without a build. `loopwright` and its subpaths are those of
// src. LOOPWRIGHT_TRACE shows what its runs do, as with the program.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { AgentEngine } from "../src/engine/engine.js";
import { UsageError } from "../src/program/exit-codes.js";
import { openTrace, type ProgramTrace } from "../src/program/open-trace.js";

const EXAMPLE = "npm run play examples/01-hello.ts";
/** npm starts scripts at the root of the project; a file is named from where the person is. */
const cwd = process.env.INIT_CWD ?? process.cwd();
const [node = "", , name, ...args] = process.argv;

try {
  const file = fileNamed(name);
  const { env, stderr } = process;
  traceEngines(await openTrace({ env, cwd, stderr, hasScreen: false }));
  process.chdir(cwd);
  process.argv = [node, file, ...args];
  await import(pathToFileURL(file).href);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`play: ${error.message}`);
  process.exitCode = 2;
}

/** @throws UsageError */
function fileNamed(given: string | undefined): string {
  if (given === undefined) throw new UsageError(`Name a file, as in: ${EXAMPLE}. Options for it follow after "--".`);
  const file = resolve(cwd, given);
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  throw new UsageError(`There is no file "${given}" in ${cwd}. Name one that exists, as in: ${EXAMPLE}`);
}

/** Every engine that the file makes is watched from the first time it is used. */
function traceEngines(trace: ProgramTrace): void {
  const watched = new WeakSet<AgentEngine>();
  for (const name of ["run", "stream", "resume", "execute", "compact"] as const) {
    const method = AgentEngine.prototype[name] as unknown as (...given: unknown[]) => unknown;
    Reflect.set(AgentEngine.prototype, name, function (this: AgentEngine, ...given: unknown[]) {
      if (!watched.has(this)) trace.watch(this);
      watched.add(this);
      return method.apply(this, given);
    });
  }
}
