// Texts for people in the words of a command: nothing opens what they name, so no rule about files counts them.

interface Taker {
  readonly command: RegExp;
  readonly message: RegExp;
  readonly flag: RegExp;
  /** Another option whose value is the next word. */
  readonly value?: RegExp;
}

const TAKERS: readonly Taker[] = [
  {
    command: /^git (?:(?:commit|merge|tag) |stash (?:push |-))/,
    message: /^(?:-[aepsnqvoiz]*m|--message)$/,
    flag: /^(?:-[aepsnqvoiz]+|--(?:all|allow-empty|amend|annotate|no-edit|no-ff|no-verify|quiet|signoff))$/,
  },
  {
    command: /^gh (?:issue|pr|release) /,
    message: /^(?:-[bt]|--(?:body|comment|notes|title))$/,
    flag: /^--(?:draft|fill|latest|prerelease)$/,
    value: /^(?:-[BHRalr]|--(?:assignee|base|head|label|milestone|repo|reviewer|target))$/,
  },
];

/**
 * Where the words of a command are such texts. An option or a word that is not known here ends the search, and so does
 * a text with a dash in front: for another subcommand, what is before it may take no text.
 */
export function messagesIn(words: readonly (string | null)[]): ReadonlySet<number> {
  const found = new Set<number>();
  const taker = TAKERS.find(({ command }) => command.test(`${words.slice(0, 3).join(" ")} `));
  for (let at = 2; taker && at < words.length; at++) {
    const word = words[at];
    if (word == null) break;
    const takesNext = taker.message.test(word) || taker.value?.test(word);
    if (takesNext && words[at + 1]?.startsWith("-")) break;
    if (taker.message.test(word)) found.add(++at);
    else if (takesNext) at++;
    else if (word.startsWith("-") && !taker.flag.test(word)) break;
  }
  return found;
}
