import { ConfigurationError } from "../contracts/errors.js";
import type { LabelHints } from "../contracts/label.js";
import type {
  PermissionDecision,
  PermissionGate,
  PermissionMode,
  PermissionRequest,
  PermissionUpdate,
  RememberedAbout,
} from "../contracts/permission.js";
import type { PathAccess, Workspace } from "../contracts/workspace.js";
import {
  checkOptions,
  eitherOf,
  FUNCTION,
  listOf,
  type OptionTable,
  oneOf,
  tableOf,
  withMethods,
} from "../json/check-options.js";
import { CLASSIFIER_TABLE, Classifier, type ClassifierOptions, type Classify } from "./classifier.js";
import { decideContained } from "./contained.js";
import { decideRequest } from "./decide.js";
import { allow, type Decision, deny, isMode, MODES } from "./decision.js";
import { type Explanation, explainDecision } from "./explain.js";
import { type FileOrigins, originsOf } from "./flow/file-origins.js";
import { FLOW_TABLE, type FlowOptions } from "./flow/flow-options.js";
import { type FlowFinding, flowQuestion, judgeFlow } from "./flow/judge-flow.js";
import { labelOfCall, labelOfFiles, leavesNotes, noteWrites } from "./flow/result-label.js";
import { Grants } from "./grants.js";
import { createRequestReader, type ResolvedRequest } from "./request/resolved-request.js";
import { rulesEffect } from "./rules/effect-match.js";
import { RuleCompiler } from "./rules/rule-compiler.js";
import { namesOutside } from "./rules/rule-match.js";
import { type RuleSet, ruleSet } from "./rules/rule-set.js";
import {
  bySource,
  type CompiledRule,
  compileRules,
  defaultDirectories,
  type PermissionRules,
  RULES_TABLE,
  SOURCED_RULES_TABLE,
  type SourcedRules,
} from "./rules/rules.js";
import { suggestionsFor } from "./suggestions.js";

/** Options of `createPermissionChecker()`. */
export interface PermissionCheckerOptions {
  /** The stance towards calls no rule speaks about, unless a run or an answer sets another. Default: `default`. */
  readonly mode?: PermissionMode | undefined;
  /** The host's own rules; their source is `flag`. */
  readonly rules?: PermissionRules | undefined;
  /** Rules from elsewhere, each list with its source. */
  readonly sources?: readonly SourcedRules[] | undefined;
  /**
   * Says where paths lead, which need approval, and where the shell stands. Give the one the tools use. Without it
   * paths are resolved from the process's directory, and hidden files count as ones that need approval.
   */
  readonly workspace?: Workspace | undefined;
  /** The host's automatic approval of what would otherwise be asked. */
  readonly classifier?: Classify | ClassifierOptions | undefined;
  /**
   * The checks after content that others may have written was read: whatever rules and mode allow, calls that send, run, delete, keep
   * something for later, or write outside the workspace ask, unless their targets are known. Default: `off`, as if nobody else's content
   * were ever read.
   */
  readonly flow?: FlowOptions | "off" | undefined;
}

/** A gate that decides by rules and a mode, and can say why. */
export interface PermissionChecker extends PermissionGate {
  /** Answers at once when no workspace, no classifier and, with `flow`, no file has to be waited for. Never throws or rejects. */
  decide(request: PermissionRequest): PermissionDecision | Promise<PermissionDecision>;
  /**
   * Decides without consequences and says which rules were considered, which matched, and what won. The classifier is
   * not asked: what it would be asked about shows as `ask`.
   */
  explain(request: PermissionRequest): Promise<Explanation>;
  /** Keeps rules, and a mode, for one session of this process. @throws ConfigurationError for malformed ones */
  remember(updates: readonly PermissionUpdate[], about: RememberedAbout): void;
}

interface FinishedDecision {
  readonly decision: PermissionDecision;
  readonly step: Decision["step"];
  readonly flow?: FlowFinding | undefined;
}

/** The label of the files that a call shows, and the record of the workspace's files that it comes from. */
interface FilesLooked {
  readonly origins: FileOrigins;
  readonly label: LabelHints;
}

/** Rules written beside `rules`, where other libraries have them. */
const RENAMED = { allow: "rules.allow", ask: "rules.ask", deny: "rules.deny", root: "workspace", defaultMode: "mode" };

const OPTIONS = {
  mode: oneOf(...MODES),
  rules: tableOf(RULES_TABLE),
  sources: listOf(tableOf(SOURCED_RULES_TABLE), "rules with their source"),
  workspace: withMethods("resolve", "needsApproval"),
  classifier: eitherOf(FUNCTION, tableOf(CLASSIFIER_TABLE)),
  flow: eitherOf(oneOf("off"), tableOf(FLOW_TABLE)),
} satisfies OptionTable<PermissionCheckerOptions>;

