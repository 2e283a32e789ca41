import type { OptionLists } from "../../invocation/option-lists.js";

const MESSAGE = `-m -F -C -c --message --file --reuse-message --reedit-message --template -t --author --date --cleanup
  --trailer --fixup --squash`;
const COMMON = "-q -v --quiet --verbose --progress --no-progress -h --no-pager";
const MERGING = `-n -e --stat --no-stat --edit --no-edit --ff --no-ff --ff-only --squash --no-squash --commit
  --no-commit --signoff --no-signoff --verify --no-verify --verify-signatures --no-verify-signatures --autostash
  --no-autostash --allow-unrelated-histories --summary --no-summary --rerere-autoupdate --no-rerere-autoupdate --no-log
  --no-gpg-sign --overwrite-ignore --no-overwrite-ignore`;
const MERGING_VALUES = "-s -X --strategy --strategy-option --cleanup";
const FETCHING = `-a -f -p -t -n -k -u -4 -6 --all --append --force --keep --prune --no-prune --tags --no-tags
  --prune-tags --dry-run --multiple --update-head-ok --unshallow --atomic --ipv4 --ipv6 --no-recurse-submodules
  --set-upstream --refetch --update-shallow --no-write-fetch-head --write-commit-graph --no-auto-maintenance --auto-gc
  --no-auto-gc --show-forced-updates --no-show-forced-updates`;
const FETCHING_VALUES =
  "-j -o --depth --deepen --shallow-since --shallow-exclude --jobs --server-option --negotiation-tip --refmap --filter";
const SUBMODULES = "--recurse-submodules";

/**
 * Options of the commands of git that change something, beside those by which some of them also read. An option that is
 * not here is a doubt: git has many by which it runs other programs.
 */
