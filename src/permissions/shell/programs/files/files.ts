import type { ProgramRow } from "../program-row.js";
import { CHANGES_FILES, does, reads } from "../reach.js";
import { ACCESS_PROGRAMS } from "./access.js";

const COREUTILS = "GNU coreutils 9.1 manual";
const COMMON = "--help --version";

/** Programs that show, make, move and remove files. */
export const FILE_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  ls: reads(COREUTILS, {
    flags: `-a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z
      -1 --all --almost-all --author --escape --ignore-backups --directory --dired --group-directories-first --no-group
      --human-readable --si --dereference --dereference-command-line --inode --kibibytes --numeric-uid-gid --literal
      --hide-control-chars --show-control-chars --quote-name --reverse --recursive --size --context --zero
      --dereference-command-line-symlink-to-dir --file-type --full-time ${COMMON} -e -O -@ -P -W`,
    values: `-I -T -w --block-size --format --hide --ignore --indicator-style --quoting-style --sort --tabsize --time
      --time-style --width`,
    attached: "--color --classify --hyperlink",
    operands: "directory",
    only: "names",
  }),
  stat: reads(COREUTILS, {
    flags: `-L -f -t --dereference --file-system --terse ${COMMON} -x -q -r -s`,
    values: "-c --format --printf --cached",
    operands: "read",
    only: "names",
  }),
  du: reads(COREUTILS, {
    flags: `-0 -a -b -c -D -h -H -k -l -L -m -P -s -S -x --null --all --apparent-size --bytes --total --dereference-args
      --human-readable --inodes --count-links --dereference --no-dereference --separate-dirs --si --summarize --time
      --one-file-system ${COMMON}`,
    values: "-B -d -t --block-size --max-depth --threshold --exclude --time-style",
    reads: "-X --exclude-from --files0-from",
    namesFiles: "--files0-from",
    operands: "directory",
    recursive: true,
    only: "names",
  }),
  df: reads(COREUTILS, {
    flags: `-a -h -H -i -k -l -P -T -v -m --all --human-readable --si --inodes --local --no-sync --portability
      --print-type --total ${COMMON}`,
    values: "-B -t -x --block-size --type --exclude-type",
    attached: "--output",
  }),
  file: reads("file(1), 5.44", {
    flags: `-b -E -h -i -I -k -L -l -N -n -p -r -s -S -v -0 --brief --mime --mime-type --mime-encoding --keep-going
      --dereference --no-dereference --no-pad --raw --extension --print0 ${COMMON}`,
    values: "-F -P -e --separator --parameter --exclude",
    reads: "-f --files-from -m --magic-file",
    namesFiles: "-f --files-from",
    hazards: "-C --compile -z -Z --uncompress",
    operands: "read",
    only: "files",
  }),
  basename: { manual: COREUTILS, kind: "reads", flags: `-a -z --multiple --zero ${COMMON}`, values: "-s --suffix" },
  dirname: { manual: COREUTILS, kind: "reads", flags: `-z --zero ${COMMON}` },
  realpath: reads(COREUTILS, {
    flags: `-e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip
      --no-symlinks --zero ${COMMON}`,
    values: "--relative-to --relative-base",
    operands: "read",
    only: "names",
  }),
  readlink: reads(COREUTILS, {
    flags: `-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet
      --silent --verbose --zero ${COMMON}`,
    operands: "read",
    only: "names",
  }),
  pathchk: reads(COREUTILS, { flags: "-p -P --portability" }),
  cp: {
    ...mover("copy"),
    search: { follows: / (?:-[a-zA-Z]*L|--der)/ },
    flags: `-a -r -R -f -i -n -p -v -u -L -P -H -d -x -l -s -T -b -Z --archive --recursive --force --interactive
      --no-clobber --verbose --update --dereference --no-dereference --one-file-system --link --symbolic-link
      --no-target-directory --remove-destination --strip-trailing-slashes --attributes-only --parents --copy-contents
      --debug ${COMMON}`,
    attached: "--backup --preserve --no-preserve --reflink --sparse --update --context",
  },
  mv: {
    ...mover("move"),
    flags: `-f -i -n -v -u -T -b -Z --force --interactive --verbose --no-clobber --update --no-target-directory
      --strip-trailing-slashes --no-copy --debug --exchange ${COMMON}`,
    attached: "--backup --update",
  },
  ln: {
    ...mover("link"),
    flags: `-s -f -n -v -r -b -i -L -P -T -d -F --symbolic --force --relative --verbose --no-dereference --interactive
      --logical --physical --no-target-directory --directory ${COMMON}`,
  },
  install: {
    ...mover("copy"),
    flags: `-c -C -d -D -p -s -v -T -b -Z --directory --compare --preserve-timestamps --strip --verbose
      --no-target-directory ${COMMON}`,
    values: "-m -o -g -S -t --mode --owner --group --target-directory",
    runs: "--strip-program",
    instead: [{ with: "-d --directory", transfers: undefined, operands: "create" }],
  },
  rm: does(CHANGES_FILES, COREUTILS, {
    flags: `-f -i -I -r -R -d -v --force --interactive --recursive --dir --verbose --one-file-system --no-preserve-root
      --preserve-root ${COMMON}`,
    operands: "delete",
    recursive: "-r -R --recursive",
  }),
  rmdir: does(CHANGES_FILES, COREUTILS, {
    flags: `-p -v --parents --verbose --ignore-fail-on-non-empty ${COMMON}`,
    operands: "delete",
  }),
  unlink: { manual: COREUTILS, does: CHANGES_FILES, flags: COMMON, operands: "delete" },
  shred: does(CHANGES_FILES, COREUTILS, {
    flags: "-f -u -v -x -z --force --verbose --zero --exact",
    values: "-n -s --iterations --size",
    attached: "--remove",
    destroys: [[/^/, "overwrites files"]],
    reads: "--random-source",
    operands: "delete",
  }),
  touch: does(CHANGES_FILES, COREUTILS, {
    repeatable: [""],
    flags: `-a -c -f -h -m --no-create --no-dereference ${COMMON}`,
    values: "-d -t --date --time",
    reads: "-r --reference",
    operands: "write",
  }),
  mkdir: { ...creates("-p -v -Z --parents --verbose", "-m --mode"), repeatable: [""] },
  mkfifo: creates("", "-m --mode"),
  mktemp: does(CHANGES_FILES, COREUTILS, {
    flags: `-d -u -q -t --directory --dry-run --quiet ${COMMON}`,
    values: "-p --suffix",
    attached: "--tmpdir",
    operands: "write",
  }),
  truncate: does(CHANGES_FILES, COREUTILS, {
    flags: `-c -o --no-create --io-blocks ${COMMON}`,
    values: "-s --size",
    reads: "-r --reference",
    operands: "write",
    destroys: [[/^(?!.*(?:-s|--size)[= ]?\+)/, "truncates a file"]],
  }),
  tee: does(CHANGES_FILES, COREUTILS, {
    flags: `-a -i -p --append --ignore-interrupts ${COMMON}`,
    attached: "--output-error",
    operands: ["write"],
    shows: /^(?:\/dev\/(?:null|stderr)(?: |$))*$/,
  }),
  ...ACCESS_PROGRAMS,
  dd: does(CHANGES_FILES, COREUTILS, {
    anyOptions: true,
    assigned: { "if=": "read", "of=": "write" },
  }),
};

function mover(transfers: "copy" | "move" | "link"): ProgramRow {
  return {
    manual: COREUTILS,
    does: CHANGES_FILES,
    values: "-S -t --suffix --target-directory",
    attached: "--backup",
    transfers,
  };
}

function creates(flags: string, values: string): ProgramRow {
  return {
    manual: COREUTILS,
    does: CHANGES_FILES,
    flags: `${flags} ${COMMON}`,
    values,
    operands: "create",
  };
}
