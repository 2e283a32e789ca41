import type { ProgramRow } from "../program-row.js";
import { does, RUNS_CODE, reads } from "../reach.js";

const BINUTILS = "GNU binutils 2.40 manual";

/** Programs that show what is in compiled code, documents and media. */
export const BINARY_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  nm: reads(BINUTILS, {
    responseFiles: true,
    flags:
      "-a -A -B -C -D -g -n -o -p -P -r -s -S -u -v -l --demangle --dynamic --extern-only --undefined-only --defined-only --numeric-sort --size-sort --print-size --no-sort --help --version",
    values: "-f -t --format --radix",
    operands: "read",
  }),
  size: reads(BINUTILS, {
    responseFiles: true,
    flags: "-A -B -d -o -x -t --common --totals --help --version",
    attached: "--format --radix",
    operands: "read",
  }),
  readelf: reads(BINUTILS, {
    responseFiles: true,
    flags:
      "-a -h -l -S -g -t -e -s -n -r -u -d -V -A -c -I -W -H -v --all --file-header --program-headers --segments --section-headers --sections --headers --syms --symbols --dyn-syms --notes --relocs --dynamic --version-info --wide --help --version",
    values: "-x -p -R --hex-dump --string-dump",
    operands: "read",
  }),
  objdump: reads(BINUTILS, {
    responseFiles: true,
    flags:
      "-a -f -p -h -x -d -D -s -t -T -r -R -C -l -F -w -z --disassemble --disassemble-all --line-numbers --demangle --full-contents --syms --dynamic-syms --reloc --headers --all-headers --private-headers --file-headers --no-show-raw-insn --wide --help --version",
    values: "-b -m -M -j -P --section --architecture --target --start-address --stop-address --disassembler-options",
    operands: "read",
  }),
  "c++filt": reads(BINUTILS, { responseFiles: true, flags: "-_ -n -p -t -i --help --version", values: "-s --format" }),
  pdfinfo: reads("Poppler 22 manual", {
    flags: "-box -meta -js -struct -isodates -rawdates -dests -url -v -h",
    values: "-f -l -enc -upw -opw",
    singleDash: true,
    operands: "read",
  }),
  pdftotext: reads("Poppler 22 manual", {
    flags: "-layout -raw -htmlmeta -bbox -bbox-layout -tsv -cropbox -nopgbrk -nodiag -listenc -q -v -h",
    values: "-f -l -r -x -y -W -H -fixed -colspacing -enc -eol -opw -upw",
    singleDash: true,
    operands: ["read", "create"],
    only: "files",
    least: 2,
    sets: "write a text beside it",
  }),
  "jpeginfo pngcheck": reads("their manuals, 2023", { flags: "-v -q -c -t --help --version", operands: "read" }),
  "exa eza lsd": reads("exa 0.10, eza 0.18 and lsd 1.0 manuals", {
    flags: `-1 -l -G -x -R -T -a -d -r -D -f -b -B -g -h -H -i -m -n -S -u -U -Z -@ -F -A -t --oneline --long --grid --across --recurse --tree --all
      --list-dirs --reverse --group-directories-first --only-dirs --git-ignore --binary --bytes --group --header --links --inode --modified
      --numeric --blocks --accessed --created --git --icons --no-icons --no-permissions --no-filesize --no-user --no-time --extended
      --classify --color-scale --help --version`,
    values: "-L -s -I --level --sort --ignore-glob --time --time-style",
    attached: "--color --colour --icons --classify",
    operands: "directory",
    recursive: true,
    only: "names",
  }),
  "colordiff icdiff": reads("colordiff 1.0 and icdiff 2.0 manuals", {
    flags: "-u -r -q -w -b -B -i -y -N --help --version --recursive --brief --line-numbers",
    values: "-U --label --cols",
    digits: true,
    operands: "read",
    recursive: true,
  }),
  "tokei scc loc": reads("Tokei 12 and scc 3 documentations", {
    flags: "-f -s -C --files --by-file --compact --hidden --no-ignore --no-cocomo --wide --help --version",
    values: "-e -t --exclude --type --sort --exclude-dir --include-ext",
    operands: "directory",
    recursive: true,
  }),
  // It unpacks archives by a line for the shell, and can take the names of files from any program.
  cloc: does(RUNS_CODE, "cloc 1.90 documentation", {
    informs: "--version --help",
    anyOptions: true,
    operands: "mention",
    repeatable: [""],
  }),
  xmllint: reads("libxml2 2.9 manual", {
    singleDash: true,
    // `-c14n` would put in what the document names.
    flags: "-format -help -html -huge -noblanks -nodefdtd -nonet -noout -nowarning -recover -version",
    values: "-encode -pretty -xpath",
    operands: "read",
    each: /^(?!\w+:)/,
    sets: "fetch it",
  }),
  otool: reads("macOS 14 manual", {
    flags: "-a -C -D -f -h -I -l -L -o -r -t -T -v -V -x -X",
    values: "-arch -s",
    operands: "read",
  }),
  javap: reads("JDK 17 documentation", {
    responseFiles: true,
    singleDash: true,
    flags: "-c -constants -help -l -p -package -private -protected -public -s -sysinfo -v -verbose -version",
    reads: "-cp -classpath -class-path",
    operands: "read",
  }),
  jps: reads("JDK 17 documentation", {
    flags: "-q -m -l -v -V",
    most: 0,
    sets: "connect to another machine",
  }),
  "pkg-config": reads("pkg-config 0.29 and pkgconf 1.8 manuals", {
    flags: `--modversion --cflags --cflags-only-I --cflags-only-other --libs --libs-only-L --libs-only-l --libs-only-other --exists --list-all
      --static --print-errors --print-provides --print-requires --print-requires-private --print-variables --short-errors --silence-errors
      --version --help`,
    values: "--variable --atleast-version --exact-version --max-version",
    operands: "read",
    only: "files",
  }),
  yamllint: reads("yamllint 1.32 documentation", {
    flags: "-s --strict --no-warnings --list-files -v --version -h --help",
    values: "-f --format",
    operands: "read",
    recursive: true,
  }),
  hadolint: reads("hadolint 2.12 documentation", {
    flags: "-v -V -h --version --help --no-color --no-fail --verbose",
    values: "-f -t --format --failure-threshold --ignore --error --warning --info --style --trusted-registry",
    operands: "read",
  }),
  shellcheck: reads("ShellCheck 0.9 manual", {
    // With `-x`, or where these say so, it shows lines of the files that a script names.
    steeredBy: ".shellcheckrc shellcheckrc",
    flags: "-C -V --norc --list-optional --version --help",
    hazards: "-x --external-sources",
    values: "-e -i -f -o -s -S -W --exclude --include --format --enable --shell --severity --wiki-link-count",
    reads: "-P --source-path --rcfile",
    attached: "--color",
    operands: "read",
  }),
};
