import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const SRC = fileURLToPath(new URL("../../src", import.meta.url));
const UNITS: Readonly<Record<string, number>> = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 };

interface Documented {
  readonly option: string;
  readonly default: unknown;
}

/** The default in a docstring, where it is a number, a string, or true or false. */
function defaultIn(docs: string): unknown {
  const [, digits, unit = ""] = /Default: ([\d_,.]*\d)(?: (\w+))?/.exec(docs) ?? [];
  if (digits !== undefined) return Number(digits.replaceAll(/[_,]/g, "")) * (UNITS[unit] ?? 1);
  const [, word = ""] = /Default: `?"?([^\s`"]+?)"?`?[.;,]?(?:\s|$)/.exec(docs) ?? [];
  return /^(true|false)$/.test(word) ? word === "true" : word;
}

/** The value of a literal or of a product of numbers. */
function literalIn(text: string): unknown {
  if (/^[\d_. *]+$/.test(text)) {
    return text.split("*").reduce((product, factor) => product * Number(factor.replaceAll("_", "").trim()), 1);
  }
  if (/^(true|false)$/.test(text)) return text === "true";
  return /^".*"$/.test(text) ? text.slice(1, -1) : undefined;
}

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
const parsed = files
  .map((file) => [file, readFileSync(join(SRC, file), "utf8")] as const)
  // To parse all of them would take seconds.
  .filter(([, text]) => /OptionTable<|interface \w*(Options|Limits|Policy|Schedule)\b/.test(text))
  .map(([file, text]) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));

function docsOfOptions(): ReadonlyMap<string, string> {
  const members = parsed.flatMap((file) =>
    file.statements.filter(ts.isInterfaceDeclaration).flatMap(({ name, members }) =>
      members.map((member) => {
        const docs = ts.getJSDocCommentsAndTags(member).map((doc) => doc.getText().replaceAll(/\s*\n\s*\*\s*/g, " "));
        return [`${name.text}.${member.name?.getText()}`, docs.join(" ").replace(/\s*\*\/$/, "")] as const;
      }),
    ),
  );
  return new Map(members);
}

/** `option: byDefault(value, …)` of every table. */
function defaultsInTables(): Documented[] {
  const found: Documented[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isSatisfiesExpression(node) && ts.isObjectLiteralExpression(node.expression)) {
      const owner = /^OptionTable<(\w+)>$/.exec(node.type.getText())?.[1];
      for (const property of node.expression.properties) {
        if (!owner || !ts.isPropertyAssignment(property) || !ts.isCallExpression(property.initializer)) continue;
        const { expression, arguments: given } = property.initializer;
        const value = expression.getText() === "byDefault" ? literalIn(given[0]!.getText()) : undefined;
        if (value !== undefined) found.push({ option: `${owner}.${property.name.getText()}`, default: value });
      }
    }
    ts.forEachChild(node, visit);
  };
  parsed.forEach(visit);
  return found;
}

test("the default in an option's docstring is the one in its table", () => {
  const docs = docsOfOptions();
  const inTables = defaultsInTables();

  const inDocs = inTables.map(({ option }) => ({ option, default: defaultIn(docs.get(option) ?? "") }));

  expect(inTables.length).toBeGreaterThan(60);
  expect(inDocs).toEqual(inTables);
});
