// Settings of a repository, as git reads them while it only looks: which of them are known to be data.
import { longPattern } from "../long-pattern.js";

/**
 * Settings that hold data, or that git reads only when it changes something or connects. Source: git-config(1), 2.39.
 * Any other setting, also of a tool's own, may name a program, something to fetch, or a file of which git shows lines.
 */
const DATA = longPattern`^(?!.*\.fsck\.skiplist$)(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|
  ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|untrackedcache|preloadindex|splitindex|
  longpaths|protecthfs|protectntfs|checkstat|trustctime|compression|bigfilethreshold|whitespace|commentchar|
  excludesfile|editor|multipackindex|commitgraph|sparsecheckout(?:cone)?|sharedrepository|fscache|createobject|
  deltabasecachelimit|packedgit\w+|notesref|warnambiguousrefs|checkroundtripencoding|ignorestat|sshcommand|askpass|
  gitproxy)|extensions\.(?:objectformat|compatobjectformat|worktreeconfig|preciousobjects|refstorage|relativeworktrees|
  noop)|remote\..*\.(?:url|pushurl|fetch|push|tagopt|prune|prunetags|mirror|skipdefaultupdate|skipfetchall|gh-resolved|
  github-pr-remote|lfsurl)|diff\.(?:algorithm|colormoved|colormovedws|context|interhunkcontext|renames|renamelimit|
  mnemonicprefix|noprefix|srcprefix|dstprefix|submodule|wserrorhighlight|indentheuristic|ignoresubmodules|
  statgraphwidth|statnamewidth|tool|guitool|orderfile|relative|suppressblankempty|wordregex|autorefreshindex|dirstat)|
  diff\..*\.(?:xfuncname|funcname|binary|wordregex|algorithm|cachetextconv)|filter\..*\.required|log\.(?:date|decorate|
  abbrevcommit|follow|mailmap|graphcolors|excludedecoration|initialdecorationset)|submodule\.(?:.*\.)?(?:url|active|
  update|branch|ignore|shallow|fetchrecursesubmodules|recurse|fetchjobs|propagatebranches|alternatelocation|
  alternateerrorstrategy)|blame\.(?!ignorerevsfile).*|gpg\..*|protocol\.version|lfs\.(?:repositoryformatversion|url|
  concurrenttransfers|(?:.*\.)?(?:access|locksverify))|merge\.[^.]+|(?:user|author|committer|branch|init|pull|push|
  fetch|rebase|commit|tag|am|apply|color|column|advice|i18n|status|grep|index|feature|versionsort|gc|maintenance|pack|
  repack|receive|transfer|stash|rerere|notes|reset|checkout|switch|worktree|clean|clone|bundle|alias|credential|http|
  https|url|ssh|sendemail|gui|gitk|difftool|mergetool|sequence|safe)\..*)$`;

/** The settings among them that name programs for commands that change something, or connect. */
const LATER = longPattern`^(?:core\.(?:editor|sshcommand|askpass|gitproxy)|(?:diff|merge)\.(?:gui)?tool|(?:credential|
  gpg|alias|sendemail|gui|gitk|difftool|mergetool|sequence|url|http|https|ssh)\..*)$`;

/** Sections that other tools keep there for themselves, and git never reads. */
const OTHER_TOOLS = longPattern`^(?:gitflow|git-town|git-town-branch|gitbutler|branchless|graphite|svn-remote|git-p4|
  oh-my-zsh|bash|delta|hub|gitreview|forge|stgit|spice)\..*$`;

/** Settings that can name a program or a file, and values with which they name none, or one that is known. */
const KNOWN_VALUES: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^(?:core\.(?:fsmonitor|pager)|pager\..*|interactive\.difffilter)$/, /^(?:true|false|yes|no|on|off|0|1|cat|)$/i],
  [/^(?:core\.pager|pager\..*)$/, /^(?:less(?: -[FRSX]+)?|more|delta|bat)$/],
  [/^filter\.lfs\.(?:clean|smudge)$/, /^git-lfs (?:clean|smudge(?: --skip)?) -- %f$/],
  [/^filter\.lfs\.process$/, /^git-lfs filter-process(?: --skip)?$/],
  [/^merge\..*\.driver$/, /^true$/],
];

/**
 * The first setting by which git may run a program, or fetch something, while it only looks; `undefined` when none
 * does. `places`: which paths are as they should be. `changes`: it may do more than look.
 */
export function steeringSetting(
  text: string,
  places: Readonly<Record<string, (path: string) => boolean>>,
  changes = false,
): string | undefined {
  const found = settingsIn(text).find(
    ([name, value]) =>
      (!DATA.test(name) || (changes && LATER.test(name))) &&
      !OTHER_TOOLS.test(name) &&
      !(Object.hasOwn(places, name) && places[name]!(value)) &&
      !KNOWN_VALUES.some(([names, values]) => names.test(name) && values.test(value)),
  );
  return found?.[0];
}

const HEADER = /^\s*\[([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\](.*)$/;
const ENTRY = /^([A-Za-z][\w-]*)\s*(?:=(.*))?$/s;
const NOTHING = /^\s*(?:[#;].*)?$/;

/** Names in lower case, but for the part in quotes. A line that is not understood is a setting of that name. */
function settingsIn(text: string): readonly (readonly [name: string, value: string])[] {
  let section = "";
  return text.split("\n").flatMap((line) => {
    const [, name, sub, rest = line] = HEADER.exec(line) ?? [];
    if (name !== undefined) section = `${name.toLowerCase()}.${sub === undefined ? "" : `${sub}.`}`;
    // A value that goes on takes in what looks like the next section.
    if (/\\\s*$/.test(line)) return [[line.trim(), ""] as const];
    if (NOTHING.test(rest)) return [];
    const [, key, value = ""] = ENTRY.exec(rest.trim()) ?? [];
    return [key === undefined ? ([line.trim(), ""] as const) : ([section + key.toLowerCase(), value.trim()] as const)];
  });
}
