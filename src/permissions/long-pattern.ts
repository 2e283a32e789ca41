/** A pattern over several lines: a line break, and the blanks behind it, are no part of it. */
export const longPattern = patternWith("");

/** The same with flags: `i`, `s`. */
export function patternWith(flags: string): (text: TemplateStringsArray) => RegExp {
  return ({ raw }) => new RegExp(raw.join("").replace(/\n\s*/g, ""), flags);
}
