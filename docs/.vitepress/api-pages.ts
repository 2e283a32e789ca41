// What a page of the reference looks like: the index of an import path, and the head of the page of a name.
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type DeclarationReflection, type ReferenceReflection, type Reflection, ReflectionKind } from "typedoc";
import { DOCS } from "./pages.js";

/** What TypeDoc calls the module of src/index.ts. */
const ROOT_MODULE = "index";

const TYPES: ReflectionKind = ReflectionKind.Interface | ReflectionKind.TypeAlias;

/** What an index lists, in this order: what one name is called, the heading, and which kinds these are. */
const GROUPS: readonly (readonly [name: string, heading: string, kinds: ReflectionKind])[] = [
  ["Function", "Functions", ReflectionKind.Function],
  ["Class", "Classes", ReflectionKind.Class],
  ["Value", "Values", ReflectionKind.Variable],
  ["Type", "Types", TYPES],
];

/** Where a page is, relative to docs/api. */
export type UrlOf = (reflection: Reflection) => string;

export function importPathOf(module: Reflection): string {
  return module.name === ROOT_MODULE ? "loopwright" : `loopwright/${module.name}`;
}

/** Where the pages of an import path are, relative to docs/api. */
export function directoryOf(module: Reflection): string {
  return module.name === ROOT_MODULE ? "" : `${module.name}/`;
}

/** The index of an import path: what it has, and its names, each with its first sentence. */
export function indexPage(module: DeclarationReflection, urlOf: UrlOf): string {
  const rows = (module.children ?? []).map((child) => {
    const target = targetOf(child);
    const link = posix.relative(posix.dirname(urlOf(module)), urlOf(target));
    return { kind: kindOf(target), row: `- [\`${titleOf(target)}\`](${link}): ${escaped(firstSentence(target))}` };
  });
  const groups = GROUPS.map(([name, heading]) => ({
    heading,
    rows: rows.filter(({ kind }) => kind === name).map(({ row }) => row),
  })).filter((group) => group.rows.length > 0);
  return [
    `# ${importPathOf(module)}\n\n${descriptions().get(importPathOf(module)) ?? ""}`,
    ...(module.name === ROOT_MODULE ? [importPaths(module)] : []),
    ...groups.map((group) => `## ${group.heading}\n\n${group.rows.join("\n")}`),
  ].join("\n\n");
}

/** The page of a name: how it is imported, then what TypeDoc has written. */
export function namePage(name: DeclarationReflection, urlOf: UrlOf, contents: string): string {
  const module = name.parent!;
  const description = plain(firstSentence(name));
  const members = [...new Set(membersOf(name))].join(" ");
  const index = posix.relative(posix.dirname(urlOf(name)), urlOf(module));
  return `---
description: ${JSON.stringify(description)}
members: ${JSON.stringify(members)}
---

# ${titleOf(name)}

${kindOf(name)} of [\`${importPathOf(module)}\`](${index})

\`\`\`ts
import ${name.kindOf(TYPES) ? "type " : ""}{ ${name.name} } from "${importPathOf(module)}";
\`\`\`

${contents.trimStart()}`;
}

/** The other import paths, on the index of the root. */
function importPaths(root: DeclarationReflection): string {
  const paths = (root.parent as DeclarationReflection).children!.filter((module) => module !== root);
  const rows = paths.map((module) => {
    const path = importPathOf(module);
    return `- [\`${path}\`](${directoryOf(module)}index.md): ${descriptions().get(path) ?? ""}`;
  });
  return `## Import paths\n\n${rows.join("\n")}`;
}

/** What the README says of each import path. */
function descriptions(): ReadonlyMap<string, string> {
  const readme = readFileSync(join(DOCS, "../README.md"), "utf8");
  const box = readme.slice(readme.indexOf("## What is in the box"), readme.indexOf("## Where it runs"));
  const rows = [...box.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)];
  return new Map(rows.map(([, path, text]) => [path!, `${text!.charAt(0).toUpperCase()}${text!.slice(1)}.`]));
}

function targetOf(reflection: DeclarationReflection): DeclarationReflection {
  const isReference = reflection.kind === ReflectionKind.Reference;
  return isReference
    ? ((reflection as ReferenceReflection).getTargetReflectionDeep() as DeclarationReflection)
    : reflection;
}

function kindOf(reflection: DeclarationReflection): string {
  const group = GROUPS.find(([, , kinds]) => reflection.kindOf(kinds));
  if (!group) throw new Error(`The index of an import path has no heading for "${reflection.name}".`);
  return group[0];
}

function titleOf(reflection: DeclarationReflection): string {
  return reflection.kind === ReflectionKind.Function ? `${reflection.name}()` : reflection.name;
}

/** The members of a class or type that are its own, for the search. */
function membersOf(reflection: DeclarationReflection): string[] {
  if (reflection.kind === ReflectionKind.Function) return [];
  const names: string[] = [];
  reflection.traverse((child) => {
    const own = child as DeclarationReflection;
    if (own.inheritedFrom) return true;
    if (own.kindOf(ReflectionKind.Property | ReflectionKind.Method | ReflectionKind.Accessor)) names.push(own.name);
    if (own.kindOf(ReflectionKind.TypeLiteral)) names.push(...membersOf(own));
    return true;
  });
  return names;
}

const SENTENCES = new Intl.Segmenter("en", { granularity: "sentence" });

/** The first sentence of a docstring, as Markdown on one line. */
function firstSentence(reflection: DeclarationReflection): string {
  const summary = (reflection.comment ?? reflection.signatures?.[0]?.comment)?.summary ?? [];
  const text = summary.map((part) => (part.kind === "inline-tag" ? `\`${part.text}\`` : part.text)).join("");
  const [paragraph = ""] = text.trim().split(/\n\s*\n|\n(?=- )/);
  const line = paragraph.replace(/\s+/g, " ");
  // Code counts as one word: a full stop in it ends nothing.
  const masked = line.replace(/`[^`]*`/g, (code) => "X".repeat(code.length));
  const [first] = SENTENCES.segment(masked);
  return line.slice(0, first?.segment.length).trimEnd();
}

function escaped(markdown: string): string {
  return markdown.replace(/`[^`]*`|[<>]/g, (found) => (found.length > 1 ? found : `\\${found}`));
}

function plain(markdown: string): string {
  return markdown.replaceAll("`", "");
}
