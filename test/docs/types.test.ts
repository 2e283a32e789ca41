import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { allPages, type Program, programsOf, ROOT } from "./pages.js";

/** What is wrong in the types of programs, which are files of the repository in memory alone. */
function typeErrors(programs: readonly Program[]): string[] {
  const read = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...read.config, include: [], files: [] }, ts.sys, ROOT);
  const byFile = new Map(programs.map((program) => [`${ROOT}${program.page}.${program.line}.ts`, program]));
  const host = ts.createCompilerHost({ ...options, noUnusedLocals: true }, true);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => byFile.has(file) || fileExists(file);
  host.readFile = (file) => byFile.get(file)?.code ?? readFile(file);
  const compiled = ts.createProgram(
    [...byFile.keys()],
    { ...options, noUnusedLocals: true, moduleDetection: ts.ModuleDetectionKind.Force },
    host,
  );
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

  expect(programs.length).toBeGreaterThan(15);
  expect(typeErrors(programs)).toEqual([]);
});

test("a block with a wrong type is found, with the page and the line", () => {
  const code = 'import { AgentEngine } from "loopwright";\n\nnew AgentEngine({ provider: 1 });';

  const errors = typeErrors([{ page: "docs/none.md", line: 10, language: "ts", code, prints: null }]);

  expect(errors).toEqual([expect.stringMatching(/^docs\/none\.md:12: Type 'number' is not assignable/)]);
});
