// The source of a program, in colours.
import { h } from "./dom.js";
import { longBlock, plain } from "./text.js";

const KEYWORDS =
  "async await break case catch class const continue default delete do else extends false finally for function if in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield";

/** Each group is a kind of token. What is none of them has no colour. */
const TOKEN = new RegExp(
  [
    String.raw`(?<comment>\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?)`,
    String.raw`(?<string>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|${"`"}(?:[^${"`"}\\]|\\[^])*${"`"}?)`,
    String.raw`(?<number>(?<![\w$.])\d[\w.]*)`,
    String.raw`(?<keyword>(?<![\w$.])(?:${KEYWORDS.replaceAll(" ", "|")})(?![\w$]))`,
    String.raw`(?<called>(?<=\btools\.)[\w$]+)`,
  ].join("|"),
  "g",
);

/** A block with the source. */
export function javascript(source: string): HTMLElement {
  return longBlock(source, "code", colored);
}

function colored(source: string): Node {
  const fragment = document.createDocumentFragment();
  let from = 0;
  for (const { index, 0: token, groups } of source.matchAll(TOKEN)) {
    const [kind] = Object.entries(groups!).find(([, text]) => text !== undefined)!;
    fragment.append(plain(source.slice(from, index)), h("span", { class: `js-${kind}` }, plain(token)));
    from = index + token.length;
  }
  fragment.append(plain(source.slice(from)));
  return fragment;
}
