// Deny and ask rules, compared with the bare words of commands whose effects may not all be known.
import { foldCase } from "../../paths/fold.js";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { UnparsedText } from "../shell/unparsed-text.js";
import { rulesEffect } from "./rule-match.js";
import type { CompiledRule } from "./rules.js";
import { mayName } from "./unparsed-files.js";

/** A rule whose file or host stands in a word of the command, wherever in the word. Finds too much rather than too little. */
export function ruleMentioned({ words }: AnalyzedCommand, rules: readonly CompiledRule[]): CompiledRule | undefined {
  const restricting = rules.filter(
    (rule) =>
      rule.ref.behavior !== "allow" &&
      (rule.about.subject === "url" ||
        (rule.about.subject === "path" && (rulesEffect(rule, "read") || rulesEffect(rule, "write")))),
  );
  if (restricting.length === 0) return undefined;
  const text = new UnparsedText(
    foldCase(
      words
        .slice(1)
        .map((word) => word ?? "")
        .join(" "),
    ),
  );
  return restricting.find(({ about }) => {
    if (about.subject === "url") return about.pattern.hosts.some((host) => text.places(host)?.length !== 0);
    return about.subject === "path" && mayName(text, about.pattern);
  });
}
