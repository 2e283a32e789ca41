// `… | while read -r f; do …; done`: each line that is piped in becomes the value of one variable.
import { type Command, forEachChild, type Redirection, type SyntaxNode, type While, type Word } from "unbash";

export interface LineLoop {
  /** The command that takes the lines. */
  readonly read: SyntaxNode;
  /** It takes what ends with a zero byte, instead of lines. */
  readonly nul: boolean;
}

/** How a loop takes lines; `null` when it may change them, or when something in it may take a part of one. */
export function lineLoop({ kind, clause, body }: While): LineLoop | null {
  const [statement, ...more] = clause.commands;
  const read = statement?.command;
  if (kind !== "while" || more.length > 0 || statement?.background || read?.type !== "Command") return null;
  if (read.redirects.length > 0 || read.name?.text !== "read") return null;
  const [assignment, ...others] = read.prefix;
  const isWhole = assignment?.type === "Assignment" && /^IFS=(?:''|"")?$/.test(assignment.text);
  if (others.length > 0 || (assignment && !isWhole)) return null;
  const words = read.suffix.map((part) => ("text" in part ? part.text : "\n")).join(" ");
  const [, nul, name] = /^(?:-r )?(?:(-r -d ''|-d '' -r|-rd ''|-d '') )?([A-Za-z_]\w*)$/.exec(words) ?? [];
  if (name === undefined) return null;
  // Without both, spaces around a name and backslashes in it would go.
  if (nul !== undefined && !(isWhole && words.includes("r"))) return null;
  return leavesInput(body, name) ? { read, nul: nul !== undefined } : null;
}

const WITHOUT_INPUT = new Set(
  "echo printf test [ : true false continue break basename dirname stat ls du realpath readlink".split(" "),
);
/** Commands of git that leave their input alone, or take all of it. */
const OF_GIT =
  /^(?:log|show|diff|blame|branch|tag|rev-parse|rev-list|describe|ls-tree|ls-files|merge-base|status|name-rev|for-each-ref|config)$/;
/** With these a redirection may stay when they are done. */
const MAY_REDIRECT_ALL = new Set(["exec", "command", "builtin"]);
/** Programs that leave their input alone once they are given a file, by the words before its name. */
const WITH_FILE: Readonly<Record<string, RegExp>> = {
  cat: /^(?:-[AbEnsTv]+ )*$/,
  nl: /^$/,
  tac: /^$/,
  wc: /^(?:-[clmwL]+ )*$/,
  head: /^(?:-[qv] )*(?:-\d+ |-[nc]\d+ |-[nc] \d+ )?$/,
  tail: /^(?:-[qv] )*(?:-\d+ |-[nc]\+?\d+ |-[nc] \+?\d+ )?$/,
  grep: /^(?:-[nHhilcvwoEFPsqx]+ )*x $/,
  egrep: /^(?:-[nHhilcvwosqx]+ )*x $/,
  fgrep: /^(?:-[nHhilcvwosqx]+ )*x $/,
  rg: /^(?:-[nNHilcvwoFPsqx]+ )*x $/,
  sed: /^(?:-[nEr]+ )*x $/,
  awk: /^x $/,
  jq: /^(?:-[rce]+ )*x $/,
  file: /^(?:-b )?$/,
  sort: /^(?:-[rnufV]+ )*$/,
  md5sum: /^$/,
  sha1sum: /^$/,
  sha256sum: /^$/,
};

/** Whether nothing below takes a part of what is piped into the loop: the next line would then begin in its middle. */
function leavesInput(node: SyntaxNode, variable: string): boolean {
  let isLeft = true;
  if (node.type === "Pipeline") return node.commands.length === 0 || leavesInput(node.commands[0]!, variable);
  if (node.type === "Function" || node.type === "Coproc") return false;
  if (node.type === "Command" && node.name && !leavesInputAlone(node as Command, variable)) return false;
  forEachChild(node, (child) => {
    isLeft &&= leavesInput(child, variable);
  });
  return isLeft;
}

function leavesInputAlone({ name, prefix, suffix, redirects }: Command, variable: string): boolean {
  const program = name!.text;
  if (prefix.length > 0) return false;
  if (MAY_REDIRECT_ALL.has(program)) return false;
  if (redirects.some(isItsInput)) return true;
  if (WITHOUT_INPUT.has(program)) return true;
  if (program === "git" && suffix[0]?.type === "Word" && OF_GIT.test(suffix[0].text)) return true;
  const before = Object.hasOwn(WITH_FILE, program) ? WITH_FILE[program]! : null;
  const words = suffix.filter((part): part is Word => part.type === "Word");
  const file = words.at(-1);
  if (!before || words.length !== suffix.length || !file) return false;
  const [, quote, held] =
    /^("?)(?:[\w.@+/][\w.@+/-]*\/)?\$(?:\{(?=\w+\}))?(\w+)\}?(?:\/[\w@+][\w.@+-]*)*\1$/.exec(file.text) ?? [];
  if (quote === undefined || held !== variable) return false;
  const texts = words.slice(0, -1).map(shownPlain);
  return texts.every((text) => text !== null) && before.test(texts.map((text) => `${text} `).join(""));
}

function isItsInput({ type, operator, descriptor }: Redirection): boolean {
  const isFirst = !descriptor || (descriptor.type === "FileDescriptor" && descriptor.value === 0);
  return type === "Redirect" && operator === "<" && isFirst;
}

/** An option or a number as it is written, `x` for another literal word, `null` for one that may be anything. */
function shownPlain(word: Word): string | null {
  const isLiteral =
    word.parts?.every(
      (part) =>
        part.type === "Literal" ||
        part.type === "SingleQuoted" ||
        (part.type === "DoubleQuoted" && part.parts.every(({ type }) => type === "Literal")),
    ) ?? true;
  if (!isLiteral || word.value === "") return null;
  if (word.value.startsWith("-")) return word.text;
  return /^\+?\d+$/.test(word.text) ? word.text : "x";
}
