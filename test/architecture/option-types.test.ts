import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));
/** The shape of a vendor's client, which is theirs to say. */
const FOREIGN = /(^|\/)(wire|client)\.ts$/;

/** Optional members of a type that cannot be given as `undefined`. */
function closedMembers(members: ts.NodeArray<ts.TypeElement>): string[] {
  return members.flatMap((member) => {
    const name = member.name?.getText() ?? "";
    if (ts.isMethodSignature(member)) return member.questionToken ? [name] : [];
    if (!ts.isPropertySignature(member) || !member.type) return [];
    const { type } = member;
    if (ts.isTypeLiteralNode(type)) return closedMembers(type.members).map((inner) => `${name}.${inner}`);
    const isOpen =
      type.kind === ts.SyntaxKind.UnknownKeyword ||
      (ts.isUnionTypeNode(type) && type.types.some(({ kind }) => kind === ts.SyntaxKind.UndefinedKeyword));
    return member.questionToken && !isOpen ? [name] : [];
  });
}

test("every optional property of a type of options also takes undefined", () => {
  const closed = readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(sep).join("/"))
    .filter((file) => file.endsWith(".ts") && !FOREIGN.test(file) && !file.startsWith("permissions/shell/programs/"))
    .flatMap((file) => {
      const text = readFileSync(join(SRC, file), "utf8");
      // To parse all of them would take seconds.
      if (!/interface \w*(Options|SandboxPolicy|Samples|Limits)\b/.test(text)) return [];
      const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
      return parsed.statements
        .filter(ts.isInterfaceDeclaration)
        .filter(({ name, modifiers }) => modifiers && /(Options|SandboxPolicy|Samples|Limits)$/.test(name.text))
        .flatMap(({ name, members }) => closedMembers(members).map((member) => `${file}: ${name.text}.${member}`));
    });

  expect(closed).toEqual([]);
});
