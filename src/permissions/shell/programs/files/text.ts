import type { ProgramRow } from "../program-row.js";
import { CHANGES_FILES, does, reads } from "../reach.js";
import { FILTER_PROGRAMS } from "./filters.js";

const COREUTILS = "GNU coreutils 9.1 manual";
const COMMON = "--help --version";

/** Programs that read files or their input and print. */
export const TEXT_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  cat: reader(`-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank
    --show-tabs --show-nonprinting`),
  tac: reader("-b -r --before --regex", "-s --separator"),
  head: { ...reader("-q -v -z --quiet --silent --verbose --zero-terminated", "-c -n --bytes --lines"), digits: true },
  tail: {
    ...reader(
      "-f -F -q -v -z --quiet --silent --verbose --retry --zero-terminated",
      "-c -n -s --bytes --lines --pid --max-unchanged-stats --sleep-interval",
    ),
    attached: "--follow",
    digits: true,
  },
  wc: {
    ...reader("-c -m -l -L -w --bytes --chars --lines --max-line-length --words", "--total"),
    reads: "--files0-from",
    namesFiles: "--files0-from",
  },
  nl: reader(
    "-p --no-renumber",
    `-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering --header-numbering
    --line-increment --join-blank-lines --number-format --number-separator --starting-line-number --number-width`,
  ),
  cut: reader(
    "-n -s -z --complement --only-delimited --zero-terminated",
    "-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter",
  ),
  paste: reader("-s -z --serial --zero-terminated", "-d --delimiters"),
  join: reader(
    "-i -z --ignore-case --check-order --nocheck-order --header --zero-terminated",
    "-a -e -j -o -t -v -1 -2",
  ),
  comm: reader("-1 -2 -3 -z --check-order --nocheck-order --total --zero-terminated", "--output-delimiter"),
  fold: reader("-b -s --bytes --spaces", "-w --width"),
  fmt: {
    ...reader(
      "-c -s -t -u --crown-margin --split-only --tagged-paragraph --uniform-spacing",
      "-p -w -g --width --goal --prefix",
    ),
    digits: true,
  },
  pr: { ...reader("-a -c -d -f -F -J -m -r -t -T -v", "-D -e -h -i -l -n -N -o -s -S -w -W"), digits: true },
  column: {
    ...reader(
      "-t -x -n -e -J --table --json --fillrows",
      "-c -s -o -N -R -T -H -O -l --separator --output-separator --table-columns --table-right",
    ),
    manual: "util-linux 2.38 manual",
  },
  expand: reader("-i --initial", "-t --tabs"),
  unexpand: reader("-a --all --first-only", "-t --tabs"),
  rev: { ...reader(""), manual: "util-linux 2.38 manual" },
  od: reader(
    "-b -c -d -i -l -o -s -x -v --output-duplicates --traditional",
    "-A -j -N -S -t --address-radix --skip-bytes --read-bytes --format --endian",
    "-w --width",
  ),
  hexdump: { ...reader("-b -c -C -d -o -x -v -X", "-e -n -s -L", ""), reads: "-f", manual: "util-linux 2.38 manual" },
  hexyl: reads("hexyl 0.14 manual", {
    flags: "-v -C -P -p -h -V --no-squeezing --characters --no-characters --no-position --plain --help --version",
    values: `-n -c -l -s -o -b -g --length --bytes --skip --display-offset --block-size --border --color --panels
      --group-size --character-table --base --terminal-width --endianness`,
    operands: "read",
    only: "files",
  }),
  strings: {
    ...reader(
      "-a -d -f -w -o --all --data --print-file-name --include-all-whitespace",
      "-n -t -e -s -T --bytes --radix --encoding --target --output-separator",
    ),
    digits: true,
    manual: "GNU binutils 2.40 manual",
    responseFiles: true,
  },
  cksum: sum("-a --algorithm", "--untagged --raw --base64 --debug"),
  "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum": sum(),
  b2sum: sum("-l --length"),
  sum: reader("-r -s --sysv"),
  md5: { ...reader("-q -r -p", "-s"), manual: "macOS 14 manual" },
  shasum: { ...sum("-a --algorithm", "-U -0 -q -s --UNIVERSAL"), manual: "Digest::SHA 6 manual" },
  base64: reader("-d -i -D --decode --ignore-garbage", "-w --wrap"),
  base32: reader("-d -i --decode --ignore-garbage", "-w --wrap"),
  tsort: reader(""),
  uniq: reads(COREUTILS, {
    flags: `-c -d -D -i -u -z --count --repeated --ignore-case --unique --zero-terminated ${COMMON}`,
    values: "-f -s -w --skip-fields --skip-chars --check-chars",
    attached: "--all-repeated --group",
    digits: true,
    operands: ["read", "output"],
    only: "files",
  }),
  sort: reads(COREUTILS, {
    flags: `-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z --ignore-leading-whitespace --dictionary-order
      --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort
      --random-sort --reverse --version-sort --merge --stable --unique --zero-terminated --debug ${COMMON}`,
    values: "-k -S -t --key --buffer-size --field-separator --sort --parallel --batch-size",
    attached: "--check",
    reads: "--files0-from --random-source",
    namesFiles: "--files0-from",
    writes: "-o --output",
    runs: "--compress-program",
    hazardValues: "-T --temporary-directory",
    operands: "read",
    only: "files",
  }),
  shuf: reads(COREUTILS, {
    flags: `-e -r -z --echo --repeat --zero-terminated ${COMMON}`,
    values: "-i -n --input-range --head-count",
    reads: "--random-source",
    writes: "-o --output",
    operands: "read",
    instead: [{ with: "-e --echo", operands: "text" }],
  }),
  split: does({ writes: "named", runs: "named", connects: "nothing" }, COREUTILS, {
    informs: "--help --version",
    flags: `-d -x -e -u --elide-empty-files --unbuffered --verbose ${COMMON}`,
    attached: "--numeric-suffixes --hex-suffixes",
    operands: "write",
    runs: "--filter",
    values: "-a -b -C -l -n -t --bytes --line-bytes --lines --number --suffix-length --separator --additional-suffix",
  }),
  csplit: { manual: COREUTILS, does: CHANGES_FILES, anyOptions: true, operands: "mention" },
  tr: reads(COREUTILS, { flags: `-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1 ${COMMON}` }),
  diff: reads("GNU diffutils 3.8 manual", {
    search: { follows: /^(?!.* --no-d)/ },
    flags: `-q -s -c -u -e -n -y -a -b -B -d -E -i -l -p -r -t -T -w -Z -N -P --brief --report-identical-files --ed
      --rcs --side-by-side --text --ignore-space-change --ignore-blank-lines --minimal --ignore-tab-expansion
      --ignore-case --paginate --show-c-function --recursive --expand-tabs --initial-tab --ignore-all-space
      --ignore-trailing-space --new-file --normal --unidirectional-new-file --strip-trailing-cr --suppress-common-lines
      --left-column --speed-large-files --no-dereference --suppress-blank-empty --ignore-file-name-case ${COMMON}`,
    values: `-C -D -F -I -L -S -U -W -x --label --show-function-line --ignore-matching-lines --exclude --starting-file
      --width --horizon-lines --tabsize --ifdef --line-format --color --palette`,
    attached: "--context --unified",
    reads: "-X --exclude-from --from-file --to-file",
    operands: "read",
    // It compares the files in two directories.
    recursive: true,
    digits: true,
  }),
  sdiff: reads("GNU diffutils 3.8 manual", {
    flags: `-a -b -B -d -E -i -l -s -t -W -Z --text --ignore-space-change --ignore-blank-lines --minimal --ignore-case
      --left-column --suppress-common-lines --expand-tabs --ignore-all-space ${COMMON}`,
    values: "-I -w --ignore-matching-lines --width --tabsize",
    writes: "-o --output",
    runs: "--diff-program",
    operands: "read",
  }),
  diff3: reads("GNU diffutils 3.8 manual", {
    flags: `-a -A -e -E -i -m -T -x -X -3 --text --show-all --ed --show-overlap --easy-only --overlap-only --merge
      --initial-tab ${COMMON}`,
    values: "-L --label",
    runs: "--diff-program",
    operands: "read",
  }),
  cmp: reads("GNU diffutils 3.8 manual", {
    flags: `-b -l -s --print-bytes --verbose --quiet --silent ${COMMON}`,
    values: "-i -n --ignore-initial --bytes",
    operands: ["read", "read", "text"],
  }),
  xxd: reads("xxd(1), 2022-01-14", {
    flags: "-a -b -C -d -e -E -i -p -ps -plain -u -v -h -postscript",
    values: "-c -g -l -n -o -s -cols -groupsize -len -seek -name",
    hazards: "-r -revert",
    singleDash: true,
    operands: ["read", "output", "text"],
    only: "files",
  }),
  ...FILTER_PROGRAMS,
  gofmt: reads("Go 1.22 documentation", {
    repeatable: [""],
    flags: "-l -d -s -e -w",
    values: "-r",
    writes: "-cpuprofile",
    singleDash: true,
    informs: "--version",
    operands: "read",
    recursive: true,
    instead: [
      { with: "-w", operands: "edit" },
      { with: "-d", operands: "read" },
      { with: "-l", recursive: false, only: "files" },
    ],
  }),
  iconv: reads("glibc 2.36 manual", {
    flags: "-c -l -s --list --silent --verbose",
    // A name with a slash may be a file.
    reads: "-f -t --from-code --to-code",
    noFiles: { values: /^[\w.:+-]*(?:\/\/\w*)*$/ },
    writes: "-o --output",
    operands: "read",
  }),
};

function reader(flags: string, values?: string, attached?: string): ProgramRow {
  return {
    manual: COREUTILS,
    kind: "reads",
    flags: `${flags} ${COMMON}`,
    values,
    attached,
    operands: "read",
    only: "files",
  };
}

function sum(values?: string, flags = ""): ProgramRow {
  const row = reader(
    `-b -c -t -z -w --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn ${flags}`,
    values,
  );
  return { ...row, namesFiles: "-c --check" };
}
