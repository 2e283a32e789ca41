import { mentionFiles } from "../../invocation/mentions.js";
import type { ProgramCall } from "../../invocation/program.js";
import { literalWord, type ShellWord, unknownWord } from "../../words/shell-word.js";
import type { ProgramRow } from "../program-row.js";
import { CHANGES_FILES, each } from "../reach.js";

/** Programs that pack and unpack. */
export const ARCHIVE_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  ...each("tar gtar bsdtar", {
    manual: "GNU tar 1.34 manual",
    does: { writes: "named", runs: "named", connects: "named" },
    informs: "--version --help",
    anyOptions: true,
    analyze: analyzeTar,
  }),
  ...each("gzip gunzip pigz unpigz", packer("gzip 1.12 manual")),
  ...each("bzip2 bunzip2 pbzip2", packer("bzip2 1.0.8 manual")),
  ...each("xz unxz lzma unlzma", packer("XZ Utils 5.4 manual")),
  ...each("zstd unzstd lz4 unlz4", packer("zstd 1.5 and LZ4 1.9 manuals")),
  ...each("zcat bzcat xzcat lzcat zstdcat lz4cat gzcat", {
    manual: "the manuals of gzip 1.12, bzip2, XZ Utils 5.4, zstd 1.5 and LZ4 1.9",
    kind: "reads",
    flags: "-f -q -v -c -d -k --force --quiet --verbose --help --version",
    operands: "read",
  }),
  ...each("zcmp zdiff", { manual: "gzip 1.12 manual", kind: "reads", flags: "-q -u -c -b -i -w -B", operands: "read" }),
  zipinfo: {
    manual: "UnZip 6.0 manual",
    kind: "reads",
    flags: "-1 -2 -s -m -l -v -h -M -t -T -z",
    analyze(call, { operands: [archive] }) {
      if (archive) call.read(archive);
    },
  },
  ...each("7z 7za 7zz rar unrar cpio ar ranlib", {
    manual: "7-Zip 22, RAR 6, cpio 2.13 and GNU binutils 2.40 manuals",
    does: { writes: "anything", runs: "named", connects: "nothing" },
    anyOptions: true,
    analyze(call) {
      if (listsArchive(call)) call.onlyReads();
      mentionFiles(call);
      for (const word of call.args.slice(1)) if (!word.prefix.startsWith("-")) call.read(word, { recursive: true });
      const line = [call.program, ...call.args.map(({ prefix }) => prefix)].join(" ");
      if (TAKES_NAMES.test(line)) call.read(unknownWord("-"));
      if (UNPACKS.test(line)) call.unpacks(literalWord("."));
    },
  }),
  zip: {
    manual: "Info-ZIP 3.0 manual",
    does: { writes: "named", runs: "named", connects: "nothing" },
    anyOptions: true,
    singleDash: true,
    escapes: { text: /^-\w*TT|^--unzip-command/, code: /^(?:-TT|--unzip-command=?)(.+)/s },
    analyze(call) {
      const at = call.args.findIndex(({ value }) => /^(?:-TT|--unzip-command)$/.test(value ?? ""));
      const command = at === -1 ? undefined : call.args[at + 1];
      if (command) call.script(command);
      mentionFiles(call);
      const isWhole = call.args.some(({ value }) => /^-[a-zA-Z]*[rR]|^--recurse/.test(value ?? ""));
      const [, ...files] = call.args.filter(({ prefix }) => !prefix.startsWith("-"));
      for (const file of isWhole ? files : []) call.read(file, { recursive: true });
      if (call.args.some(({ value }) => /^-[a-zA-Z]*@|^--names-stdin/.test(value ?? ""))) call.read(unknownWord("-@"));
    },
  },
  unzip: {
    manual: "UnZip 6.0 manual",
    does: CHANGES_FILES,
    anyOptions: true,
    analyze(call) {
      const flags = call.args.filter(({ prefix }) => prefix.startsWith("-"));
      const archive = call.args.find(({ prefix }) => !prefix.startsWith("-"));
      if (archive) call.read(archive);
      const directories: ShellWord[] = [];
      for (const [index, { value }] of call.args.entries()) {
        const [, glued] = /^-[a-zA-Z]*d(.*)$/s.exec(value ?? "") ?? [];
        const directory = glued === "" ? call.args[index + 1] : glued === undefined ? undefined : literalWord(glued);
        if (directory) directories.push(directory);
      }
      const isPlain = flags.every(({ value }) => /^-[ltvZpqz1]+$/.test(value ?? ""));
      if (isPlain && flags.some(({ value }) => /[ltvZpz]/.test(value!))) call.onlyReads();
      else for (const directory of directories.length > 0 ? directories : [literalWord(".")]) call.unpacks(directory);
    },
  },
};

