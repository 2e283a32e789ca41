import { literalWord, type ShellWord } from "../shell-word.js";
import { mentionFiles } from "./mentions.js";
import type { ProgramCall, ProgramEntry } from "./program.js";

/** Programs that pack and unpack. */
export const ARCHIVE_PROGRAMS: Readonly<Record<string, ProgramEntry>> = {
  tar: { source: "GNU tar 1.34 manual", nature: "acts", analyze: analyzeTar },
  gzip: { source: "gzip 1.12 manual", nature: "acts", operands: "write" },
  gunzip: { source: "gzip 1.12 manual", nature: "acts", operands: "write" },
  zcat: { source: "gzip 1.12 manual", nature: "reads", flags: "-f", operands: "read" },
  bzip2: { source: "bzip2 1.0.8 manual", nature: "acts", operands: "write" },
  xz: { source: "XZ Utils 5.4 manual", nature: "acts", operands: "write" },
  zstd: { source: "zstd 1.5 manual", nature: "acts", operands: "write" },
  zip: {
    source: "Info-ZIP 3.0 manual",
    nature: "acts",
    runs: "-TT --unzip-command",
    singleDash: true,
    analyze: (call) => mentionFiles(call),
  },
  unzip: {
    source: "UnZip 6.0 manual",
    nature: "acts",
    analyze(call) {
      const flags = call.args.filter(({ prefix }) => prefix.startsWith("-"));
      const archive = call.args.find(({ prefix }) => !prefix.startsWith("-"));
      if (archive) call.read(archive);
      for (const [index, { value }] of call.args.entries()) {
        const [, glued] = /^-[a-zA-Z]*d(.*)$/s.exec(value ?? "") ?? [];
        const directory = glued === "" ? call.args[index + 1] : glued === undefined ? undefined : literalWord(glued);
        if (directory) call.write(directory, "create", true);
      }
      if (flags.some(({ value }) => /^-[ltvZpqz1]+$/.test(value ?? "") && /[ltvZpz]/.test(value!))) call.onlyReads();
      else call.write(literalWord("."), "create");
    },
  },
};

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
      /^--(?:absolute-n|delete|remove-files|recursive-unl|append|update|concat|catenate)/.test(value ?? ""),
    )
  ) {
    call.doubt("option", 'an option makes "tar" change or remove more than it names');
    call.acts();
  }
  if (/^-[A-Za-z]*P/.test(`-${letters.replaceAll("-", "")}`)) {
    call.doubt("option", '"-P" makes "tar" write wherever the archive says');
  }
  const archive = call.args.find((_, index) => /f$/.test(call.args[index - 1]?.value ?? "") && index > 0);
  const directories = call.args.flatMap((word, index) => directoryOf(word, call.args[index + 1]));
  const lists = has("t", "--list") && !has("x", "--ext") && !has("c", "--cre") && !/[rAu]/.test(letters);
  const creates = has("c", "--cre");
  if (lists) call.onlyReads();
  if (/^[^/]+:/.test(archive?.value ?? "")) call.network(archive!.value!.split(":")[0]!);
  if (archive && archive.value !== "-") {
    if (lists || !creates) call.read(archive);
    else call.write(archive, "create");
  }
  if (!lists && !creates) {
    for (const directory of directories.length > 0 ? directories : [literalWord(".")])
      call.write(directory, "modify", true);
  }
  if (creates) readsPacked(call, archive);
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
