// Reads makefiles whole: what they run is known when no line of them is computed.

const RECIPE = /^\t[@+\-\s]*(.*)$/;
const RULE = /^[\w.\-/% ]+::?(?!=)[\w.\-/%*| ]*(?:;[@+\-\s]*(.*))?$/;
/** A variable that make itself does not look at. */
const VARIABLE = /^(?!SHELL|MAKE|GNUMAKE)[A-Za-z_]\w*\s*(?::{0,3}|\?|\+)=[^$]*$/;
const NOTHING = /^\s*(?:#.*)?$/;

/** The shell code in a makefile, each recipe in a shell of its own; `null` when it is not known before it runs. */
export function recipesIn(text: string): string | null {
  const recipes: string[] = [];
  for (const line of text.replace(/\\\n\s*/g, " ").split("\n")) {
    const code = (RECIPE.exec(line) ?? RULE.exec(line))?.[1];
    if (code === undefined && !RULE.test(line) && !VARIABLE.test(line) && !NOTHING.test(line)) return null;
    if (code?.replaceAll("$$", "").includes("$")) return null;
    if (code) recipes.push(`(${code.replaceAll("$$", "$")}\n)`);
  }
  return recipes.join("\n");
}
