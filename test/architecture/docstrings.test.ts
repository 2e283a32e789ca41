import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import { packedPages } from "../../docs/.vitepress/pages.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { exports: object };
const entries = Object.keys(exports)
  .filter((subpath) => !subpath.endsWith(".json"))
  .map((subpath) => join(ROOT, "src", subpath, "index.ts"));

const parsed = new Map<string, ts.SourceFile>();

function parse(file: string): ts.SourceFile {
  const source =
    parsed.get(file) ?? ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  parsed.set(file, source);
  return source;
}

/** What an entry exports, by declaration: our modules export everything by name or by `*`, from a relative path. */
function declarationsIn(file: string, wanted?: string): ts.Node[] {
  return parse(file).statements.flatMap((statement): ts.Node[] => {
    if (ts.isExportDeclaration(statement) && statement.moduleSpecifier) {
      const from = (statement.moduleSpecifier as ts.StringLiteral).text;
      if (!from.startsWith(".")) return [];
      const next = join(dirname(file), from.replace(/\.js$/, ".ts"));
      if (!statement.exportClause) return declarationsIn(next, wanted);
      if (!ts.isNamedExports(statement.exportClause)) return [];
      return statement.exportClause.elements
        .filter(({ name }) => wanted === undefined || name.text === wanted)
        .flatMap(({ name, propertyName }) => declarationsIn(next, (propertyName ?? name).text));
    }
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    const named = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    return named.filter((one) => wanted === undefined || nameOf(one) === wanted);
  });
}

const nameOf = (node: ts.Node): string => (node as { name?: ts.Node }).name?.getText() ?? "";

function hasDocstring(node: ts.Node): boolean {
  const holder = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  return ts.getJSDocCommentsAndTags(holder).some((doc) => ts.isJSDoc(doc));
}

/** What a user types: the options of a factory, and the methods of a class. */
function membersOf(node: ts.Node): readonly ts.Node[] {
  if (ts.isInterfaceDeclaration(node))
    return /(Options|Limits|Policy|Samples|Settings)$/.test(nameOf(node)) ? node.members : [];
  if (!ts.isClassDeclaration(node) || nameOf(node).endsWith("Error")) return [];
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return node.members.filter((member) => {
    const isHidden =
      (member.name && ts.isPrivateIdentifier(member.name)) || ts.getCombinedModifierFlags(member) & hidden;
    return ts.isMethodDeclaration(member) && !isHidden;
  });
}

test("every exported name, every option and every method has a docstring", () => {
  const exported = new Set(entries.flatMap((entry) => declarationsIn(entry)));
  const bare = [...exported].flatMap((node) => {
    const where = `${node.getSourceFile().fileName.slice(ROOT.length)}: ${nameOf(node)}`;
    const members = membersOf(node).filter((member) => nameOf(member) !== "" && !hasDocstring(member));
    return [...(hasDocstring(node) ? [] : [where]), ...members.map((member) => `${where}.${nameOf(member)}`)];
  });

  expect(exported.size).toBeGreaterThan(500);
  expect([...new Set(bare)]).toEqual([]);
});

test("every exported function, class and constant is found in a page of the docs", () => {
  const pages = packedPages().map((page) => readFileSync(join(ROOT, "docs", page), "utf8"));
  const words = new Set(pages.join("\n").match(/[A-Za-z_]\w*/g));
  const values = entries
    .flatMap((entry) => declarationsIn(entry))
    .filter((node) => ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isVariableDeclaration(node));
  const names = new Set(values.map(nameOf));

  expect(names.size).toBeGreaterThan(180);
  expect([...names].filter((name) => !words.has(name))).toEqual([]);
});
