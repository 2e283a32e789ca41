import { ConfigurationError } from "../contracts/errors.js";
import type { PermissionMode, PermissionUpdate } from "../contracts/permission.js";
import { isMode } from "./decision.js";
import type { RuleCompiler } from "./rules/rule-compiler.js";
import type { CompiledRule } from "./rules/rules.js";

const MAX_SESSIONS = 1_000;
const MAX_RULES = 500;

interface SessionGrants {
  rules: readonly CompiledRule[];
  mode: PermissionMode | undefined;
  /** Sources that speak for the user, and the task that they do so in. */
  speaking?: { readonly task: string; readonly sources: ReadonlySet<string> } | undefined;
}

const NOBODY: ReadonlySet<string> = new Set();

/**
 * The rules and modes of remembered answers, by session, in memory. Bounded: the session longest unused is forgotten first, and one
 * session keeps at most 500 rules.
 */
export class Grants {
  readonly #compiler: RuleCompiler;
  readonly #sessions = new Map<string, SessionGrants>();

  constructor(compiler: RuleCompiler) {
    this.#compiler = compiler;
  }

  rules(sessionId: string): readonly CompiledRule[] {
    return this.#sessions.get(sessionId)?.rules ?? [];
  }

  mode(sessionId: string): PermissionMode | undefined {
    return this.#sessions.get(sessionId)?.mode;
  }

  /** The sources that speak for the user in a task. */
  speaking(sessionId: string, task: string | undefined): ReadonlySet<string> {
    const speaking = this.#sessions.get(sessionId)?.speaking;
    return speaking && speaking.task === task ? speaking.sources : NOBODY;
  }

  /** All updates or, when one is malformed, none. @throws ConfigurationError `OPTION_INVALID` */
  remember(sessionId: string, updates: readonly PermissionUpdate[], task = ""): void {
    const kept = this.#sessions.get(sessionId) ?? { rules: [], mode: undefined };
    const next = updates.reduce((grants, update) => this.#apply(grants, update, task), kept);
    if (next.rules.length > MAX_RULES) throw invalid(`a session remembers at most ${MAX_RULES} rules`);
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, next);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MAX_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }

  #apply(grants: SessionGrants, update: PermissionUpdate, task: string): SessionGrants {
    switch (update.type) {
      case "trustSources": {
        if (!areNames(update.sources)) throw invalid(`"${update.type}" needs a list of sources`);
        const before = grants.speaking?.task === task ? grants.speaking.sources : NOBODY;
        const sources = new Set([...before, ...update.sources].slice(0, MAX_RULES));
        return { ...grants, speaking: { task, sources } };
      }
      case "setMode":
        if (!isMode(update.mode)) throw invalid(`"${String(update.mode)}" is not a permission mode`);
        return { ...grants, mode: update.mode };
      case "addRules":
        return { ...grants, rules: unique([...grants.rules, ...this.#compiled(update)]) };
      case "replaceRules": {
        const others = grants.rules.filter(({ ref }) => ref.behavior !== update.behavior);
        return { ...grants, rules: unique([...others, ...this.#compiled(update)]) };
      }
      case "removeRules": {
        const isGone = ({ ref }: CompiledRule) => ref.behavior === update.behavior && update.rules.includes(ref.rule);
        return { ...grants, rules: grants.rules.filter((rule) => !isGone(rule)) };
      }
      case "addDirectories":
      case "removeDirectories":
        // The workspace alone knows which directories there are: the checker passes the update on.
        if (!areNames(update.directories)) throw invalid(`"${update.type}" needs a list of directories`);
        return grants;
      default:
        throw invalid("an update has an unknown type");
    }
  }

  #compiled({ rules, behavior }: { readonly rules: readonly string[]; readonly behavior: "allow" | "ask" | "deny" }) {
    return rules.map((rule) => this.#compiler.compile({ rule, behavior, source: "session" }));
  }
}

function areNames(names: unknown): boolean {
  return Array.isArray(names) && names.every((each) => typeof each === "string" && each !== "");
}

function unique(rules: readonly CompiledRule[]): CompiledRule[] {
  return [...new Map(rules.map((rule) => [`${rule.ref.behavior} ${rule.ref.rule}`, rule])).values()];
}

function invalid(problem: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", { message: `Permissions cannot be remembered: ${problem}.` });
}
