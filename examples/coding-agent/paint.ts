/** Ways to set off text. All of them read well on a light and on a dark background. */
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], magenta: [35, 39] } as const;

export type Paint = (style: keyof typeof CODES, text: string) => string;

/** Colours for a terminal that has them; `NO_COLOR` turns them off and `FORCE_COLOR` turns them on. */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  if (!wantsColors(stream)) return (_style, text) => text;
  return (style, text) => {
    const [on, off] = CODES[style];
    return `\x1b[${on}m${text}\x1b[${off}m`;
  };
}

function wantsColors(stream: NodeJS.WriteStream): boolean {
  const { FORCE_COLOR, NO_COLOR } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  if (NO_COLOR) return false;
  return stream.isTTY && stream.hasColors();
}
