import { mentionFiles } from "../../invocation/mentions.js";
import type { ParsedOptions } from "../../invocation/options.js";
import { optionsOf } from "../../invocation/options.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { edited, literalWord, type ShellWord, unknownWord } from "../../words/shell-word.js";
import type { DestroyingWords, ProgramRow } from "../program-row.js";
import { CHANGES_FILES, does, reads } from "../reach.js";

const PACKS_AWAY: DestroyingWords = [
  [/(?:^| )(?:--remove-files|-\w*m\w* .*-r|-\w*mr\w*|-\w*rm\w*|-sdel|-df)(?= |$)/, "deletes what it packs"],
];

const LISTING = new Set(
  `-t -v -z -j -J -a -f --list --verbose --gzip --gunzip --bzip2 --xz --zstd --auto-compress --wildcards --utc
    --full-time --numeric-owner --file --exclude --strip-components`.split(/\s+/),
);
/** Members go to the output: `tar xOzf a.tgz`. */
const PRINTING = new Set("-x -O -v -z -j -J -f".split(" "));

const TAR: ProgramRow = does({ writes: "named", runs: "named", connects: "named" }, "GNU tar 1.34 manual", {
  informs: "--version --help",
  flags: `-c -x -t -d -v -z -j -J -Z -a -p -m -k -h -O -n -o -S -U -w -W -B -i -R -l -s -q -M --create --extract --get
    --list --diff --compare --verbose --gzip --gunzip --bzip2 --xz --zstd --auto-compress --preserve-permissions --touch
    --keep-old-files --keep-newer-files --skip-old-files --overwrite --unlink-first --dereference --to-stdout
    --no-same-owner --same-owner --no-same-permissions --sparse --verify --ignore-zeros --one-file-system
    --numeric-owner --wildcards --no-wildcards --exclude-vcs --exclude-vcs-ignores --exclude-backups --exclude-caches
    --no-recursion --null --utc --full-time --totals --force-local --ignore-failed-read`,
  values: `-f -C -b -H -K -L -N -V --file --directory --cd --exclude --strip-components --mtime --owner --group --mode
    --format --label --newer --newer-mtime --sort --pax-option`,
  reads: "-T -X --files-from --exclude-from",
  namesFiles: "--files-from",
  runs: "-I -F --use-compress-program --to-command --info-script --new-volume-script --rsh-command --rmt-command",
  // They write or remove more than is named.
  hazards: `-P -r -u -A -G --absolute-names --append --update --catenate --concatenate --delete --remove-files
    --recursive-unlink --incremental --checkpoint --one-top-level`,
  hazardValues:
    "-g --index-file --volno-file --checkpoint-action --listed-incremental --transform --xform --suffix --warning",
  destroys: PACKS_AWAY,
  search: { follows: /^\S+ [a-zA-Z]*h| -[a-zA-Z]*h|--der/ },
  spelt: withDashes,
  analyze: analyzeTar,
});

/** Programs that pack and unpack. */
export const ARCHIVE_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  "tar gtar bsdtar": TAR,
  "gzip gunzip pigz unpigz": packer("gzip 1.12 manual"),
  "bzip2 bunzip2 pbzip2": packer("bzip2 1.0.8 manual"),
  "xz unxz lzma unlzma": packer("XZ Utils 5.4 manual"),
  "zstd unzstd lz4 unlz4": packer("zstd 1.5 and LZ4 1.9 manuals"),
  "zcat bzcat xzcat lzcat zstdcat lz4cat gzcat": {
    manual: "the manuals of gzip 1.12, bzip2, XZ Utils 5.4, zstd 1.5 and LZ4 1.9",
    kind: "reads",
    flags: "-f -q -v -c -d -k --force --quiet --verbose --help --version",
    operands: "read",
  },
  "zcmp zdiff": reads("gzip 1.12 manual", { flags: "-q -u -c -b -i -w -B", operands: "read" }),
  zipinfo: reads("UnZip 6.0 manual", {
    flags: "-1 -2 -s -m -l -v -h -M -t -T -z",
    operands: ["read", "text"],
  }),
  "7z 7za 7zz rar unrar cpio ar ranlib": {
    manual: "7-Zip 22, RAR 6, cpio 2.13 and GNU binutils 2.40 manuals",
    does: { writes: "anything", runs: "named", connects: "nothing" },
    anyOptions: true,
    destroys: PACKS_AWAY,
    search: { follows: /^(?!.* -(?:snl|ol))/ },
    analyze(call) {
      if (listsArchive(call)) call.onlyReads();
      mentionFiles(call);
      for (const word of call.args.slice(1)) if (!word.prefix.startsWith("-")) call.read(word, { recursive: true });
      const line = [call.program, ...call.args.map(({ prefix }) => prefix)].join(" ");
      if (TAKES_NAMES.test(line)) call.read(unknownWord("-"));
      if (UNPACKS.test(line)) call.unpacks(literalWord("."));
    },
  },
  zip: does({ writes: "named", runs: "named", connects: "nothing" }, "Info-ZIP 3.0 manual", {
    anyOptions: true,
    singleDash: true,
    destroys: PACKS_AWAY,
    search: { follows: /^(?!.* (?:-[a-zA-Z]*y|--symlinks))/ },
    escapes: { text: /^-\w*TT|^--unzip-command/, code: /^(?:-TT|--unzip-command=?)(.+)/s },
    runs: "-TT --unzip-command",
    analyze(call) {
      mentionFiles(call);
      const isWhole = call.args.some(({ value }) => /^-[a-zA-Z]*[rR]|^--recurse/.test(value ?? ""));
      const [, ...files] = call.args.filter(({ prefix }) => !prefix.startsWith("-"));
      for (const file of isWhole ? files : []) call.read(file, { recursive: true });
      if (call.args.some(({ value }) => /^-[a-zA-Z]*@|^--names-stdin/.test(value ?? ""))) call.read(unknownWord("-@"));
    },
  }),
  unzip: does(CHANGES_FILES, "UnZip 6.0 manual", {
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
  }),
};

