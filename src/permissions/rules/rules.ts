import { homedir } from "node:os";
import { ConfigurationError } from "../../contracts/errors.js";
import type { RuleRef, RuleSource } from "../../contracts/permission.js";
import { FLAG, listOf, type OptionTable, oneOf, required, TEXT } from "../../json/check-options.js";
import { malformed, type ParsedRule, parseRule } from "../../rules/parse-rule.js";
import { coveredTools, findKnownTool } from "../../rules/tool-names.js";
import { type CommandPattern, compileCommandPattern, matchesWildcard } from "./command-pattern.js";
import { compileHostPattern, compileTextPattern, type InputPattern } from "./input-pattern.js";
import { compilePathPattern, type PathPattern, type RuleDirectories } from "./path-pattern.js";

/** Rules by what they do. */
export interface PermissionRules {
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** Rules and where they came from. */
export interface SourcedRules extends PermissionRules {
  readonly source: RuleSource;
  /** Never ask the classifier, whatever other sources say. */
  readonly disableClassifier?: boolean | undefined;
  /** Treat the mode `bypassPermissions` as `default`, whatever asks for it. */
  readonly disableBypassPermissions?: boolean | undefined;
  /** Deny what reads outside the workspace, whatever other rules and modes say. */
  readonly blockReadsOutside?: boolean | undefined;
  /** Deny what writes outside the workspace, whatever other rules and modes say. */
  readonly blockWritesOutside?: boolean | undefined;
}

/** Strongest first: of several rules that decide the same, the first is reported. */
const SOURCES = [
  "policy",
  "flag",
  "cliArg",
  "command",
  "session",
  "local",
  "project",
  "user",
] as const satisfies readonly RuleSource[];

export const RULES_TABLE = {
  allow: listOf(TEXT, "rules"),
  ask: listOf(TEXT, "rules"),
  deny: listOf(TEXT, "rules"),
} satisfies OptionTable<PermissionRules>;

export const SOURCED_RULES_TABLE = {
  ...RULES_TABLE,
  source: required(oneOf(...SOURCES)),
  disableClassifier: FLAG,
  disableBypassPermissions: FLAG,
  blockReadsOutside: FLAG,
  blockWritesOutside: FLAG,
} satisfies OptionTable<SourcedRules>;

/** The subject of a rule: every call of its tool, or those whose input its pattern matches. */
export type RulePattern =
  | { readonly subject: "everything" }
  | ({ readonly subject: "command" } & { readonly pattern: CommandPattern })
  | ({ readonly subject: "path" } & { readonly pattern: PathPattern })
  | ({ readonly subject: "url" | "name" | "values" } & { readonly pattern: InputPattern });

/** A rule ready to be compared with calls. */
export interface CompiledRule {
  readonly ref: RuleRef;
  readonly parsed: ParsedRule;
  readonly about: RulePattern;
  /** Whether it speaks about a tool, by canonical name. */
  speaksOf(canonical: string): boolean;
}

export const BEHAVIORS = ["deny", "ask", "allow"] as const;

/** @throws ConfigurationError naming the first rule that is malformed and its source */
export function compileRules(sets: readonly SourcedRules[], directories: RuleDirectories): CompiledRule[] {
  const compiled = sets.flatMap((set) => {
    return BEHAVIORS.flatMap((behavior) =>
      (set[behavior] ?? []).map((rule) => {
        try {
          return compileRule({ rule, behavior, source: set.source }, directories);
        } catch (error) {
          throw inSource(error, set.source, behavior);
        }
      }),
    );
  });
  return bySource(compiled);
}

/** The strongest source first. */
export function bySource(rules: readonly CompiledRule[]): CompiledRule[] {
  return [...rules].sort((a, b) => SOURCES.indexOf(a.ref.source) - SOURCES.indexOf(b.ref.source));
}

/** @throws ConfigurationError `OPTION_INVALID` for a malformed rule */
export function compileRule(ref: RuleRef, directories: RuleDirectories): CompiledRule {
  const parsed = parseRule(ref.rule);
  const { tool, canonical, content } = parsed;
  const isGlob = tool.includes("*");
  if (isGlob && ref.behavior === "allow" && !/^mcp__[^*]+__/.test(tool)) {
    const advice = 'only "mcp__server__*" may allow by wildcard; name the tools, or use a mode';
    throw malformed(ref.rule, advice);
  }
  if (isGlob && content !== null)
    throw malformed(ref.rule, "a wildcard for the tool cannot be combined with a pattern");
  const covered = coveredTools(canonical);
  return {
    ref: Object.freeze({ ...ref }),
    parsed,
    about: patternOf(ref, parsed, directories),
    speaksOf: (name) => covered.includes(name) || (isGlob ? matchesWildcard(tool, name) : isServerOf(canonical, name)),
  };
}

/** The directories rules start from, where a workspace does not say. */
export function defaultDirectories(root: string | undefined, home = homedir()): RuleDirectories {
  return { root: root ?? process.cwd(), home };
}

function patternOf({ rule }: RuleRef, { canonical, content }: ParsedRule, directories: RuleDirectories): RulePattern {
  if (content === null) return { subject: "everything" };
  const subject = findKnownTool(canonical)?.subject ?? "values";
  switch (subject) {
    case "command":
      return { subject, pattern: compileCommandPattern(rule, content) };
    case "path":
      return { subject, pattern: compilePathPattern(rule, content, directories) };
    case "url":
      return { subject, pattern: compileHostPattern(rule, content) };
    case "name":
    case "values":
      return { subject, pattern: compileTextPattern(content) };
  }
}

/** `mcp__server` means all tools of that server. */
function isServerOf(rule: string, tool: string): boolean {
  return /^mcp__/.test(rule) && !/^mcp__.+?__/.test(rule) && tool.startsWith(`${rule}__`);
}

function inSource(error: unknown, source: RuleSource, behavior: string): unknown {
  if (!(error instanceof ConfigurationError)) return error;
  return new ConfigurationError("OPTION_INVALID", {
    message: `${error.message} It is in the list "${behavior}" of the source "${source}".`,
    details: error.details,
    cause: error,
  });
}
