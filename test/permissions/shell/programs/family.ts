import { analyze } from "../kit.js";

/** What one command is said to do: `reads` when it plainly only reads, else its doubts; then its files and hosts. */
export function said(line: string): readonly string[] {
  const { commands, effects } = analyze(line);
  const [command] = commands;
  const nature = command?.readOnly ? ["reads"] : (command?.doubts ?? []).map(({ kind }) => kind);
  const touched = effects.flatMap((effect) => {
    if (effect.kind === "network") return [`host ${effect.host}`];
    if (effect.kind === "exec" || effect.isPossible) return [];
    return [`${effect.kind === "read" ? "read" : effect.how} ${effect.path}${effect.recursive ? "/**" : ""}`];
  });
  return [...nature, ...touched];
}
