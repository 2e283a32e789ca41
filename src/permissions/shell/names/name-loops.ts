// `ls | while read f; do wc -l "$f"; done`: a loop that takes one name after the other. What it runs must leave the pipe alone:
// a command that reads there takes a part of a name, and the next one begins in its middle.

import type { Command, CompoundList, Redirect, Redirection, SyntaxNode, While } from "unbash";
import type { ListedNames } from "../words/shell-word.js";

const LINE = /^read(?: -r)? ([A-Za-z_]\w*)$/;
const RECORD = /^read(?: -r| -d ''){2} ([A-Za-z_]\w*)$/;

/** Programs that read the file that is named last, and those that read nothing. */
const READS_FILE = String.raw`(?:wc(?: -[clmLw]+)*|cat(?: -[AbEnsTv]+)*|(?:head|tail)(?: -\d+| -[nc] ?\d+)?|ls(?: -[1lhadtrS]+)*|
  basename|dirname|realpath|grep(?: -[cEFHhilLnoqsvwx]+)* (?:[\w.][\w.-]*|'[^'-][^']*'|"[\w.][^"$\x60\\]*"))`;
const READS_NOTHING = /^(?:echo|printf)(?: |$)/;
/** Commands among the words read what the loop reads. */
const SUBSTITUTION = /`|[$<>]\(/;

/** The `read` of a loop that takes these names, whole and one after the other; `null` of any other loop. */
export function readOfNames(
  { kind, clause, body }: While,
  names: ListedNames,
  isFunction: (name: string) => boolean,
): Command | null {
  const [read, ...others] = commandsIn(clause);
  if (kind !== "while" || others.length > 0 || !read || read.redirects.length > 0) return null;
  // With another separator a name would lose its end, and without this one the whitespace at its ends.
  const isExact = read.prefix.length > 0;
  if (!read.prefix.every((each) => each.type === "Assignment" && each.text === "IFS=")) return null;
  if (names.nul && !isExact) return null;
  const [, name] = (names.nul ? RECORD : LINE).exec(textOf(read)) ?? [];
  const commands = commandsIn(body);
  if (name === undefined || commands.length !== body.commands.length || isFunction("read")) return null;
  const readsName = new RegExp(`^${READS_FILE.replace(/\n\s*/g, "")} "(?:[\\w.@/-]+/)?\\$(?:${name}|\\{${name}\\})"$`);
  const leavesPipe = (command: Command) => {
    const text = textOf(command);
    return !isFunction(command.name?.text ?? "") && (readsName.test(text) || READS_NOTHING.test(text));
  };
  return commands.every(leavesPipe) ? read : null;
}

/** The commands of a list that read what the list reads: of a pipe the first. Those that are not plain are left out. */
function commandsIn({ commands }: CompoundList): readonly Command[] {
  return commands.flatMap(({ command, background }) => {
    const parts: readonly SyntaxNode[] = command.type === "Pipeline" ? command.commands : [command];
    const isPlain = !background && parts.every(isPlainCommand);
    return isPlain ? (parts[0] as Command) : [];
  });
}

function isPlainCommand(node: SyntaxNode): boolean {
  if (node.type !== "Command") return false;
  const isPlainWord = ({ text }: { readonly text: string }) => !SUBSTITUTION.test(text);
  return node.args.every(isPlainWord) && node.redirects.every((each) => writes(each) && isPlainWord(each.target!));
}

function writes(redirect: Redirection): redirect is Redirect {
  return redirect.type === "Redirect" && /^>>?$/.test(redirect.operator) && redirect.target !== undefined;
}

function textOf({ name, args }: Command): string {
  return [name, ...args].map((part) => part?.text ?? "").join(" ");
}
