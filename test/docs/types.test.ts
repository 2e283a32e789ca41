import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { allPages, type Program, programsOf, ROOT } from "./pages.js";

/** What is wrong in the types of programs, which are files of the repository in memory alone. */
function typeErrors(programs: readonly Program[]): string[] {
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
  const compiled = ts.createProgram([...byFile.keys()], options, host);
  return [...byFile].flatMap(([file, { page, line }]) => {
    const source = compiled.getSourceFile(file);
    const found = [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)];
    return found.map(({ start = 0, messageText }) => {
      const at = line + (source?.getLineAndCharacterOfPosition(start).line ?? 0);
      return `${page}:${at}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
  });
}

test("every ts block of the docs compiles as it stands, under the strict options of the repository", () => {
  const programs = allPages().flatMap(programsOf);
  // A block that must not compile shows that the others are really checked.
  const code = 'import { AgentEngine } from "loopwright";\n\nnew AgentEngine({ provider: 1 });';
  const wrong: Program = { page: "docs/wrong.md", line: 10, language: "ts", code, prints: null };

  const errors = typeErrors([...programs, wrong]);

  expect(programs.length).toBeGreaterThan(15);
  expect(errors).toEqual([expect.stringMatching(/^docs\/wrong\.md:12: Type 'number' is not assignable/)]);
}, 90_000);
