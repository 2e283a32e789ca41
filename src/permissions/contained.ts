// Calls that need no question on a machine that keeps them in: the step behind the rules and before a question.
import type { Containment } from "../contracts/workspace-machine.js";
import { isInside } from "../paths/inside.js";
import { mayBeRuledInside } from "./decide-command.js";
import { allow, type Decision } from "./decision.js";
import type { PlacedEffect, ShellCall } from "./request/read-command.js";
import type { ResolvedPath } from "./request/resolve-path.js";
import type { ResolvedRequest } from "./request/resolved-request.js";
import { rulesEffect } from "./rules/effect-match.js";
import type { RuleSet } from "./rules/rule-set.js";
import { compileRule } from "./rules/rules.js";
import type { AnalyzedCommand, Effect } from "./shell/analysis.js";
import { isRegenerable } from "./shell/destruction/paths.js";
import { isStream } from "./shell/words/paths.js";

/** Programs that do nothing but change the files they name, and put no link or second name anywhere. */
const FILE_PROGRAMS: ReadonlySet<string | null> = new Set("cp mkdir mv rm rmdir sed tee touch truncate".split(" "));
/** Beside it all that is left to ask about a line is what another rule may be about. */
const EVERY_COMMAND = compileRule({ rule: "Bash", behavior: "allow", source: "flag" }, { root: "/", home: "/" });
/** Names that lead elsewhere for each process. */
const OF_A_PROCESS = /^\/(?:proc|dev)(?:\/|$)/;

/** Allows a call that nothing has denied and no rule or hook asks about; `null`: it may reach more than the machine may lose. */
export function decideContained(call: ResolvedRequest, rules: RuleSet, contained: Containment): Decision | null {
  const { shell, own, places } = call;
  // The file tools ask about places alone.
  if (own?.behavior === "ask" && !places.some(({ asked }) => asked !== null)) return null;
  const stays = shell ? lineStays(shell, contained) : filesStay(places, contained);
  return stays && !mayBeRuled(call, rules) ? { ...allow("contained", reasonOf(contained)), held: contained } : null;
}

function reasonOf({ machine, by, network, kept }: Containment): string {
  const does = network === "none" ? `"${machine}" has no network` : `it only touches files of "${machine}"`;
  const loses = kept.length === 0 ? "nothing there is kept" : "nothing that is kept is lost";
  return `Contained, as the ${by} says: ${does}, and ${loses}.`;
}

/** A rule that denies or asks may be about what could not be read. */
function mayBeRuled(call: ResolvedRequest, rules: RuleSet): boolean {
  if (rules.limits.length === 0) return false;
  if (call.shell) return mayBeRuledInside(call, { ...rules, allow: [...rules.allow, EVERY_COMMAND] });
  const isAsked = call.places.some(({ asked }) => asked !== null);
  return (
    call.isUnclear || (isAsked && rules.limits.some((rule) => rulesEffect(rule, "read") || rulesEffect(rule, "write")))
  );
}

/** True when the files of a file tool's call stay on the machine. */
function filesStay(places: readonly ResolvedPath[], contained: Containment): boolean {
  return (
    places.length > 0 &&
    places.every((place) => {
      if (place.status !== "inside") return false;
      if (place.access === "read") return isFreeToRead(place, contained);
      return isDisposable(contained) || mayChange(place, contained);
    })
  );
}

function lineStays(shell: ShellCall, contained: Containment): boolean {
  if (isDisposable(contained)) return true;
  const { network, kept, acceptChanges } = contained;
  if (kept.length > 0 && acceptChanges && !losesNothing(shell, contained)) return false;
  if (network === "none" && acceptChanges)
    return !contained.isHere || shell.effects.every((each) => readsFreely(each, contained));
  return isPlainlyKnown(shell) && shell.effects.every((each) => isHarmless(each, shell, contained));
}

/** Whether no code that runs there can lose anything or send anything out. */
function isDisposable({ network, kept }: Containment): boolean {
  return network === "none" && kept.length === 0;
}

