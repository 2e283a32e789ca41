import { longPattern, patternWith } from "../../../long-pattern.js";
import type { ProgramRow } from "../program-row.js";

const SOURCE = "git 2.39 manual";

const DIFF_FLAGS = `-p -u -s -b -w -W -a -R -r -t -z -m -c --patch --no-patch --raw --patch-with-raw --patch-with-stat
  --patience --minimal --histogram --numstat --shortstat --summary --compact-summary --name-only --name-status
  --no-color --no-color-moved --no-renames --full-index --binary --check --text --ignore-cr-at-eol --ignore-space-at-eol
  --ignore-space-change --ignore-all-space --ignore-blank-lines --function-context --exit-code --quiet --no-ext-diff
  --no-textconv --textconv --no-prefix --no-relative --pickaxe-all --pickaxe-regex --cumulative --indent-heuristic
  --no-indent-heuristic --find-copies-harder --irreversible-delete --cc --combined-all-paths --cached --staged
  --merge-base --no-index --base --ours --theirs -0 -1 -2 -3 --no-color-moved-ws --default-prefix --ita-visible-in-index
  --ita-invisible-in-index`;
const DIFF_VALUES = `-U -l -S -G -O --inter-hunk-context --diff-algorithm --anchored --ws-error-highlight --diff-filter
  --src-prefix --dst-prefix --line-prefix --skip-to --rotate-to --ignore-matching-lines -I --output-indicator-new
  --output-indicator-old --output-indicator-context --word-diff-regex`;
const DIFF_ATTACHED = `--stat --dirstat --color --color-words --color-moved --color-moved-ws --word-diff --abbrev
  --unified --submodule --ignore-submodules --relative --diff-merges --no-diff-merges -M -C -B -D -X --find-renames
  --find-copies --break-rewrites --stat-width --stat-count --stat-name-width --stat-graph-width`;
const LOG_FLAGS = `-i -E -F -P -g --oneline --graph --all --follow --no-merges --merges --reverse --date-order
  --author-date-order --topo-order --first-parent --no-decorate --source --use-mailmap --mailmap --full-diff --log-size
  --abbrev-commit --no-abbrev-commit --left-right --cherry --cherry-pick --cherry-mark --left-only --right-only
  --boundary --parents --children --walk-reflogs --relative-date --name-only --simplify-by-decoration --full-history
  --dense --sparse --simplify-merges --ancestry-path --not --stdin --regexp-ignore-case --extended-regexp
  --fixed-strings --perl-regexp --invert-grep --all-match --reflog --no-notes --no-expand-tabs --no-walk --do-walk
  --clear-decorations --no-mailmap --count --objects --bisect --quiet -q --ignore-missing --timestamp --header
  --object-names --no-object-names --unpacked --remove-empty --full-commit --single-worktree`;
const LOG_VALUES = `-n -L --max-count --skip --since --after --until --before --author --committer --grep --grep-reflog
  --min-parents --max-parents --date --encoding --glob --exclude --decorate-refs --decorate-refs-exclude`;
const LOG_ATTACHED = `--pretty --format --decorate --branches --tags --remotes --notes --show-notes --expand-tabs
  --no-walk --ancestry-path --since-as-filter`;
const DIFF_HAZARDS = "--ext-diff";
const OUTPUT = "--output";
/** Fields of a format, and to sort by, that are in the repository; a signature is checked by another program. */
const PLAIN_FIELDS = {
  text: longPattern`%\((?!(?:\*?(?:refname|objecttype|objectsize|objectname|deltabase|upstream|push|HEAD|color|align|if|
    then|else|end|symref|worktreepath|ahead-behind|describe|tree|parent|numparent|object|type|tag|author\w*|
    committer\w*|tagger\w*|creator\w*|subject|body|contents|raw|trailers|rest|version)\b)|[:)])|(?:^|[=:*-])signature`,
} as const;

const LOG: ProgramRow = {
  manual: SOURCE,
  kind: "reads",
  flags: `${DIFF_FLAGS} ${LOG_FLAGS}`,
  values: `${DIFF_VALUES} ${LOG_VALUES}`,
  attached: `${DIFF_ATTACHED} ${LOG_ATTACHED}`,
  hazards: DIFF_HAZARDS,
  writes: OUTPUT,
  // Signatures are checked by another program; to merge again takes the drivers of merges.
  escapes: { text: /%[-+ ]?G|^--diff-m[a-z-]*=r/ },
  digits: true,
};
const DIFF: ProgramRow = {
  manual: SOURCE,
  kind: "reads",
  flags: DIFF_FLAGS,
  values: DIFF_VALUES,
  attached: DIFF_ATTACHED,
  hazards: DIFF_HAZARDS,
  writes: OUTPUT,
};

