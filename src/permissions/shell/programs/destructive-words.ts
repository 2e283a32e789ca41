// Patterns of words by which a command destroys something. A row takes one of these, or has a list of its own.
import { longPattern } from "../../long-pattern.js";
import type { DestroyingWords } from "./program-row.js";

const VERBS = `delete destroy drop purge nuke wipe erase terminate reset flush unregister undefine uninstall remove
  revoke shutdown poweroff reboot decommission obliterate abandon expunge evict undeploy prune truncate unpublish
  publish yank rollback revert downgrade disable deactivate deregister suspend forget kill zap undo`;
/** Too short to be looked for inside of longer words. */
const SHORT = "del|rm|rmi|rb|rmdirs|halt|leave|empty|unset";
/** Words for ending something that runs, and that others may need. */
const STOPS = "stop|deallocate|power-?off|shutdown|halt|suspend|restart|reboot|cancel|disable|detach|release|unlink";

const verb = VERBS.split(/\s+/)
  .map((each) => `[${each[0]!.toUpperCase()}${each[0]}]${each.slice(1)}`)
  .join("|");
const LOADS = "(?:db|database|migrate|ecto|schema|fixtures)[:. ](?:fresh|refresh|load|clean)";
/** A word that says it: `delete`, `vm.destroy`, `db:drop`, `terminate-instances`, `DeleteItem`, `removedb`. */
const SAYS = String.raw`(?:[a-zA-Z\d]+[-_:.])*(?:${verb}|${LOADS})(?:all|db|files?)?(?:[-_:][\w:-]+|[A-Z]\w*)?`;
const WORD = String.raw`(?<word>${SAYS}|(?:\w+[-:.])*(?:${SHORT}))(?= |$)`;
/** An option that says it, whichever command it belongs to. */
const OPTION = longPattern`(?:^| )(?<word>--?(?!no-)(?:[a-z]+-)*(?:delete|destroy|drop|purge|nuke|wipe|erase|terminate|
  uninstall|unregister|flush|reset|prune|zap|empty|accept-data-loss|remove(?:-all)?(?=[ =]|$))(?:-[a-z-]+)?(?=[ =]|$)|
  -(?:rmr?|expunge|format)(?= |$))`.source;
/** A cache is made again. */
const NO_CACHE = String.raw`(?!(?:\S+[ :])?(?:\S+ )?(?:\w+[-:])?[cC]aches?[ :])`;
const OPTIONS = String.raw`(?:-[\w-]+(?:=\S+)? )*`;

/** Represents, in what a pattern with a group `word` says, the word that was found. */
export const SAID = "$<word>";
const WHAT = `deletes, stops or undoes something, as "${SAID}" says`;

/** The destructive words of a program that is in no table, or administers the machine: `tool delete x`, `tool db:drop`. */
export const DESTROYS: DestroyingWords = [
  [new RegExp(String.raw`^${NO_CACHE}${OPTIONS}(?:[\w.@-]+ ){0,3}${WORD}`), WHAT],
  [new RegExp(`^${NO_CACHE}.*?(?:${OPTION})`), WHAT],
];

/** The destructive words of a service's client: its objects are there for others, too. */
export const SERVICE_DESTROYS: DestroyingWords = [
  [new RegExp(`(?:^| )${WORD}`), WHAT],
  [/(?:^| )(?<word>(?:-X|--method)[ =]?DELETE)(?= |$)/, WHAT],
  [new RegExp(String.raw`(?<=\S )(?<word>(?:[a-z]+[:-])?(?:${STOPS})(?:-[\w-]+)?)(?= |$)`), WHAT],
  [new RegExp(OPTION), WHAT],
  [/(?:^| )(?<word>(?:\w+:)?scale .*[ =]0)(?= |$)/, WHAT],
];

/** The destructive words of a language: a script of the project is a program in no table. */
export const SCRIPT_DESTROYS: DestroyingWords = [
  [
    new RegExp(String.raw`^(?!(?:-\S+ )*-\w*[ceEr] )${OPTIONS}(?:[\w./@-]+ )?${NO_CACHE}(?:[\w.-]+ ){0,2}${WORD}`),
    WHAT,
  ],
];

/** The effect of a command that publishes, or takes back, packages that other people install. */
export const PUBLISHES = "changes what other people install";

/** Words of commands that only show something. */
const SHOWS = longPattern`show\S*|list\S*|ls|status|info|get\S*|print|monitor|help|version|stats?|is-\S+|
  --(?:show|list|status|state|get|query|info|check|help|version)\S*|-V|-h`.source;

/** The patterns of a program that administers the machine: all commands but those that show something or are known to be harmless. */
export function allBut(harmless: string, what: string): DestroyingWords {
  return [[new RegExp(`^(?!(?:\\S+ ){0,3}(?:${SHOWS}|${harmless})(?: |$))`), what], ...DESTROYS];
}