/**
 * Makes the gate of an engine: `permissions: createPermissionChecker({ rules, workspace })`.
 *
 * The order is fixed: deny rules of any source, protected paths and catastrophic commands; then ask rules; then allow
 * rules and what a session remembers; then what a tool itself asks about; then the mode; then a hook's allow, what the workspace's
 * machine keeps in, the classifier, and at last the approver. With `flow`, what all of these allow may ask after untrusted content.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a malformed rule, naming it and its source
 */
export function createPermissionChecker(options: PermissionCheckerOptions = {}): PermissionChecker {
  checkOptions("createPermissionChecker()", options, OPTIONS, { renamed: RENAMED });
  const { mode: ownMode = "default", rules = {}, sources = [], workspace } = options;
  const flow = options.flow === undefined || options.flow === "off" ? null : options.flow;
  const directories = defaultDirectories(workspace?.root, workspace?.homes?.[0]);
  const fixed = ruleSet(compileRules([{ ...rules, source: "flag" }, ...sources], directories));
  const read = createRequestReader(workspace, directories);
  const compiler = new RuleCompiler(directories);
  const grants = new Grants(compiler);
  const noBypass = sources.some(({ disableBypassPermissions }) => disableBypassPermissions === true);
  const noClassifier = sources.some(({ disableClassifier }) => disableClassifier === true);
  const blocked = new Set<PathAccess>();
  if (sources.some(({ blockReadsOutside }) => blockReadsOutside === true)) blocked.add("read");
  if (sources.some(({ blockWritesOutside }) => blockWritesOutside === true)) blocked.add("write");
  if (workspace) letThrough(workspace, fixed.allow, blocked);
  /** The reason why no file counts as the user's, once one was looked at. */
  let noFiles: string | null = null;
  const classifier = options.classifier && !noClassifier ? new Classifier(options.classifier) : null;

  function modeOf({ mode, sessionId = "" }: PermissionRequest): PermissionMode {
    const wanted = mode ?? grants.mode(sessionId) ?? ownMode;
    if (!isMode(wanted)) throw unknownMode(wanted);
    return wanted === "bypassPermissions" && noBypass ? "default" : wanted;
  }

  function rulesOf(request: PermissionRequest): RuleSet {
    const granted = grants.rules(request.sessionId ?? "");
    const brought = request.added ? compiler.compileAdded(request.added) : [];
    if (granted.length + brought.length === 0) return fixed;
    return ruleSet(bySource([...fixed.all, ...granted, ...brought]));
  }

  function decisionFor(call: ResolvedRequest, rules: RuleSet): Decision {
    const found = decideRequest(call, rules, blocked);
    if (found.behavior !== "ask" || found.yieldsTo !== "anything" || call.hook?.behavior !== "allow") return found;
    return allow("hook-allow", call.hook.reason ?? "A hook allows it.");
  }

  /** Lets a call that would ask run on a machine that keeps it in, as a call of one of that machine's own tools. */
  function contained(call: ResolvedRequest, request: PermissionRequest, rules: RuleSet, found: Decision) {
    const { tool } = request;
    const isThere = typeof tool === "string" || tool.worksIn === workspace;
    const isKnown = call.subject === "command" || call.subject === "path";
    if (!isThere || !isKnown || !workspace?.contained) return found;
    const isAsked = found.behavior === "ask" && found.step !== "ask-rule" && found.step !== "hook-ask";
    if (!isAsked && flowOf(call, request, found, rules) === null) return found;
    return workspace.contained().then((held): Decision => {
      if ("lost" in held) return isAsked ? { ...found, reason: `${found.reason} ${held.lost}` } : found;
      return decideContained(call, rules, held) ?? found;
    });
  }

  /** The finding about an allowed call, whoever allowed it. A contained call may run after any content, but for effects that outlive the machine. */
  function flowOf(call: ResolvedRequest, request: PermissionRequest, found: Decision, rules: RuleSet) {
    if (!flow || found.behavior !== "allow") return null;
    return judgeFlow(call, request, rules, flow, grants.speaking(call.sessionId, request.task), found.held);
  }

  function finished(
    call: ResolvedRequest,
    request: PermissionRequest,
    decided: Decision,
    rules: RuleSet,
    files: FilesLooked | null,
  ): FinishedDecision {
    // What the machine keeps for later sessions must go on record.
    const held = files?.origins.mayRecord(decided.held?.kept ?? []) ? decided.held : undefined;
    const finding = flow ? flowOf(call, request, { ...decided, held }, rules) : null;
    const found = finding ? flowQuestion(call, finding, noFiles) : decided;
    const { behavior, reason, rule, step } = found;
    if (behavior === "ask" && call.mode === "dontAsk") {
      const denial = deny(step, `${reason} Mode "dontAsk" does not ask, so it was not run.`, rule);
      return { ...finished(call, request, denial, rules, files), ...(finding && { flow: finding }) };
    }
    const suggestions = behavior === "ask" ? suggestionsFor(call, rules, found, compiler, finding) : [];
    const label = flow && behavior !== "deny" ? labelOfCall(call, request, flow, files?.label) : undefined;
    // The engine asks again without what a hook or a classifier said, so their yes is not made to depend on it.
    const mayChange = (call.provisional && step !== "hook-allow" && step !== "classifier") || step === "contained";
    const decision: PermissionDecision = {
      behavior,
      reason,
      ...(rule && { rule, source: rule.source }),
      ...(suggestions.length > 0 && { suggestions }),
      ...(mayChange && { provisional: true }),
      ...(label && { label }),
    };
    return { decision, step, ...(finding && { flow: finding }) };
  }

  function lookAtFiles(call: ResolvedRequest, request: PermissionRequest): Promise<FilesLooked> | null {
    if (!call.shell && call.subject !== "path") return null;
    return originsOf(workspace).then(async (origins) => {
      noFiles = origins.why;
      return { origins, label: await labelOfFiles(call, request, origins) };
    });
  }

  function conclude(
    call: ResolvedRequest,
    request: PermissionRequest,
  ): PermissionDecision | Promise<PermissionDecision> {
    const rules = rulesOf(request);
    const concluded = (found: Decision) => {
      const looked = flow && lookAtFiles(call, request);
      if (!looked) return finished(call, request, found, rules, null).decision;
      return looked.then(async (files) => {
        const { decision } = finished(call, request, found, rules, files);
        if (decision.behavior === "deny" || !leavesNotes(call)) return decision;
        const note = () => noteWrites(call, request, decision.label, files.origins, found.held !== undefined);
        if (request.beforeStart) request.beforeStart(note);
        else await note();
        return decision;
      });
    };
    const classified = (found: Decision) => {
      const isOpen = found.behavior === "ask" && found.yieldsTo === "anything";
      if (!classifier || !isOpen) return concluded(found);
      return classifier.decide(request, call, rules).then((answer) => concluded(answer ?? found));
    };
    const found = contained(call, request, rules, decisionFor(call, rules));
    const answer = found instanceof Promise ? found.then(classified) : classified(found);
    return answer instanceof Promise ? answer.catch(failed) : answer;
  }

  return {
    understandsAddedRules: true,
    ...(flow && { usesLabels: true }),
    mode: ownMode === "bypassPermissions" && noBypass ? "default" : ownMode,
    decide(request) {
      try {
        const call = read(request, modeOf(request), (each) => decisionFor(each, rulesOf(request)));
        if (!(call instanceof Promise)) return conclude(call, request);
        return call.then((each) => conclude(each, request)).catch(failed);
      } catch (error) {
        return failed(error);
      }
    },
    async explain(request) {
      const rules = rulesOf(request);
      const call = await read(request, modeOf(request), (each) => decisionFor(each, rules));
      const found = await contained(call, request, rules, decisionFor(call, rules));
      const files = flow && (await lookAtFiles(call, request));
      return explainDecision(call, rules, finished(call, request, found, rules, files));
    },
    remember(updates, { sessionId, task }) {
      grants.remember(sessionId, updates, task);
      if (workspace) updateDirectories(workspace, sessionId, updates);
    },
  };
}