function packer(manual: string): ProgramRow {
  return {
    manual,
    does: CHANGES_FILES,
    flags: `-c -d -f -h -k -l -L -n -N -q -r -t -v -V -z -1 -2 -3 -4 -5 -6 -7 -8 -9 -e -i --stdout --to-stdout --decompress --uncompress --force
      --help --keep --list --license --no-name --name --quiet --recursive --rm --test --verbose --version --fast --best --extreme --ultra
      --rsyncable --synchronous --compress --no-progress --long --adapt --check --no-check --sparse --no-sparse`,
    values: "-S -T -p -b -M --suffix --threads --processes --blocksize --memory --format --block-size",
    attached: "--long --fast",
    reads: "--dictionary --filelist -D",
    writes: "-o",
    digits: true,
    analyze(call, options) {
      const prints =
        options.has("-c", "-l", "-t", "--stdout", "--to-stdout", "--list", "--test") && !options.has("--rm");
      if (prints && options.unknown.length === 0 && !options.uncertain) call.onlyReads();
      const recursive = options.has("-r", "--recursive");
      for (const operand of options.operands)
        prints ? call.read(operand, { recursive }) : call.write(operand, "modify");
    },
  };
}

/** `7z l a.7z`, `ar t a.a`: one archive, and no option. */
function listsArchive({ program, args }: ProgramCall): boolean {
  const [command, archive, ...others] = args;
  const isListing = /^7z/.test(program) ? /^(?:l|t)$/ : /^(?:rar|unrar)$/.test(program) ? /^(?:l|v|lb|vb)$/ : /^$/;
  return others.length === 0 && isListing.test(command?.value ?? "-") && /^[^-@*?]/.test(archive?.value ?? "-");
}

/** The names of what they pack come from their input, or from a file. */
const TAKES_NAMES = /^cpio (?:.* )?(?:-[a-zA-Z0-9]*[op]|--create|--pass)|^(?:7z|rar)\S* .*(?: |-i)@/;
const UNPACKS = /^cpio (?:.* )?(?:-[a-zA-Z0-9]*i|--extract)|^(?:7z\S*|rar|unrar) [xe](?: |$)|^ar -?[a-zA-Z]*x/;
const TAR_RUNS = /^--(?:checkpoint|to-c|use|inf|new-v|rs|rm|warning|ind|vol|F$)|^-[A-Za-z]*[IF]/;

function analyzeTar(call: ProgramCall): void {
  const [first] = call.args;
  const text = first?.value ?? "";
  const letters = call.args
    .map(({ value }, index) => (index === 0 && !value?.startsWith("-") ? `-${value ?? ""}` : (value ?? "")))
    .filter((value) => /^-[A-Za-z]/.test(value))
    .join("");
  const has = (letter: string, long: string) =>
    letters.includes(letter) || call.args.some(({ value }) => value?.startsWith(long));
  if (call.args.some(({ value, splits, prefix }) => value === null && (splits || prefix === "" || prefix[0] === "-"))) {
    call.doubt("option", 'a word of "tar" may become an option that runs a program');
  }
  for (const [index, { value, prefix }] of call.args.entries()) {
    if (!TAR_RUNS.test(value ?? prefix) && !(value === text && /^[A-Za-z]*[IF]/.test(text))) continue;
    call.doubt("option", `"${value ?? prefix}" makes "tar" run another program`);
    const command = /=(?:exec=)?(.*)$/s.exec(value ?? "")?.[1];
    const next = call.args[index + 1];
    if (command) call.script(literalWord(command));
    else if (/^-[IF]$|^--[\w-]+$/.test(value ?? "") && next) call.script(next, { impliedByParent: true });
  }
  if (
    call.args.some(({ value }) =>
      /^--(?:absolute-n|delete|remove-files|recursive-unl|append|update|concat|catenate|tra|xf|one-t|listed|g$)|^-[A-Za-z]*g/.test(
        value ?? "",
      ),
    )
  ) {
    call.doubt("option", 'an option makes "tar" write or remove more than it names');
    call.acts();
  }
  if (/^-[A-Za-z]*P/.test(`-${letters.replaceAll("-", "")}`)) {
    call.doubt("option", '"-P" makes "tar" write wherever the archive says');
  }
  const archive = archiveOf(call.args);
  const directories = call.args.flatMap((word, index) => directoryOf(word, call.args[index + 1]));
  const lists = has("t", "--list") && !has("x", "--ext") && !has("c", "--cre") && !/[rAu]/.test(letters);
  const creates = has("c", "--cre");
  if (lists && archive && areAll(call.args, LISTING)) call.onlyReads();
  const prints = /x.*O|O.*x/.test(letters) && archive && areAll(call.args, PRINTING);
  if (/^[^/]+:/.test(archive?.value ?? "")) call.network(archive!.value!.split(":")[0]!);
  if (archive && archive.value !== "-") {
    if (lists || !creates) call.read(archive);
    else call.write(archive, "create");
  }
  if (!lists && prints) call.onlyReads();
  else if (!lists && !creates) {
    for (const directory of directories.length > 0 ? directories : [literalWord(".")]) call.unpacks(directory);
  }
  if (creates) readsPacked(call, archive);
  for (const names of filesOfNames(call)) call.read(names);
  if (creates && filesOfNames(call).length > 0) call.read(unknownWord("-T"));
}

