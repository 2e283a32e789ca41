// Colours of program code. The highlighter is loaded when the first code is shown; until then code is plain.
import type { HLJSApi } from "highlight.js";

type Paint = (text: string) => string;

/** The paints of the sixteen colours that tokens get. */
export interface CodePaints {
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
  readonly magenta: Paint;
}

/** Longer code is not worth the time it takes, and a longer line takes minutes. Unit: characters. */
const MAX_CHARS = 50_000;
const ENDLESS_LINE = /.{500}/;

const PAINTS: readonly (readonly [paint: keyof CodePaints, classes: readonly string[]])[] = [
  ["magenta", ["keyword", "selector-tag", "section", "tag"]],
  ["green", ["string", "regexp", "addition", "code"]],
  ["yellow", ["number", "literal", "symbol", "variable", "template-variable"]],
  ["cyan", ["title", "built_in", "type", "name", "attr", "attribute", "bullet"]],
  ["dim", ["comment", "quote", "meta"]],
  ["red", ["deletion"]],
];
const PAINT_OF: ReadonlyMap<string, keyof CodePaints> = new Map(
  PAINTS.flatMap(([paint, classes]) => classes.map((name) => [`hljs-${name}`, paint] as const)),
);
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

let highlighter: HLJSApi | undefined;
let loading: Promise<void> | undefined;

/** Loads the highlighter, once. Resolves when code has colours; it stays plain where the files are gone, as during an update. */
export function loadCodeColors(): Promise<void> {
  loading ??= import("./code-languages.js").then(
    ({ highlight }) => {
      highlighter = highlight;
    },
    () => {},
  );
  return loading;
}

/** The lines of some code in the colours of its language; as they are where the language is not known or not loaded. */
export function colorCode(code: string, language: string | undefined, paints: CodePaints): string[] {
  const name = language?.toLowerCase();
  const isLong = code.length > MAX_CHARS || ENDLESS_LINE.test(code);
  if (!highlighter || !name || isLong || !highlighter.getLanguage(name)) return code.split("\n");
  const { value } = highlighter.highlight(code, { language: name, ignoreIllegals: true });
  return painted(value, paints).split("\n");
}

/** The highlighter's HTML with the colours of a terminal; a line begins and ends without one. */
function painted(html: string, paints: CodePaints): string {
  const open: (keyof CodePaints | undefined)[] = [];
  let text = "";
  for (const [token, classes, entity] of html.matchAll(/<span class="([^"]*)">|<\/span>|&([^;]+);|[^<&]+/g)) {
    if (classes !== undefined) open.push(paintOf(classes) ?? open.at(-1));
    else if (token === "</span>") open.pop();
    else text += paintLines(entity === undefined ? token : (ENTITIES[entity] ?? token), open.at(-1), paints);
  }
  return text;
}

function paintOf(classes: string): keyof CodePaints | undefined {
  return classes
    .split(" ")
    .map((name) => PAINT_OF.get(name))
    .find((paint) => paint !== undefined);
}

function paintLines(text: string, paint: keyof CodePaints | undefined, paints: CodePaints): string {
  return paint === undefined ? text : text.split("\n").map(paints[paint]).join("\n");
}
