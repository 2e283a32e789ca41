import { isHarnessError } from "../contracts/errors.js";
import type { RuleRef } from "../contracts/permission.js";
import { checkOptions, eitherOf, listOf, type OptionTable, PATH, TEXT, tableOf } from "../json/check-options.js";
import { findKnownTool } from "../rules/tool-names.js";
import { misleading } from "./rules/misleading.js";
import { analyzedPrefix, covers } from "./rules/rule-overlap.js";
import {
  BEHAVIORS,
  type CompiledRule,
  compileRule,
  defaultDirectories,
  type PermissionRules,
  RULES_TABLE,
  SOURCED_RULES_TABLE,
  type SourcedRules,
} from "./rules/rules.js";
import { analyzeCommand } from "./shell/analyze-command.js";

/**
 * - `malformed`: cannot be understood; a checker refuses it.
 * - `unknown-tool`: names no tool of this library, of Claude Code, of an MCP server, or of `tools`.
 * - `duplicate`: the same rule stands in the same list, of this or another source.
 * - `shadowed`: a broader rule of the same behaviour says it already.
 * - `contradicted`: an allow that a deny or ask rule always beats, or an ask that a deny does.
 * - `unreachable`: an allow that can never be enough by itself.
 * - `over-broad`: an allow that lets nearly anything run.
 * - `misleading`: it cannot match what it looks like; the message says what to write instead.
 */
export type LintCode =
  | "malformed"
  | "unknown-tool"
  | "duplicate"
  | "shadowed"
  | "contradicted"
  | "unreachable"
  | "over-broad"
  | "misleading";

/** Something about a rule that its author probably did not mean. */
export interface LintFinding extends RuleRef {
  readonly code: LintCode;
  /** The rule that makes this one useless. */
  readonly by?: RuleRef;
  readonly message: string;
}

/** Options of `lintRules()`. */
export interface LintOptions {
  /** Names of the host's own tools. */
  readonly tools?: readonly string[] | undefined;
  /** The workspace's root, for path rules. Default: the process's directory. */
  readonly root?: string | undefined;
}

/** Programs that run whatever they are given: a rule for one is a rule for all. */
const RUNS_ANYTHING = new Set(
  `bash sh zsh dash ksh fish eval source exec env xargs sudo doas su ssh python python3 node deno bun perl ruby php lua
    npx bunx pnpx uvx awk gawk find make docker podman kubectl osascript powershell pwsh cmd`.split(/\s+/),
);

const OPTIONS = {
  tools: listOf(TEXT, "names of tools"),
  root: PATH,
} satisfies OptionTable<LintOptions>;

/** The part of `loadSettings()`'s result that is about rules. */
export interface RuleSources {
  readonly sources: readonly SourcedRules[];
}

const SOURCES = listOf(tableOf(SOURCED_RULES_TABLE), "rules with their source");

/**
 * Finds rules that do not do what they look like. An empty list is a clean policy. Takes what `loadSettings()` returns,
 * too.
 *
 * Whether a path is one of this machine is looked up on its disk.
 */
export function lintRules(
  rules: PermissionRules | readonly SourcedRules[] | RuleSources,
  options: LintOptions = {},
): LintFinding[] {
  checkOptions("lintRules()", options, OPTIONS);
  const given = "sources" in Object(rules) ? (rules as RuleSources).sources : rules;
  checkOptions("lintRules()", { rules: given }, { rules: eitherOf(SOURCES, tableOf(RULES_TABLE)) });
  const sets = Array.isArray(given) ? given : [{ ...(given as PermissionRules), source: "flag" as const }];
  const refs = sets.flatMap((set: SourcedRules) =>
    BEHAVIORS.flatMap((behavior) => (set[behavior] ?? []).map((rule) => ({ rule, behavior, source: set.source }))),
  );
  const findings: LintFinding[] = [];
  const directories = defaultDirectories(options.root);
  const compiled = refs.flatMap((ref): CompiledRule[] => {
    try {
      return [compileRule(ref, directories)];
    } catch (error) {
      if (!isHarnessError(error, "OPTION_INVALID")) throw error;
      findings.push({ ...ref, code: "malformed", message: error.message });
      return [];
    }
  });
  const known = new Set(options.tools ?? []);
  for (const [index, rule] of compiled.entries()) {
    const found = findingsOf(rule, index, compiled, known);
    const meant = found.length === 0 ? misleading(rule, directories.root) : null;
    findings.push(...found, ...(meant === null ? [] : [{ ...rule.ref, code: "misleading" as const, message: meant }]));
  }
  return findings;
}