/** All that the line does is known: it reads, or changes the files it names. */
function isPlainlyKnown({
  analysis,
  isUnclear,
  lookalike,
  repositorySetting,
  refLikeOption,
  carried,
}: ShellCall): boolean {
  const { commands, opaque, outsideGrammar, effects } = analysis;
  if (opaque || isUnclear || outsideGrammar.length > 0 || carried.length > 0) return false;
  if (lookalike !== null || repositorySetting !== null || refLikeOption !== null) return false;
  return commands.every(isPlain) && effects.every(({ kind }) => kind !== "network");
}

function isPlain({ program, known, doubts, readOnly, assignments }: AnalyzedCommand): boolean {
  if (doubts.some(({ kind }) => kind !== "edit")) return false;
  return readOnly || program === "" || (known && assignments.length === 0 && FILE_PROGRAMS.has(program));
}

/** It reads no secret that could leave, and changes nothing that is kept, nor what later commands are or load. */
function isHarmless({ effect, place }: PlacedEffect, shell: ShellCall, contained: Containment): boolean {
  if (effect.kind === "exec" || effect.kind === "network" || isStream(effect.path)) return true;
  if (effect.kind === "read") {
    if (!readsFreely({ effect, place }, contained)) return false;
    if (effect.loads && place?.status !== "inside") return false;
    // A copy with all that is below may meet links where it goes.
    if (effect.recursive && !shell.analysis.commands[effect.command]!.readOnly) return false;
    return true;
  }
  if (place === null || place.status !== "inside" || !mayChange(place, contained)) return false;
  return leadsNowhereElse(effect, place, shell);
}

/** No link is on the way, and none can be put there by the line. */
function leadsNowhereElse(
  effect: Effect & { kind: "write" },
  { real, lexical }: ResolvedPath,
  shell: ShellCall,
): boolean {
  const { commands, effects } = shell.analysis;
  if (effect.pattern || effect.listing || effect.isElsewhere || real !== lexical || OF_A_PROCESS.test(real))
    return false;
  return !effects.some(
    (other) =>
      other.kind === "write" &&
      other.command !== effect.command &&
      /^(?:cp|mv)$/.test(commands[other.command]!.program ?? "") &&
      other.how === "create" &&
      (other.path === null || isInside(lexical, other.path)),
  );
}

/** A file that is kept may change where that is accepted; one that others run or trust asks. */
function mayChange(place: ResolvedPath, contained: Containment): boolean {
  return place.asked === null && (contained.acceptChanges || !isKept(place, contained));
}

/** Nothing is lost for good, and no file changes that is run or trusted outside. */
function losesNothing({ destructions, effects, isIgnored }: ShellCall, contained: Containment): boolean {
  if (destructions.length > 0) return false;
  return effects.every(({ effect, place }) => {
    if (effect.kind !== "write" || isStream(effect.path)) return true;
    if (place === null) return effect.how !== "delete";
    if (!isKept(place, contained)) return true;
    if (place.asked !== null || place.status === "protected") return false;
    const { real } = place;
    const isMadeAgain = (root: string) =>
      isInside(real, root) && isRegenerable(real, { root, isRegenerable: isIgnored });
    return effect.how !== "delete" || contained.kept.some(isMadeAgain);
  });
}

/** Whether it outlives the machine. */
export function isKept({ real, lexical }: ResolvedPath, { kept }: Pick<Containment, "kept">): boolean {
  return kept.some((each) => [real, lexical].some((path) => isInside(path, each) || isInside(each, path)));
}

function readsFreely({ effect, place }: Pick<PlacedEffect, "effect" | "place">, contained: Containment): boolean {
  if (effect.kind !== "read" || isStream(effect.path) || mayPrintAll(contained)) return true;
  return place !== null && isFreeToRead(place, contained) && !OF_A_PROCESS.test(place.real);
}

/** A secret goes no further than what is printed, and is not the host's. */
function mayPrintAll({ network, isHere }: Containment): boolean {
  return network === "none" && !isHere;
}

function isFreeToRead({ real, lexical, status, asked }: ResolvedPath, contained: Containment): boolean {
  const { secrets, isHere } = contained;
  if (mayPrintAll(contained)) return true;
  if (isHere || secrets === "unknown") return status !== "outside" && status !== "protected" && asked === null;
  if (status === "protected") return secrets === "none";
  return (
    secrets === "none" ||
    !secrets.some((secret) => isInside(secret, real) || isInside(real, secret) || isInside(lexical, secret))
  );
}