export const GIT_WRITERS: Readonly<Record<string, OptionLists>> = {
  add: {
    flags: `-n -f -i -p -e -u -A -N --dry-run --force --interactive --patch --edit --update --all --no-all
      --ignore-removal --no-ignore-removal --intent-to-add --refresh --ignore-errors --ignore-missing --renormalize
      --sparse --pathspec-file-nul --no-warn-embedded-repo ${COMMON}`,
    values: "--chmod",
    reads: "--pathspec-from-file",
  },
  commit: {
    flags: `-a -p -s -n -e -o -i -z --all --patch --reset-author --short --branch --porcelain --long --null --signoff
      --no-signoff --no-verify --verify --allow-empty --allow-empty-message --edit --no-edit --amend --no-post-rewrite
      --include --only --dry-run --status --no-status --no-gpg-sign --pathspec-file-nul --interactive ${COMMON}`,
    values: MESSAGE,
    attached: "-S -u --gpg-sign --untracked-files",
    reads: "--pathspec-from-file",
  },
  push: {
    flags: `-f -u -d -n -4 -6 --all --branches --mirror --tags --follow-tags --no-follow-tags --atomic --no-atomic
      --dry-run --porcelain --delete --force --force-if-includes --no-force-if-includes --no-force-with-lease
      --set-upstream --thin --no-thin --prune --verify --no-verify --ipv4 --ipv6 --no-recurse-submodules --no-signed
      ${COMMON}`,
    values: "-o --push-option --repo",
    attached: `--force-with-lease --signed ${SUBMODULES}`,
    runs: "--receive-pack --exec",
  },
  fetch: { flags: `${FETCHING} ${COMMON}`, values: FETCHING_VALUES, attached: SUBMODULES, runs: "--upload-pack" },
  pull: {
    flags: `${FETCHING} ${MERGING} -r --no-rebase ${COMMON}`,
    values: `${FETCHING_VALUES} ${MERGING_VALUES}`,
    attached: `-S -r --rebase --log --gpg-sign ${SUBMODULES}`,
    runs: "--upload-pack",
  },
  clone: {
    flags: `-l -s -n --local --no-local --no-hardlinks --shared --no-checkout --bare --mirror --dissociate
      --single-branch --no-single-branch --no-tags --shallow-submodules --no-shallow-submodules --remote-submodules
      --no-remote-submodules --sparse --reject-shallow --no-reject-shallow --also-filter-submodules --recursive
      ${COMMON}`,
    values: `-o -b -j --origin --branch --depth --shallow-since --shallow-exclude --jobs --filter --server-option
      --bundle-uri --ref-format`,
    attached: SUBMODULES,
    loads: "--reference --reference-if-able",
    writes: "--separate-git-dir",
    runs: "-u --upload-pack",
    hazardValues: "-c --config --template",
  },
  merge: {
    flags: `${MERGING} --abort --continue --quit ${COMMON}`,
    values: `-m -F --into-name ${MERGING_VALUES}`,
    attached: "-S --gpg-sign --log",
  },
  rebase: {
    flags: `${MERGING} -i -f -k -r -m --interactive --onto --keep-base --continue --skip --abort --quit --edit-todo
      --show-current-patch --apply --merge --root --fork-point --no-fork-point --force-rebase --no-force-rebase
      --autosquash --no-autosquash --reset-author-date --committer-date-is-author-date --ignore-date --ignore-whitespace
      --keep-empty --no-keep-empty --reapply-cherry-picks --no-reapply-cherry-picks --reschedule-failed-exec
      --no-reschedule-failed-exec --update-refs --no-update-refs ${COMMON}`,
    values: `-C --onto --whitespace --empty ${MERGING_VALUES}`,
    attached: "-S --gpg-sign --rebase-merges --empty",
    runs: "-x --exec",
  },
  "cherry-pick": {
    flags: `-e -x -n -s --edit --no-edit --no-commit --signoff --ff --allow-empty --allow-empty-message
      --keep-redundant-commits --continue --skip --abort --quit --no-gpg-sign --rerere-autoupdate --no-rerere-autoupdate
      ${COMMON}`,
    values: "-m --mainline --cleanup --strategy -X --strategy-option --empty",
    attached: "-S --gpg-sign",
  },
  revert: {
    flags: `-e -n -s --edit --no-edit --no-commit --signoff --continue --skip --abort --quit --no-gpg-sign --reference
      ${COMMON}`,
    values: "-m --mainline --cleanup --strategy -X --strategy-option",
    attached: "-S --gpg-sign",
  },
  checkout: {
    flags: `-f -d -l -m -p -t -2 -3 --ours --theirs --force --detach --guess --no-guess --merge --patch
      --ignore-skip-worktree-bits --overwrite-ignore --no-overwrite-ignore --overlay --no-overlay --no-track
      --ignore-other-worktrees --pathspec-file-nul --no-recurse-submodules ${COMMON}`,
    values: "-b -B --orphan --conflict",
    attached: `--track ${SUBMODULES}`,
    reads: "--pathspec-from-file",
  },
  switch: {
    flags: `-d -f -m -t --detach --guess --no-guess --force --discard-changes --merge --no-track
      --ignore-other-worktrees --no-recurse-submodules ${COMMON}`,
    values: "-c -C --create --force-create --orphan --conflict",
    attached: `--track ${SUBMODULES}`,
  },
  restore: {
    flags: `-S -W -p -m --staged --worktree --patch --ours --theirs --merge --ignore-unmerged
      --ignore-skip-worktree-bits --overlay --no-overlay --pathspec-file-nul --no-recurse-submodules ${COMMON}`,
    values: "-s --source --conflict",
    attached: SUBMODULES,
    reads: "--pathspec-from-file",
  },
  reset: {
    flags: `-p -N --soft --mixed --hard --merge --keep --patch --intent-to-add --no-refresh --refresh
      --pathspec-file-nul --no-recurse-submodules ${COMMON}`,
    attached: SUBMODULES,
    reads: "--pathspec-from-file",
  },
  rm: {
    flags: `-f -n -r --force --dry-run --cached --ignore-unmatch --sparse --pathspec-file-nul ${COMMON}`,
    reads: "--pathspec-from-file",
  },
  mv: { flags: `-f -k -n --force --dry-run --sparse ${COMMON}` },
  clean: { flags: `-d -f -i -n -x -X --force --interactive --dry-run ${COMMON}`, values: "-e --exclude" },
  init: {
    flags: `--bare ${COMMON}`,
    values: "-b --initial-branch --object-format --ref-format",
    attached: "--shared",
    writes: "--separate-git-dir",
    hazardValues: "--template",
  },
  stash: {
    flags: `-p -k -u -a -S --patch --keep-index --no-keep-index --include-untracked --no-include-untracked
      --only-untracked --all --index --staged --pathspec-file-nul ${COMMON}`,
    values: "-m --message",
    reads: "--pathspec-from-file",
  },
  branch: {
    flags: `-d -D -m -M -c -C -f -t -u --delete --move --copy --force --no-track --unset-upstream --edit-description
      --create-reflog ${COMMON}`,
    values: "--set-upstream-to -u",
    attached: "--track --recurse-submodules",
  },
  tag: {
    flags: `-a -s -f -d -v -e --annotate --sign --no-sign --force --delete --verify --edit --create-reflog
      --no-create-reflog ${COMMON}`,
    values: "-m -F -u --message --file --local-user --cleanup --trailer",
    attached: "-n",
  },
  remote: {
    flags: `-f -p -t -m --fetch --tags --no-tags --prune --dry-run --add --delete --push --auto -a -d -n ${COMMON}`,
    attached: "--mirror",
  },
  worktree: {
    flags: `-f -d -l --force --detach --checkout --no-checkout --lock --guess-remote --no-guess-remote --no-track
      --track --dry-run --orphan --relative-paths ${COMMON}`,
    values: "-b -B --reason --expire",
  },
  submodule: {
    flags: `-f -N --init --force --remote --no-fetch --checkout --merge --rebase --recursive --recommend-shallow
      --no-recommend-shallow --single-branch --no-single-branch --all --default --dissociate --cached --files --progress
      ${COMMON}`,
    values: "-b -j --branch --name --depth --jobs --filter --ref-format",
    loads: "--reference",
  },
  bisect: { flags: `--no-checkout --first-parent ${COMMON}`, values: "--term-old --term-new --term-good --term-bad" },
  "sparse-checkout": {
    flags: `--cone --no-cone --sparse-index --no-sparse-index --stdin --skip-checks --end-of-options ${COMMON}`,
  },
  apply: {
    flags: `-3 -R -z -q -v --stat --numstat --summary --check --index --cached --intent-to-add --3way --apply --no-add
      --allow-overlap --inaccurate-eof --recount --reverse --reject --allow-empty --unidiff-zero --ignore-space-change
      --ignore-whitespace --binary ${COMMON}`,
    values: "-p -C --whitespace --exclude --include --build-fake-ancestor",
    writes: "--directory",
    hazards: "--unsafe-paths",
  },
  am: {
    flags: `-s -k -u -3 -c -i --signoff --keep --keep-non-patch --keep-cr --no-keep-cr --scissors --no-scissors --utf8
      --no-utf8 --3way --no-3way --ignore-space-change --ignore-whitespace --interactive --continue --skip --abort
      --quit --retry --no-verify --allow-empty --committer-date-is-author-date --ignore-date --reject -r --resolved
      ${COMMON}`,
    values: "-p -C --whitespace --exclude --include --patch-format --empty --quoted-cr --resolvemsg",
    attached: "-S --gpg-sign --show-current-patch",
    writes: "--directory",
  },
  notes: {
    flags: `-f --force --allow-empty --stdin --no-stripspace --ignore-missing ${COMMON}`,
    values: "-m -F -C -c -s --ref --strategy --message --file",
  },
  reflog: {
    flags: `--all --stale-fix --updateref --rewrite --dry-run --single-worktree ${COMMON}`,
    attached: "--expire --expire-unreachable",
  },
  "symbolic-ref": { flags: `-d --delete --recurse --no-recurse ${COMMON}`, values: "-m" },
  config: {
    flags: `-e --add --unset --unset-all --replace-all --rename-section --remove-section --edit --bool-or-int
      --expiry-date --no-type --fixed-value --append --all --regexp --show-names ${COMMON}`,
    values: "--comment --value --url --blob",
    loads: "-f --file",
  },
  gc: {
    flags: `--aggressive --auto --force --keep-largest-pack --no-prune --cruft --no-cruft --detach --no-detach
      ${COMMON}`,
    attached: "--prune",
  },
  archive: {
    flags: `-l -v -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --list --worktree-attributes ${COMMON}`,
    values: "--format --prefix --mtime --add-virtual-file",
    reads: "--add-file",
    writes: "-o --output",
    runs: "--exec",
    hazardValues: "--remote",
  },
  difftool: {
    flags: `-d -y -g --dir-diff --no-prompt --prompt --gui --no-gui --tool-help ${COMMON}`,
    runs: "-x --extcmd",
    hazardValues: "-t --tool",
  },
  mergetool: { flags: `-y -g --no-prompt --prompt --gui --no-gui --tool-help ${COMMON}`, hazardValues: "-t --tool -O" },
};

/** Options by which other commands of git run programs; what else they know is not listed. */
export const GIT_RUNNERS: Readonly<Record<string, OptionLists>> = {
  "ls-remote": { runs: "--upload-pack --exec" },
  "fetch-pack": { runs: "--upload-pack --exec" },
  "send-pack": { runs: "--receive-pack --exec" },
  "filter-branch": {
    runs: `--setup --env-filter --tree-filter --index-filter --parent-filter --msg-filter --commit-filter
      --tag-name-filter`,
    hazardValues: "--subdirectory-filter",
  },
  "send-email": { runs: "--sendmail-cmd --to-cmd --cc-cmd --header-cmd", hazardValues: "--smtp-server" },
  instaweb: { runs: "-b --browser", hazardValues: "-d --httpd" },
  daemon: { runs: "--access-hook" },
  help: { hazards: "-w --web -i --info" },
  grep: { runs: "-O --open-files-in-pager" },
};
