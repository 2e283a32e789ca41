import { DYNAMIC, replaceMarker } from "../../invocation/marker.js";
import type { ParsedOptions } from "../../invocation/options.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { literalWord, type ShellWord } from "../../words/shell-word.js";
import type { ProgramRow } from "../program-row.js";
import { does, RUNS_CODE, reads, STARTS } from "../reach.js";
import { analyzeFind } from "./find.js";

const GREP: ProgramRow = reads("GNU grep 3.8 manual", {
  flags: `-E -F -G -P -i -y -v -w -x -c -L -l -o -q -s -b -H -h -n -T -u -Z -z -a -I -r -R -U --extended-regexp
    --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp
    --line-regexp --count --files-without-match --files-with-matches --only-matching --quiet --silent --no-messages
    --byte-offset --with-filename --no-filename --line-number --initial-tab --null --null-data --text --recursive
    --dereference-recursive --binary --line-buffered --help --version -V`,
  values: `-e -m -A -B -C -D -d --regexp --max-count --after-context --before-context --context --devices --directories
    --binary-files --label --include --exclude --exclude-dir`,
  attached: "--color --colour",
  reads: "-f --file --exclude-from",
  digits: true,
  search: { skips: "--exclude-dir", omits: "--exclude", only: "--include" },
  operands: "pattern",
  only: "files",
  recursive: "-r -R --recursive --dereference-recursive -d --directories",
});

const FINDS = { ...STARTS, writes: "named" } as const;

/** Programs that look for files and text. */
export const SEARCH_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  "grep egrep fgrep": GREP,
  "zgrep zegrep zfgrep": { ...GREP, manual: "gzip 1.12 manual" },
  rg: reads("ripgrep 13.0 and 14.1 manuals", {
    flags: `-s -F -i -v -n -N -x -P -S -z -l -c -o -p -q -H -I -L -a -u -U -w -0 -h -V --case-sensitive --fixed-strings
      --ignore-case --invert-match --line-number --no-line-number --line-regexp --pcre2 --smart-case
      --files-with-matches --files-without-match --count --count-matches --only-matching --pretty --quiet
      --with-filename --no-filename --follow --text --unrestricted --multiline --multiline-dotall --word-regexp --null
      --null-data --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-dot --no-ignore-global
      --no-messages --no-heading --heading --json --stats --files --trim --vimgrep --debug --trace --column --no-column
      --byte-offset --crlf --passthru --glob-case-insensitive --type-list --one-file-system --line-buffered
      --block-buffered --no-config --no-unicode --no-pcre2-unicode --auto-hybrid-regex --sort-files --no-require-git
      --binary --mmap --no-mmap --no-ignore-exclude --no-ignore-files --include-zero --stop-on-nonmatch --help --version
      -.`,
    values: `-A -B -C -e -E -g -j -M -m -r -t -T -d --after-context --before-context --context --regexp --encoding
      --glob --iglob --threads --max-columns --max-count --replace --type --type-not --type-add --type-clear --max-depth
      --maxdepth --sort --sortr --max-filesize --color --colors --context-separator --field-context-separator
      --field-match-separator --path-separator --dfa-size-limit --regex-size-limit --engine --hyperlink-format`,
    reads: "-f --file --ignore-file",
    runs: "--pre --hostname-bin",
    hazardValues: "--pre-glob",
    // -z runs decompressors found by name; they only write to the pipe.
    recursive: true,
    search: {
      only: "-g --glob --iglob",
      shows: `-. --hidden -u --unrestricted --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-dot
        --no-ignore-global --no-ignore-files --no-ignore-exclude --ignore-file --type-add --type-clear --pre --pre-glob
        -z --search-zip`,
    },
    acts: "-z --search-zip",
    operands: "pattern",
    instead: [{ with: "--files --type-list", operands: "directory", only: "names" }],
  }),
  ag: reads("ag 2.2 manual", {
    flags: `-i -s -S -v -w -Q -l -L -c -o -0 -H -a -t -u -U -n -f -r -R -F --ignore-case --case-sensitive --smart-case
      --invert-match --word-regexp --literal --fixed-strings --files-with-matches --files-without-matches --count
      --only-matching --hidden --all-types --all-text --unrestricted --nogroup --group --nocolor --color --nobreak
      --break --noheading --heading --nofilename --filename --numbers --nonumbers --column --vimgrep --follow --depth
      --stats --passthrough --multiline --nomultiline --help --version`,
    values: `-A -B -C -G -m -g --after --before --context --file-search-regex --max-count --ignore --ignore-dir --depth
      --width`,
    reads: "-p --path-to-ignore",
    runs: "--pager",
    operands: "pattern",
    recursive: true,
    search: { follows: / (?:-[a-zA-Z]*f|--follow)/ },
  }),
  ack: does(RUNS_CODE, "ack 3.6 manual", {
    anyOptions: true,
    runs: "--pager --output",
    search: { follows: / --follow/ },
    operands: "pattern",
    recursive: true,
  }),
  find: does(FINDS, "GNU findutils 4.9 manual", {
    anyOptions: true,
    search: { follows: / -(?:L|follow)(?: |$)/ },
    analyze: (call) => analyzeFind(call),
  }),
  "fd fdfind": reads("fd 8.6 manual", {
    flags: `-H -I -u -s -i -g -F -a -l -L -p -0 -1 -q -h -V --hidden --no-ignore --unrestricted --case-sensitive
      --ignore-case --glob --fixed-strings --absolute-path --list-details --follow --full-path --print0 --quiet
      --show-errors --one-file-system --help --version --no-ignore-vcs --no-ignore-parent --regex --prune
      --strip-cwd-prefix`,
    values: `-d -t -e -S -E -c -j -o --max-depth --min-depth --exact-depth --type --extension --size --exclude --color
      --threads --max-results --changed-within --changed-before --owner --path-separator --batch-size --and --format`,
    reads: "--ignore-file --search-path --base-directory -C",
    hazards: "-x -X --exec --exec-batch",
    analyze: (call) => analyzeFd(call),
  }),
  locate: reads("mlocate 1.1 manual", {
    flags: "-b -c -e -i -w -q -0 -r",
    values: "-l -n",
    reads: "-d --database",
    // It knows the names of all files of the machine.
    readsBesides: { file: "/" },
    recursive: true,
    only: "names",
  }),
  tree: reads("tree 2.1 manual", {
    flags: `-a -d -l -f -x -p -s -h -u -g -D -F -q -N -Q -i -A -S -n -C -X -J -r -t -c -U -v --dirsfirst --noreport --du
      --si --gitignore --prune --matchdirs --inodes --device --filesfirst --metafirst --fromfile --info --help --version
      --ignore-case --full`,
    values: "-L -P -I -H -T --filelimit --timefmt --charset --sort",
    reads: "--gitfile --infofile",
    search: { follows: / -[a-zA-Z]*l/ },
    writes: "-o",
    hazards: "-R",
    // In a cluster options go on behind one whose value is the next word: `-Lo 2 file`.
    escapes: { text: /^-\w*[LPIHT]\d*[A-Za-z]/ },
    operands: "directory",
    recursive: true,
    only: "names",
    // It then shows the lines of files as if they were names.
    instead: [{ with: "--fromfile --info", only: undefined }],
  }),
  xargs: reads("GNU findutils 4.9 manual", {
    flags: `-0 -o -p -r -t -x --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits --help
      --version`,
    values: "-d -E -I -L -n -P -s -J -R -S --delimiter --max-lines --max-args --max-procs --max-chars",
    hazardValues: "--process-slot-var",
    attached: "-e -i -l --eof --replace",
    reads: "-a --arg-file",
    posix: true,
    analyze: analyzeXargs,
  }),
};

