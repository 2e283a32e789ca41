/**
 * Functions written twice: top-level functions of several files whose bodies differ in types, layout and the names of
 * locals alone. Names are unique by a test, which does not see the same body under another name.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { SRC, sourceFiles } from "./imports.js";

/** Shorter ones, such as `() => 0`, are no loss to write twice. Unit: nodes of the syntax tree. */
const SHORTEST = 10;

interface TopFunction {
  readonly name: string;
  readonly node: ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression;
}

function functionsOf(source: ts.SourceFile): TopFunction[] {
  return source.statements.flatMap((statement): TopFunction[] => {
    if (ts.isFunctionDeclaration(statement) && statement.body)
      return [{ name: statement.name?.text ?? "default", node: statement }];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
      const isFunction = initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
      return isFunction ? [{ name: name.getText(), node: initializer }] : [];
    });
  });
}

/** What each name at the top of a file means: the same words about another table are another function. */
function declaredIn(source: ts.SourceFile): Map<string, string> {
  const declared = new Map<string, string>();
  for (const statement of source.statements) {
    const named = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    for (const { name } of named as readonly { name?: ts.Node }[])
      if (name && ts.isIdentifier(name)) declared.set(name.text, statement.getText().replace(/^export /, ""));
  }
  return declared;
}

/** The function's own names by their order, so that what they are called makes no difference. */
function localsOf({ name, node }: TopFunction): Map<string, string> {
  const locals = new Map([[name, "itself"]]);
  const visit = (child: ts.Node): void => {
    const isBinding = ts.isParameter(child) || ts.isVariableDeclaration(child) || ts.isBindingElement(child);
    if (isBinding && ts.isIdentifier(child.name) && !locals.has(child.name.text))
      locals.set(child.name.text, `$${locals.size}`);
    ts.forEachChild(child, visit);
  };
  visit(node);
  return locals;
}

/** Parameters and body without types, comments and layout; `=> x` is `{ return x; }`. */
function shapeOf(one: TopFunction, declared: ReadonlyMap<string, string>): { shape: string; size: number } {
  const locals = localsOf(one);
  let size = 0;
  const print = (child: ts.Node): string => {
    if (ts.isTypeNode(child) || ts.isTypeParameterDeclaration(child)) return "";
    if (
      ts.isAsExpression(child) ||
      ts.isNonNullExpression(child) ||
      ts.isSatisfiesExpression(child) ||
      ts.isParenthesizedExpression(child)
    )
      return print(child.expression);
    size++;
    if (ts.isIdentifier(child)) {
      const meaning = locals.get(child.text) ?? declared.get(child.text) ?? child.text;
      if (isKey(child)) return child.text;
      return isKeyAndName(child) ? `${child.text}:${meaning}` : meaning;
    }
    const parts: string[] = [];
    ts.forEachChild(child, (part) => void parts.push(print(part)));
    const { operator = "", text = "" } = child as { operator?: unknown; text?: unknown };
    return `${child.kind}${operator}${JSON.stringify(text)}(${parts.filter(Boolean).join(" ")})`;
  };
  const { parameters, body, modifiers, asteriskToken } = one.node;
  const isAsync = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
  const taken = parameters.map(({ name, initializer, dotDotDotToken }) =>
    [dotDotDotToken ? "..." : "", print(name), initializer ? print(initializer) : ""].join(" "),
  );
  const done = ts.isBlock(body!) ? body.statements.map(print) : [`${ts.SyntaxKind.ReturnStatement}""(${print(body!)})`];
  return { shape: [isAsync, asteriskToken !== undefined, ...taken, ...done].join("|"), size };
}

/** The name of a member: in `x.name`, `{ name: x }` and `const { name: x }`. */
function isKey(node: ts.Identifier): boolean {
  const { parent } = node;
  const isNamed = ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent);
  return (isNamed && parent.name === node) || (ts.isBindingElement(parent) && parent.propertyName === node);
}

/** A member and a local of the same name: in `{ name }` and `const { name }`. */
function isKeyAndName({ parent }: ts.Identifier): boolean {
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  return ts.isBindingElement(parent) && !parent.propertyName && ts.isObjectBindingPattern(parent.parent);
}

/** One line for each function that another file has already: `mcp/b.ts#isFields, also json/a.ts#isRecord`. */
export function writtenAgain(): string[] {
  const first = new Map<string, { readonly file: string; readonly place: string }>();
  const again: string[] = [];
  for (const file of sourceFiles()) {
    const text = readFileSync(join(SRC, file), "utf8");
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const declared = declaredIn(source);
    for (const one of functionsOf(source)) {
      const { shape, size } = shapeOf(one, declared);
      if (size < SHORTEST) continue;
      const [known, place] = [first.get(shape), `${file}#${one.name}`];
      if (!known) first.set(shape, { file, place });
      else if (known.file !== file) again.push(`${place}, also ${known.place}`);
    }
  }
  return again;
}