/** Commands of `reflog` that read, and what is plainly a branch or a commit. */
const READS_LOG_OF = /^(?:(?:show|list|exists|HEAD|main|master|stash)(?: |$)|[^ \n]*[/@~^]|$)/;

/** The commands of git that only read, or do with some of their options. */
export const GIT_READERS: Readonly<Record<string, ProgramRow>> = {
  status: reads(
    `-s -b -v -z -M --short --branch --show-stash --long --verbose --ahead-behind --no-ahead-behind --renames
      --no-renames --null`,
    "",
    "-u --untracked-files --ignored --ignore-submodules --porcelain --column --no-column --find-renames",
  ),
  log: LOG,
  show: LOG,
  "rev-list": LOG,
  shortlog: {
    ...LOG,
    flags: `${LOG.flags} -s -n -e --summary --numbered --email`,
    values: `${DIFF_VALUES} --group`,
    attached: `${LOG.attached} -w`,
  },
  diff: DIFF,
  "diff-tree": { ...DIFF, flags: `${DIFF_FLAGS} --root --stdin --no-commit-id --always -v --pretty` },
  "diff-index": DIFF,
  "diff-files": DIFF,
  "range-diff": { ...DIFF, values: `${DIFF_VALUES} --creation-factor` },
  blame: reads(
    `-b -c -l -f -n -s -e -w -p -t --root --show-stats --incremental --show-name --show-number --show-email --porcelain
      --line-porcelain --progress --no-progress --minimal`,
    "-L -S --date --ignore-rev --ignore-revs-file --contents --since --after --until --before",
    "-M -C --abbrev",
  ),
  annotate: reads("-b -l -f -n -s -e -w", "-L"),
  cherry: reads("-v --verbose", "", "--abbrev"),
  describe: reads(
    "--all --tags --contains --exact-match --debug --long --always --first-parent",
    "--match --exclude --candidates",
    "--dirty --broken --abbrev",
  ),
  "rev-parse": reads(
    `-q --verify --quiet --short --symbolic --symbolic-full-name --all --show-toplevel --show-prefix --show-cdup
      --git-dir --absolute-git-dir --git-common-dir --is-inside-git-dir --is-inside-work-tree --is-bare-repository
      --is-shallow-repository --abbrev-ref --not --sq --revs-only --no-revs --flags --no-flags --local-env-vars
      --show-superproject-working-tree --show-object-format --show-ref-format`,
    "--git-path --default --prefix --resolve-git-dir --since --after --until --before --disambiguate",
    "--short --abbrev-ref --branches --tags --remotes --glob --exclude --path-format",
  ),
  "ls-files": reads(
    `-c -d -m -o -i -s -u -k -t -v -f -z --cached --deleted --modified --others --ignored --stage --unmerged --killed
      --directory --no-empty-directory --eol --deduplicate --exclude-standard --error-unmatch --full-name
      --recurse-submodules --sparse --debug`,
    "-x -X --exclude --exclude-from --exclude-per-directory --with-tree --format",
    "--abbrev",
  ),
  "ls-tree": reads(
    "-d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree",
    "--format",
    "--abbrev",
  ),
  "cat-file": reads(
    "-e -p -t -s --follow-symlinks --batch-all-objects --unordered --buffer",
    "",
    "--batch --batch-check",
  ),
  "merge-base": reads("-a --all --octopus --independent --is-ancestor --fork-point"),
  "name-rev": reads("--tags --all --name-only --no-undefined --always", "--refs --exclude"),
  "for-each-ref": {
    ...reads(
      "-s -p --shell --perl --python --tcl --ignore-case --omit-empty",
      "--count --sort --format --color --points-at --exclude",
      "--merged --no-merged --contains --no-contains",
    ),
    escapes: PLAIN_FIELDS,
  },
  "show-ref": reads(
    "--head --heads --branches --tags -d --dereference --verify -q --quiet",
    "",
    "-s --hash --abbrev --exclude-existing",
  ),
  "show-branch": reads(
    "-r -a --remotes --all --current --topo-order --sparse --list --independent --no-name --sha1-name --topics",
    "",
    "--more --merge-base --color --reflog",
  ),
  "count-objects": reads("-v -H --verbose --human-readable"),
  "check-ignore": reads("-q -v -z -n --quiet --verbose --stdin --non-matching --no-index"),
  "check-attr": reads("-a -z --all --stdin --cached"),
  "check-ref-format": reads("--branch --normalize --allow-onelevel --refspec-pattern"),
  var: {
    ...reads(""),
    each: /^GIT_\w+$/,
  },
  version: reads("--build-options"),
  help: {
    ...reads("-a -g --all --guides --verbose --no-verbose"),
    // A page is shown by what the settings name.
    most: 0,
  },
  grep: {
    ...reads(
      `-a -I -i -w -v -h -H -E -G -P -F -n -l -L -z -c -p -W -o -r -q --cached --untracked --no-exclude-standard
        --exclude-standard --recurse-submodules --text --ignore-case --word-regexp --invert-match --full-name
        --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches
        --name-only --files-without-match --null --only-matching --count --no-color --break --heading --show-function
        --function-context --and --or --not --all-match --quiet --recursive --no-recursive --no-textconv --textconv (
        )`,
      "-A -B -C -e -f -m --max-depth --max-count --after-context --before-context --context --threads",
      "--color",
    ),
    hazards: "-O --open-files-in-pager --no-index",
    digits: true,
    analyze: (call, options) => options.has("--untracked", "--no-exclude-standard") && call.readDirectory(),
  },
  branch: {
    ...reads(
      `-a -r -v -q -i --all --remotes --list -l --verbose --show-current --ignore-case --no-color --no-column
        --no-abbrev`,
      "--sort --format --points-at",
      "--color --column --abbrev --contains --no-contains --merged --no-merged",
    ),
    escapes: PLAIN_FIELDS,
    // It lists when asked to, or when it is given no name that it would make.
    most: 0,
    anyWith: "-l --list -a --all -r --remotes --contains --no-contains --merged --no-merged",
  },
  tag: {
    ...reads(
      "-l --list -i --ignore-case --no-column",
      "-n --sort --format --points-at",
      "--column --contains --no-contains --merged --no-merged --color",
    ),
    escapes: PLAIN_FIELDS,
    most: 0,
    anyWith: "-l --list --contains --merged",
  },
  remote: {
    ...reads("-v -n --verbose --all --push"),
    analyze(call, { operands: [first], options }) {
      // Without the option it asks the other repository.
      const isOffline = first?.value === "show" && options.some(({ name }) => name === "-n");
      if (first && first.value !== "get-url" && !isOffline) call.acts();
    },
  },
  stash: subcommands("list|show", LOG),
  worktree: subcommands("list", reads("-v -z --verbose --porcelain")),
  "sparse-checkout": subcommands("list", reads("")),
  clean: { ...reads("-n -d -x -X -q --dry-run --quiet", "-e --exclude"), needs: "-n --dry-run" },
  apply: {
    ...reads(
      `--check --stat --numstat --summary -R --reverse -v -q -z --verbose --quiet --recount --ignore-whitespace
      --ignore-space-change --unidiff-zero --allow-empty --no-add`,
      "-p -C --whitespace --include --exclude",
    ),
    needs: "--check --stat --numstat --summary",
    operands: "read",
  },
  submodule: { ...reads("-q --quiet --cached --recursive --files"), shows: /^(?:(?:status|summary)(?: |$)|$)/ },
  notes: subcommands("list|show", reads("")),
  reflog: {
    ...LOG,
    shows: READS_LOG_OF,
  },
  bisect: subcommands("log", reads("")),
  "symbolic-ref": {
    ...reads("-q --quiet --short"),
    most: 1,
  },
  config: {
    ...reads(
      `-l -z --list --null --show-origin --show-scope --name-only --global --system --local --worktree --includes
        --no-includes --bool --int --path --get --get-all --get-regexp`,
      "--type --default",
      "--get-color --get-colorbool --get-urlmatch",
    ),
    analyze(call, options) {
      // A person's own settings may hold a password: those named here are known to be none.
      const isOwn = options.has("--local", "--worktree") || options.has("--name-only");
      const isListed = options.has("-l", "--list", "--get-regexp") && isOwn;
      const [name, ...more] = options.operands;
      const isNamed =
        name !== undefined &&
        more.length === 0 &&
        !options.has("--get-regexp") &&
        PUBLIC_SETTING.test(name.value ?? "");
      if (!isListed && !isNamed) call.acts();
    },
  },
};

/** `user.name`, `remote.origin.url`: settings in which nobody keeps a password, unless it stands in an address. */
const PUBLIC_SETTING = patternWith("i")`^(?:user\.(?:name|email|signingkey|useconfigonly)|(?:core|init|pull|push|fetch|
  branch|merge|rebase|diff|color|column|commit|tag|log|format|status|advice|submodule|rerere|gc|pack|index|extensions|
  alias|remote)\..+)$`;

function reads(flags: string, values?: string, attached?: string): ProgramRow {
  return { manual: SOURCE, kind: "reads", flags: `${flags} --no-pager`, values, attached };
}

/** One of these commands, whatever follows. */
function subcommands(reading: string, entry: ProgramRow): ProgramRow {
  return { ...entry, shows: new RegExp(`^(?:${reading})(?: |$)`) };
}