const INPUT: ShellWord = { ...DYNAMIC, splits: true };

/** The words that it appends, or puts in the place of a marker, come from its input and are known only at run time. */
function analyzeXargs(call: ProgramCall, options: ParsedOptions): void {
  if (options.operands.length === 0) return;
  const marker = options.all("-I", "-i", "-J", "--replace").at(-1);
  const input = inputWord(call, options);
  if (!marker) {
    call.start([...options.operands, ...(appended(call, options) ?? [input])]);
    return;
  }
  const text = marker.value === null ? "{}" : marker.value.value;
  const words = options.operands.map((word) => (text === null ? INPUT : replacedBy(input, word, text)));
  // The last of options that exclude each other counts, and without a marker the input is appended.
  const isOverruled = options.options.some(
    ({ name, value }) => /^(?:-[lL]|--max-(?:args|lines))$/.test(name) || (name === "-n" && value?.value !== "1"),
  );
  call.start(isOverruled ? [...words, INPUT] : words);
}

/** A word that is the marker alone becomes what is read. */
function replacedBy(input: ShellWord, word: ShellWord, marker: string): ShellWord {
  const replaced = replaceMarker(word, marker);
  if (replaced === word) return word;
  const guesses = input.guesses.map((guess) => word.value!.replaceAll(marker, () => guess));
  const guessed = guesses.length > 0 ? { ...replaced, guesses } : replaced;
  return word.value === marker && input.listed ? { ...guessed, listed: input.listed } : guessed;
}

const MAX_GUESSES = 8;

/** The words that xargs makes of its input, where it is plain that all are names of files, or the text itself is known. */
function inputWord({ input }: ProgramCall, options: ParsedOptions): ShellWord {
  if (input.kind === "text") return { ...INPUT, guesses: input.text.split(/\s+/, MAX_GUESSES).filter(Boolean) };
  const isOther = options.has("-a", "--arg-file", "-d", "--delimiter", "-e", "-E", "--eof", "-J", "-R", "-S");
  if (input.kind !== "unknown" || isOther) return INPUT;
  if (!input.names) return input.isPlain ? { ...INPUT, revision: true } : INPUT;
  if (input.names.nul !== options.has("-0", "--null")) return INPUT;
  return { ...INPUT, listed: input.names };
}

/** The words it appends, when its input is plain to see and goes to one command. */
function appended({ input }: ProgramCall, options: ParsedOptions): readonly ShellWord[] | null {
  const isSplit = options.has("-n", "-L", "-l", "-d", "-0", "-a", "-s", "--null", "--delimiter", "--arg-file");
  const isLong = options.options.some(({ name }) => name.startsWith("--max"));
  if (input.kind !== "text" || isSplit || isLong || input.text.length > 4_000 || /["'\\]/.test(input.text)) return null;
  return input.text.split(/\s+/).filter(Boolean).map(literalWord);
}

const NAMES = { recursive: true, only: "names" } as const;

function analyzeFd(call: ProgramCall): void {
  const at = call.args.findIndex(({ value }) => /^(-x|-X|--exec|--exec-batch)$/.test(value ?? ""));
  const own = at === -1 ? call.args : call.args.slice(0, at);
  for (const word of own.slice(1)) if (!word.value?.startsWith("-")) call.read(word, NAMES);
  call.readDirectory(NAMES);
  if (at === -1) return;
  const command = call.args.slice(at + 1).map((word) => (/\{[/.]*\}/.test(word.value ?? "") ? DYNAMIC : word));
  call.start([...command, INPUT]);
}
