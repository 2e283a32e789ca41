import { join } from "node:path";
import { HOOK_POINTS } from "loopwright";
import ts from "typescript";
import { expect, test } from "vitest";
import { namesInTable, ROOT, readPage } from "./pages.js";

const contracts = ["errors", "event", "hook"].map((name) => join(ROOT, "src/contracts", `${name}.ts`));
const compiled = ts.createProgram(contracts, { strict: true, noEmit: true, module: ts.ModuleKind.NodeNext });
const checker = compiled.getTypeChecker();

/** The type of that name, as the compiler sees it. */
function typeNamed(name: string): ts.Type {
  for (const file of contracts) {
    const source = compiled.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    const found = symbol && checker.getExportsOfModule(symbol).find((each) => each.name === name);
    if (found) return checker.getDeclaredTypeOfSymbol(found);
  }
  throw new Error(`No contract exports "${name}".`);
}

function literalsOf(name: string): string[] {
  const type = typeNamed(name);
  return (type.isUnion() ? type.types : [type]).map((each) => (each as ts.StringLiteralType).value);
}

const membersOf = (name: string) => typeNamed(name).getProperties().map((each) => each.name); // biome-ignore format: short

test("errors.md lists every error code once, and nothing else", () => {
  const page = readPage("docs/reference/errors.md");
  const listed = ["Configuration", "Provider", "Tool", "Session", "Run"].flatMap((area) => namesInTable(page, area));

  expect([...listed].sort()).toEqual(literalsOf("ErrorCode").sort());
});

test("each section of errors.md has the codes of its class", () => {
  const page = readPage("docs/reference/errors.md");

  for (const area of ["Configuration", "Provider", "Tool", "Session", "Run"]) {
    expect(namesInTable(page, area).sort()).toEqual(literalsOf(`${area}ErrorCode`).sort());
  }
});

test("events.md lists every event once, and nothing else", () => {
  const page = readPage("docs/reference/events.md");

  expect(namesInTable(page, "Events").sort()).toEqual(membersOf("EventPayloads").sort());
});

test("events.md lists every notice code that is not an error code", () => {
  const page = readPage("docs/reference/events.md");
  const errors = new Set(literalsOf("ErrorCode"));
  const own = literalsOf("NoticeCode").filter((code) => !errors.has(code));

  expect(namesInTable(page, "Notices").sort()).toEqual(own.sort());
});

test("hook-points.md lists every hook point once, in the order of HOOK_POINTS", () => {
  const page = readPage("docs/reference/hook-points.md");

  expect(namesInTable(page, "Points")).toEqual([...HOOK_POINTS]);
});

test("hook-points.md lists every field a hook may answer", () => {
  const page = readPage("docs/reference/hook-points.md");

  expect(namesInTable(page, "Results").sort()).toEqual(membersOf("HookResult").sort());
});
