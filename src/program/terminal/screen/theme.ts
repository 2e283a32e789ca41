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

/** The colours that a user may give another tone; `dim` is none of the sixteen by default. */
export const THEME_COLORS = ["dim", "red", "green", "yellow", "cyan", "magenta"] as const;

/** Each a name such as `bright-blue`, or `#rrggbb`. */
export type ThemeColors = { readonly [color in (typeof THEME_COLORS)[number]]?: string };

const TONES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** Takes the place of the lines that begin and end a block of code; not shown. */
export const FENCE = "\0";

/** Colours, unless `NO_COLOR` is set: the sixteen, or those that the user has in their place. */
export function createTheme(env: Readonly<Record<string, string | undefined>>, own: ThemeColors = {}): Theme {
  const hasColors = !env.NO_COLOR;
  const style = (on: number | string, off: number): Paint => {
    return hasColors ? (text) => (text === "" ? "" : `\x1b[${on}m${text}\x1b[${off}m`) : plain;
  };
  const bold = style(1, 22);
  const color = (name: keyof ThemeColors, on: number) => style(own[name] ? codeOf(own[name]) : on, 39);
  const dim = own.dim ? color("dim", 2) : style(2, 22);
  const red = color("red", 31);
  const green = color("green", 32);
  const yellow = color("yellow", 33);
  const cyan = color("cyan", 36);
  const magenta = color("magenta", 35);
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

/** The parameters of the sequence that begins a colour. */
function codeOf(color: string): number | string {
  if (color.startsWith("#"))
    return `38;2;${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(";")}`;
  const [, bright, tone = ""] = /^(bright-)?(.+)$/i.exec(color) ?? [];
  return (bright ? 90 : 30) + TONES.indexOf(tone.toLowerCase());
}

function plain(text: string): string {
  return text;
}
