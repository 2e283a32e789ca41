import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";
import { colorCode } from "./code-colors.js";

export type Paint = (text: string) => string;

/**
 * Ways to set off text. Only the sixteen colours a terminal has by its own scheme, so that all of it reads on a light and on
 * a dark background.
 */
export interface Theme {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
  readonly magenta: Paint;
  readonly markdown: MarkdownTheme;
  readonly editor: EditorTheme;
}

/** Takes the place of the lines that begin and end a block of code; not shown. */
export const FENCE = "\0";

/** Colours, unless `NO_COLOR` is set. */
export function createTheme(env: Readonly<Record<string, string | undefined>>): Theme {
  const hasColors = !env.NO_COLOR;
  const style = (on: number, off: number): Paint => {
    return hasColors ? (text) => (text === "" ? "" : `\x1b[${on}m${text}\x1b[${off}m`) : plain;
  };
  const bold = style(1, 22);
  const dim = style(2, 22);
  const red = style(31, 39);
  const green = style(32, 39);
  const yellow = style(33, 39);
  const cyan = style(36, 39);
  const magenta = style(35, 39);
  const selectList: SelectListTheme = {
    selectedPrefix: cyan,
    selectedText: cyan,
    description: dim,
    scrollInfo: dim,
    noMatch: dim,
  };
  const markdown: MarkdownTheme = {
    heading: cyan,
    link: cyan,
    linkUrl: dim,
    code: cyan,
    codeBlock: plain,
    codeBlockBorder: () => FENCE,
    ...(hasColors && {
      highlightCode: (code, language) => colorCode(code, language, { dim, red, green, yellow, cyan, magenta }),
    }),
    quote: dim,
    quoteBorder: dim,
    hr: dim,
    listBullet: dim,
    bold,
    italic: style(3, 23),
    strikethrough: style(9, 29),
    underline: style(4, 24),
  };
  return { bold, dim, red, green, yellow, cyan, magenta, markdown, editor: { borderColor: dim, selectList } };
}

function plain(text: string): string {
  return text;
}
