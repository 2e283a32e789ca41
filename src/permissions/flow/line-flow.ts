// What a command line does after untrusted content was read, and on what. A line that is not plainly known runs and sends.
import { basename } from "node:path";
import type { EffectName, Target } from "../../contracts/label.js";
import { parseRule } from "../../rules/parse-rule.js";
import type { ShellCall } from "../request/read-command.js";
import type { RuleSet } from "../rules/rule-set.js";
import type { AnalyzedCommand } from "../shell/analysis.js";
import { messagesIn } from "../shell/invocation/options.js";
import { findProgram } from "../shell/programs/table.js";
import { effectsOnPlace } from "./place-flow.js";

/** One effect of a call, and the targets that have to be known for it: one without a target is never known. */
export interface Need {
  readonly effect: EffectName;
  readonly targets: readonly Target[];
}

/** What the line needs; nothing for one that only reads, or keeps to the files of the project and its own checks. */
export function needsOfLine(shell: ShellCall, rules: RuleSet): readonly Need[] {
  const { analysis, script, effects, isUnclear } = shell;
  const line: Target = { field: "command", kind: "path", value: script.trim() };
  if (isRuledByName(script.trim(), rules)) return [];
  const isOpen = analysis.opaque || analysis.outsideGrammar.length > 0 || analysis.unparsed !== null || isUnclear;
  if (isOpen) return bothOf([line]);
  const ofCommands = analysis.commands.flatMap((command, index) => {
    if (command.impliedByParent || isRuledByName(command.text, rules)) return [];
    const isNetwork = analysis.effects.some((effect) => effect.kind === "network" && effect.command === index);
    return needsOfCommand(command, isNetwork, line);
  });
  const ofPlaces = effects.flatMap(({ effect, place }): readonly Need[] => {
    if (effect.kind !== "write") return [];
    const isGone =
      effect.how === "delete" ? [{ effect: "deletes" as const, targets: [place ? pathTarget(place.path) : line] }] : [];
    if (!place) return effect.path === null ? [{ effect: "writes", targets: [line] }, ...isGone] : isGone;
    return [...isGone, ...effectsOnPlace(place).map((each) => ({ effect: each, targets: [pathTarget(place.path)] }))];
  });
  const lost = shell.destructions.length > 0 ? [{ effect: "deletes" as const, targets: [line] }] : [];
  return [...ofCommands, ...ofPlaces, ...lost];
}

function needsOfCommand(command: AnalyzedCommand, isNetwork: boolean, line: Target): readonly Need[] {
  const { program, readOnly, doubts, known, words } = command;
  if (readOnly && !isNetwork) return [];
  if (isNetwork) return [{ effect: "sends", targets: namedIn(words, line) }];
  const reach = program === null ? undefined : findProgram(basename(program))?.does;
  if (!known || doubts.length > 0 || !reach) return program === "" ? [] : bothOf([line]);
  const isFixed = (extent: string) => extent === "nothing" || extent === "named";
  return isFixed(reach.runs) && isFixed(reach.connects) ? [] : bothOf([line]);
}

function bothOf(targets: readonly Target[]): readonly Need[] {
  return [
    { effect: "runs", targets },
    { effect: "sends", targets },
  ];
}

/** An option without a value: with one, the value may be where something goes. */
const FLAG = /^--?[A-Za-z][A-Za-z-]*$/;
/** What `git` and `gh` are asked to do, as their first words, and the remote that the repository itself names; what they do it to is behind. */
const ACTS =
  /^(?:origin|push|pull|fetch|clone|pr|issue|repo|run|release|view|list|create|comment|edit|checkout|diff|status)$/;

/** The words of a command that say where something goes and what: its acts, flags and texts for people left out. */
function namedIn(words: AnalyzedCommand["words"], line: Target): readonly Target[] {
  const messages = messagesIn(words);
  const hasActs = words[0] === "git" || words[0] === "gh";
  const named = words.flatMap((word, at) => {
    if (word === null) return [line];
    if (at === 0 || messages.has(at) || FLAG.test(word) || (hasActs && at < 3 && ACTS.test(word))) return [];
    // A number is known behind the word for what it is the number of: `gh pr view 330`.
    const field = /^\d+$/.test(word) ? (words[1] ?? "command") : "command";
    return [{ field, kind: word.includes("://") ? "url" : "path", value: word } as const];
  });
  return named.length > 0 ? named : [line];
}

function pathTarget(path: string): Target {
  return { field: "command", kind: "path", value: path };
}

/** Whether a rule of the host or the user is this line, letter by letter: then it is theirs. */
function isRuledByName(text: string, { allow }: RuleSet): boolean {
  return allow.some(({ ref }) => {
    const { canonical, content } = parseRule(ref.rule);
    return canonical === "bash" && content !== null && !content.includes("*") && content === text;
  });
}
