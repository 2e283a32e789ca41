// A call that everything else allows may ask after untrusted content was read. Never the other way: an ask stays one, and a deny.
import type { EffectName, Source, Target, TracedTarget } from "../../contracts/label.js";
import type { PermissionRequest } from "../../contracts/permission.js";
import type { Containment } from "../../contracts/workspace-machine.js";
import { EFFECTS } from "../../labels/effects.js";
import { leavesOf } from "../../labels/value-fields.js";
import { isKept } from "../contained.js";
import { ask, type Decision } from "../decision.js";
import type { ResolvedRequest } from "../request/resolved-request.js";
import type { RuleSet } from "../rules/rule-set.js";
import { type FlowOptions, untrustedIn } from "./flow-options.js";
import { type Need, needsOfLine } from "./line-flow.js";
import { effectsOnPlace } from "./place-flow.js";

/** The reason why a call asks although it is allowed. */
export interface FlowFinding {
  /** The untrusted sources, oldest first; none where private content would leave. */
  readonly sources: readonly Source[];
  readonly effects: readonly EffectName[];
  /** The targets that are not known; none where the call names no target at all. */
  readonly unknown: readonly TracedTarget[];
}

const SENDING: readonly EffectName[] = ["sends"];

/**
 * The finding about an allowed call; `null` where it may run. `speaking`: sources that speak for the user. `held`: the machine that keeps
 * the call in, where one does: then only what outlives the machine counts.
 */
export function judgeFlow(
  call: ResolvedRequest,
  request: PermissionRequest,
  rules: RuleSet,
  flow: FlowOptions,
  speaking: ReadonlySet<string>,
  held: Pick<Containment, "kept"> | undefined,
): FlowFinding | null {
  const { context, origin } = request;
  if (!context || !origin) return null;
  if (context.integrity === "trusted" && context.audience === "anyone") return null;
  // Targets of the request itself are traced already.
  const isKnown = (target: Target | TracedTarget, isLookUp = false) => {
    const traced = "known" in target ? target : origin(target);
    return isTargetKnown(traced) || (isLookUp && isFound(traced));
  };
  const areMet = (targets: Need["targets"], isLookUp = false) =>
    targets.length > 0 && flow.targets !== "any" && targets.every((target) => isKnown(target, isLookUp));
  const declared = declaredTargets(call, request);
  if (declared && areMet(declared)) return null;
  const sources = untrustedIn(context, flow, speaking);
  const isPrivate = context.audience !== "anyone";
  if (sources.length === 0 && !isPrivate) return null;
  const asked = sources.length > 0 ? (flow.ask ?? EFFECTS) : SENDING;
  const isLookUp = call.canonical === "web_fetch" && !isPrivate;
  const open = needsOf(call, request, rules, declared).filter(({ effect, targets, place, isFixed }) => {
    if (!asked.includes(effect) || (isFixed && !isPrivate)) return false;
    if (held && !(place ? isKept(place, held) : effect === "remembers" && held.kept.length > 0)) return false;
    return !areMet(targets, isLookUp && effect === "sends");
  });
  if (open.length === 0) return null;
  const unknown = open.flatMap(({ targets }) => targets.filter((target) => !isKnown(target)).map(origin));
  const isFirst = ({ value }: TracedTarget, at: number) => unknown.findIndex((each) => each.value === value) === at;
  return { sources, effects: [...new Set(open.map(({ effect }) => effect))], unknown: unknown.filter(isFirst) };
}

function isTargetKnown({ known }: TracedTarget): boolean {
  return known === "prompt" || known === "trusted-result" || known === "own-store";
}

/** An address as a search has listed it was complete before anything here was known: nothing of it is sent there. */
function isFound({ known, from }: TracedTarget): boolean {
  return known === "untrusted-result" && from?.kind === "web" && from.name === "web_search";
}

/** The targets that a tool declares of a call whose input nothing else is known of. */
function declaredTargets({ shell, subject }: ResolvedRequest, { tool, targets = [] }: PermissionRequest) {
  const isDeclared = typeof tool !== "string" && "targets" in tool && tool.targets !== undefined;
  return isDeclared && !shell && subject !== "path" ? targets : undefined;
}

function needsOf(
  call: ResolvedRequest,
  request: PermissionRequest,
  rules: RuleSet,
  declared: readonly Target[] | undefined,
): readonly Need[] {
  if (call.shell) return needsOfLine(call.shell, rules);
  if (call.subject === "path") {
    return call.places.flatMap((place) => {
      const targets: readonly Target[] = [{ field: "path", kind: "path", value: place.path }];
      return effectsOnPlace(place).map((effect) => ({ effect, targets, place }));
    });
  }
  const { effects, input } = request;
  // Where a tool does not say which values are targets, each may be one, whatever its field is called.
  const targets = declared ?? valuesOf(input);
  return EFFECTS.filter((effect) => effects?.[effect]).map((effect) => ({ effect, targets }));
}

function valuesOf(input: PermissionRequest["input"]): readonly Target[] {
  const fields = typeof input === "object" && input !== null ? Object.entries(input) : [];
  return fields.flatMap(([field, value]) =>
    leavesOf(value).map((leaf) => {
      const text = String(leaf);
      return { field, kind: text.includes("://") ? ("url" as const) : ("id" as const), value: text };
    }),
  );
}

/** The question about a call, for a person. `noFiles`: why no file of the workspace is trusted. */
export function flowQuestion(call: ResolvedRequest, finding: FlowFinding, noFiles: string | null): Decision {
  const isAboutFiles = noFiles && finding.sources.some(({ kind }) => kind === "workspace" || kind === "command");
  const more = isAboutFiles ? ` No file here counts as yours: ${noFiles}.` : "";
  return ask("flow", `${whyOf(finding)} ${whatOf(call, finding)}${more}`, "nothing");
}

const VERBS: Readonly<Record<EffectName, string>> = {
  writes: "write",
  sends: "send something",
  deletes: "delete",
  runs: "run code",
  remembers: "keep something for later",
};

function whatOf({ tool }: ResolvedRequest, { effects, unknown }: FlowFinding): string {
  const what = `"${tool}" would ${effects.map((effect) => VERBS[effect]).join(" and ")}`;
  const [first, ...more] = unknown;
  if (!first) return `${what}, and nothing in it says for whom or on what.`;
  const others = more.length > 0 ? ` and ${more.length} more` : "";
  const shown = first.value.length > 80 ? `${first.value.slice(0, 79)}…` : first.value;
  return `${what}, and neither you nor a trusted result named "${shown}"${others}.`;
}

function whyOf({ sources }: FlowFinding): string {
  const [first, ...more] = sources;
  if (!first) return "Asks because what was read is for you alone:";
  const others = more.length > 0 ? ` and ${more.length} more` : "";
  return `Asks because ${nameOf(first)}${others} was read:`;
}

/** A source, for a person: in a sentence that says that it was read. */
export function nameOf({ kind, name }: Source): string {
  if (kind === "web") return `the page ${name}`;
  if (kind === "command") return `what "${name}" printed`;
  if (kind === "workspace") return `the file ${name}`;
  return kind === "many" ? "content of many sources" : `a result of "${name}"`;
}
