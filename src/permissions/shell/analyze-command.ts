import { checkOptions, FUNCTION, type OptionTable, PATH } from "../../json/check-options.js";
import type { AnalyzedCommand, AnalyzeOptions, CommandAnalysis } from "./analysis.js";
import { variantsOf } from "./command-variants.js";
import { type CommandDraft, Findings, shown } from "./script/findings.js";
import { ScriptReader } from "./script/script-reader.js";
import { TOP } from "./script/surroundings.js";

const OPTIONS = {
  cwd: PATH,
  home: PATH,
  temporary: PATH,
  isDirectory: FUNCTION,
  textOf: FUNCTION,
  topLevelOf: FUNCTION,
} satisfies OptionTable<AnalyzeOptions>;

/**
 * Reads a script without running it, and says what bash would start, read, write and reach.
 *
 * An allow-list of understood syntax: what is not understood makes the answer `opaque`. Never throws, does no input or
 * output, and takes bounded time whatever the script: what is too long or too deep to parse is `opaque` and left in `unparsed`.
 */
export function analyzeCommand(script: string, options: AnalyzeOptions = {}): CommandAnalysis {
  checkOptions("analyzeCommand()", options, OPTIONS);
  const findings = new Findings();
  const {
    cwd,
    home,
    temporary,
    isDirectory = () => false,
    textOf = () => undefined,
    topLevelOf = () => undefined,
  } = options;
  const shell = { findings, surroundings: TOP, home, temporary, start: cwd, depth: 0, isDirectory, textOf, topLevelOf };
  const reader = new ScriptReader(shell);
  reader.read(script, cwd === undefined ? null : [cwd]);
  const commands = findings.commands.map((draft) => finish(draft, findings));
  return {
    commands,
    effects: findings.effects,
    words: findings.paths,
    repositories: findings.repositories,
    opaque: findings.reasons.size > 0,
    reasons: [...findings.reasons],
    outsideGrammar: [...findings.outsideGrammar],
    unparsed: findings.unparsed.length === 0 ? null : findings.unparsed.join("\n"),
    takesRefs: findings.takesRefs,
    forkBomb: findings.forkBomb,
    pipes: findings.pipelines,
  };
}

function finish(draft: CommandDraft, { environment, exports }: Findings): AnalyzedCommand {
  const [head] = draft.words;
  const { wrappers, startedBy, impliedByParent, parentIndex, input } = draft.surroundings;
  const acts = draft.acts || (draft.isProgram && exports);
  const doubts = [...draft.doubts, ...[...environment].map((reason) => ({ kind: "environment", reason }) as const)];
  const isQuiet = !acts && doubts.length === 0;
  let variants: readonly string[] | undefined;
  return {
    program: head === undefined ? "" : head.value,
    words: draft.words.map(({ value }) => value),
    text: draft.words.map(shown).join(" "),
    assignments: draft.assignments,
    wrappers,
    startedBy,
    impliedByParent,
    takesNames:
      startedBy !== null && draft.words.every(({ value, listed, revision }) => value !== null || listed || revision),
    knowsWords: draft.knowsWords,
    parentIndex,
    input: draft.code ?? (input.kind === "text" ? input.text : null),
    known: draft.known,
    readOnly: draft.reads && isQuiet,
    readOnlyIn: !draft.reads && isQuiet ? draft.readsIn : null,
    readOnlyWithout: !draft.reads && isQuiet ? draft.readsWithout : null,
    doubts,
    // Only rules that deny or ask need them.
    get variants() {
      variants ??= variantsOf(draft);
      return variants;
    },
  };
}

/** The position of the command that starts one through wrappers that are commands of their own, or its own. */
export function outermost(commands: readonly AnalyzedCommand[], index: number): number {
  const { startedBy } = commands[index]!;
  return startedBy === null ? index : outermost(commands, startedBy);
}