/** The workspace's own tools reach what the host's rules name outside, where settings do not forbid it. */
function letThrough(workspace: Workspace, allows: readonly CompiledRule[], blocked: ReadonlySet<PathAccess>): void {
  for (const access of ["read", "write"] as const) {
    for (const rule of blocked.has(access) ? [] : allows) {
      if (!rulesEffect(rule, access) || rule.about.subject !== "path") continue;
      workspace.allowOutside?.(rule.about.pattern.key, access, (path) => namesOutside(rule, path, access));
    }
  }
}

/** Tells the workspace which directories outside the roots a session may use: its file tools ask the workspace, too. */
function updateDirectories(workspace: Workspace, sessionId: string, updates: readonly PermissionUpdate[]): void {
  for (const update of updates) {
    if (update.type === "addDirectories") workspace.addDirectories?.(sessionId, update.directories);
    if (update.type === "removeDirectories") workspace.removeDirectories?.(sessionId, update.directories);
  }
}

function failed(error: unknown): PermissionDecision {
  const why = error instanceof Error ? error.message : String(error);
  return { behavior: "deny", reason: `The permission checker failed, so nothing was run: ${why}` };
}

function unknownMode(mode: unknown): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `"${String(mode)}" is not a permission mode. Choose one of ${MODES.join(", ")}.`,
  });
}