function packer(manual: string): ProgramRow {
  return {
    manual,
    does: CHANGES_FILES,
    flags: `-c -d -f -h -k -l -L -n -N -q -r -t -v -V -z -1 -2 -3 -4 -5 -6 -7 -8 -9 -e -i --stdout --to-stdout
      --decompress --uncompress --force --help --keep --list --license --no-name --name --quiet --recursive --rm --test
      --verbose --version --fast --best --extreme --ultra --rsyncable --synchronous --compress --no-progress --long
      --adapt --check --no-check --sparse --no-sparse`,
    values: "-S -T -p -b -M --suffix --threads --processes --blocksize --memory --format --block-size",
    attached: "--long --fast",
    reads: "--dictionary --filelist -D",
    writes: "-o",
    digits: true,
    operands: "write",
    recursive: "-r --recursive",
    looks: { with: "-c -l -t --stdout --to-stdout --list --test", unless: "--rm" },
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
/** `tar xzf a.tgz`: values follow a cluster without a dash in the order of its letters. */
function withDashes([first, ...others]: readonly ShellWord[]): readonly ShellWord[] {
  if (!first || (first.value ?? first.prefix).startsWith("-")) return first ? [first, ...others] : [];
  if (first.value === null) return [unknownWord(first.raw), ...others];
  const table = optionsOf(TAR);
  const words = [...first.value].flatMap((letter) => {
    const takes = table.kind(`-${letter}`)?.takes === "word" ? others.splice(0, 1) : [];
    return [literalWord(`-${letter}`), ...takes];
  });
  return [...words, ...others];
}

function analyzeTar(call: ProgramCall, options: ParsedOptions): void {
  const archive = options.all("-f", "--file").at(-1)?.value;
  const directories = options.all("-C", "--directory", "--cd").flatMap(({ value }) => value ?? []);
  const creates = options.has("-c", "--create");
  const lists = options.has("-t", "--list") && !creates && !options.has("-x", "--extract", "--get");
  const plain = lists ? LISTING : options.has("-O") ? PRINTING : null;
  const isPlain = plain !== null && options.options.every(({ name }) => plain.has(name));
  const isNamed = archive && (call.args.includes(archive) || options.has("--file"));
  const isWritten = call.args.every(({ value }) => value !== null) && options.unknown.length === 0;
  const prints = isNamed && isPlain && isWritten;
  if (prints) call.onlyReads();
  if (options.lists.length > 0) call.doubt("option", 'names that "tar" is given may become options');
  for (const { value } of options.all("--checkpoint-action"))
    if (value) call.script(edited(value, (text) => text.replace(/^exec=/, "")));
  const host = /^([^/:]+):/.exec(archive?.value ?? "")?.[1];
  if (host !== undefined) call.network(host);
  if (archive && archive.value !== "-") creates ? call.write(archive, "create") : call.read(archive);
  if (creates) {
    readsPacked(call, options.operands, directories);
    if (options.has("-T", "--files-from")) call.read(unknownWord("-T"));
  } else if (!lists && !prints)
    for (const directory of directories.length > 0 ? directories : [literalWord(".")]) call.unpacks(directory);
}

/** A packed file is named from the last directory before it, or from here where none stands in front. */
function readsPacked(
  { args, read }: ProgramCall,
  files: readonly ShellWord[],
  directories: readonly ShellWord[],
): void {
  const [first] = directories;
  const isFromHere = !first || !args.includes(first) || args.indexOf(first) > args.indexOf(files[0]!);
  for (const file of files) {
    if (isFromHere || file.value === null || file.value.startsWith("/")) read(file, { recursive: true });
    for (const { value } of directories) {
      if (value === null || file.value === null) read(unknownWord("-C"));
      else read(literalWord(`${value}/${file.value}`), { recursive: true });
    }
  }
}