function archiveOf(args: readonly ShellWord[]): ShellWord | undefined {
  const glued = args.map(({ value }) => /^--file=(.+)$/s.exec(value ?? "")?.[1]).find((each) => each !== undefined);
  if (glued !== undefined) return literalWord(glued);
  return args.find((_, index) => index > 0 && /f$|^--file$/.test(args[index - 1]!.value ?? ""));
}

const LISTING =
  /^(?:-[tvzjJa]*f?|--(?:list|verbose|gzip|gunzip|bzip2|xz|zstd|auto-compress|wildcards|utc|full-time|numeric-owner|file|(?:exclude|file)=.*|strip-components=\d+))$/s;

/** Members go to the output: `tar xOzf a.tgz`. */
const PRINTING = /^-[xOvzjJ]*f?$/;

/** No option is another one, and no word may become one. */
function areAll(args: readonly ShellWord[], options: RegExp): boolean {
  return args.every(({ value }, index) => {
    if (value === null) return false;
    if (index === 0 && !value.startsWith("-")) return options.test(`-${value}`);
    return !value.startsWith("-") || options.test(value);
  });
}

/** What holds names or patterns, one a line: `-T x`, `-Xx`, `--files-from=x`, abbreviated, in a cluster. Messages show what is in it. */
function filesOfNames({ args }: ProgramCall): readonly ShellWord[] {
  return args.flatMap(({ value }, index) => {
    const text = value ?? "";
    // Values follow a cluster without a dash in the order of its letters.
    if (index === 0 && !text.startsWith("-")) return /[TX]/.test(text) ? [unknownWord(text)] : [];
    const [, short, long] = /^(?:-[A-SU-WYZa-z]*[TX](.*)|--(?:fi|exclude-f)[a-z-]*(?:=(.*))?)$/s.exec(text) ?? [];
    if (short === undefined && !/^--(?:fi|exclude-f)/.test(text)) return [];
    return short || long ? [literalWord((short || long)!)] : args.slice(index + 1, index + 2);
  });
}

/** What is packed is named from the last directory before it. */
function readsPacked(call: ProgramCall, archive: ShellWord | undefined): void {
  let at: ShellWord | undefined;
  for (const [index, word] of call.args.entries()) {
    const next = call.args[index + 1];
    const [directory] = directoryOf(word, next);
    if (directory) at = directory;
    const isValue = word === archive || (index > 0 && directoryOf(call.args[index - 1]!, word)[0] === word);
    if (index === 0 || isValue || word.prefix.startsWith("-")) continue;
    const isPlain = at?.value !== null && word.value !== null && !word.value.startsWith("/");
    if (at === undefined || !isPlain) call.read(word, { recursive: true });
    else call.read(literalWord(`${at.value}/${word.value}`), { recursive: true });
  }
}

/** The directory that an option names: `-C x`, `-Cx`, `--directory=x`, abbreviated, in a cluster. */
function directoryOf({ value }: ShellWord, next: ShellWord | undefined): readonly ShellWord[] {
  const text = value ?? "";
  const [, long, glued] = /^(--[a-z-]+)(?:=(.*))?$/s.exec(text) ?? [];
  const short = /^-[A-BD-Za-z]*C(.*)$/s.exec(text)?.[1];
  const isLong = long !== undefined && long.length > 4 && "--directory".startsWith(long);
  const found = isLong ? (glued ?? "") : short;
  if (found === undefined) return [];
  return found === "" ? (next ? [next] : []) : [literalWord(found)];
}
