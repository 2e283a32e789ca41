// Compiles every ts block of the docs, and every test of types, under the strict options of the repository: part of `npm run types`.
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { allPages, type Program, programsOf, ROOT } from "./pages.js";

const TYPES = join(ROOT, "test/types");

/** Of programs, which are files of the repository in memory alone, and of files. They share a compilation: most of it is the library. */
function typeErrors(programs: readonly Program[], files: readonly string[]): string[] {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const options: ts.CompilerOptions = {
    ...ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, ROOT).options,
    noUnusedLocals: true,
    moduleDetection: ts.ModuleDetectionKind.Force,
  };
  const byFile = new Map(programs.map((program) => [`${ROOT}${program.page}.${program.line}.ts`, program]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => byFile.has(file) || fileExists(file);
  host.readFile = (file) => byFile.get(file)?.code ?? readFile(file);
  const compiled = ts.createProgram([...byFile.keys(), ...files], options, host);
  const places = [...byFile].map(([file, { page, line }]) => ({ file, page, line }));
  const tests = files.map((file) => ({ file, page: basename(file), line: 1 }));
  return [...places, ...tests].flatMap(({ file, page, line }) => {
    const source = compiled.getSourceFile(file);
    const found = [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)];
    return found.map(({ start = 0, messageText }) => {
      const at = line + (source?.getLineAndCharacterOfPosition(start).line ?? 0);
      return `${page}:${at}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
  });
}

const programs = allPages().flatMap(programsOf);
const tests = readdirSync(TYPES).filter((name) => name.endsWith(".test-d.ts"));
// A block that must not compile shows that the others are really checked.
const code = 'import { AgentEngine } from "loopwright";\n\nnew AgentEngine({ provider: 1 });';
const wrong: Program = { page: "docs/wrong.md", line: 10, language: "ts", code, prints: null };
const errors = typeErrors(
  [...programs, wrong],
  tests.map((name) => join(TYPES, name)),
);

const known = errors.filter((error) => error.startsWith("docs/wrong.md:12: Type 'number' is not assignable"));
const found = errors.filter((error) => !known.includes(error));
for (const error of found) console.error(error);
if (known.length !== 1) console.error("The block that must not compile did.");
if (programs.length === 0 || tests.length === 0)
  console.error("No program of the docs, or no test of types, was found.");
const isFine = found.length === 0 && known.length === 1 && programs.length > 0 && tests.length > 0;
if (isFine) console.log(`${programs.length} programs of the docs and ${tests.length} tests of types compile`);
process.exitCode = isFine ? 0 : 1;