function findingsOf(
  rule: CompiledRule,
  index: number,
  all: readonly CompiledRule[],
  known: ReadonlySet<string>,
): LintFinding[] {
  const { ref } = rule;
  const found: LintFinding[] = [];
  const add = (code: LintCode, message: string, by?: RuleRef) =>
    found.push({ ...ref, code, message, ...(by && { by }) });

  if (!isKnown(rule, known))
    add("unknown-tool", `There is no tool "${rule.parsed.tool}". Correct its name, or list it in "tools".`);
  const same = all.slice(0, index).find((other) => other.ref.behavior === ref.behavior && isSame(other, rule));
  if (same) add("duplicate", `The same rule already comes from the source "${same.ref.source}".`, same.ref);
  else {
    const broader = all.find(
      (other) => other !== rule && other.ref.behavior === ref.behavior && isBroader(other, rule),
    );
    if (broader) add("shadowed", `"${broader.ref.rule}" already covers it.`, broader.ref);
  }
  const stronger = all.find((other) => STRENGTH[other.ref.behavior] > STRENGTH[ref.behavior] && covers(other, rule));
  if (stronger) {
    const what = `The ${stronger.ref.behavior} rule "${stronger.ref.rule}" always wins, so this rule has no effect.`;
    add("contradicted", what, stronger.ref);
  }
  if (ref.behavior !== "allow") return found;
  const dead = unreachable(rule);
  if (dead) add("unreachable", dead);
  const broad = overBroad(rule);
  if (broad) add("over-broad", broad);
  return found;
}

const STRENGTH = { deny: 2, ask: 1, allow: 0 } as const;

function isKnown({ parsed: { tool, canonical } }: CompiledRule, known: ReadonlySet<string>): boolean {
  return tool.includes("*") || canonical.startsWith("mcp__") || findKnownTool(tool) !== undefined || known.has(tool);
}

function isSame({ parsed: a }: CompiledRule, { parsed: b }: CompiledRule): boolean {
  return a.canonical === b.canonical && a.content === b.content;
}

function isBroader(broad: CompiledRule, narrow: CompiledRule): boolean {
  return !isSame(broad, narrow) && covers(broad, narrow);
}

function unreachable({ about, parsed }: CompiledRule): string | null {
  if (about.subject !== "command") return null;
  const { kind } = about.pattern;
  if (kind === "line" && parsed.content!.includes("*")) {
    return 'It holds an operator, and "*" never crosses one. Write a rule for each command.';
  }
  const isOpaque =
    kind === "exact" || kind === "line"
      ? analyzeCommand(parsed.content!).opaque
      : analyzedPrefix(about.pattern)?.doubts.some((doubt) => doubt.kind === "opaque");
  if (isOpaque) {
    return "What it would run is known only at run time, so it still asks.";
  }
  return null;
}

function overBroad({ about, parsed }: CompiledRule): string | null {
  const { canonical, content } = parsed;
  if (about.subject === "everything") {
    if (canonical === "bash") return "It allows every command. Name the programs, or use a mode.";
    if (canonical === "web_fetch") return "It allows every address. Name the hosts: web_fetch(domain:example.com).";
    return null;
  }
  if (about.subject === "path" && about.pattern.place === "/" && canonical !== "read_file")
    return "It allows the whole disk.";
  if (about.subject !== "command") return null;
  const { kind, program, words } = about.pattern;
  if (kind === "exact" || kind === "line") return null;
  if (program === null) return `"${content}" leaves the program open.`;
  const isWhole = words.filter((word) => word !== "*").length === 1;
  const name = program.split("/").at(-1)!;
  return isWhole && RUNS_ANYTHING.has(name)
    ? `"${name}" runs any command it is given, so this allows every command.`
    : null;
}
