import { longPattern } from "../../../long-pattern.js";
import type { DestroyingWords, ProgramRow } from "../program-row.js";
import { does, reads } from "../reach.js";

const COREUTILS = "GNU coreutils 9.1 manual";
const UTIL_LINUX = "util-linux 2.38 manual";
const PROCPS = "procps-ng 4.0 manual";
const COMMON = "--help --version";

/** Options without a column glued to them, numbers, and words without the letter that shows the environment. */
const PS_WORD = /^(?:-[a-np-zA-DF-NP-Z]*(?:[oO]|[\d,]+)?|--[a-z-]+(?:=[\d,]+)?|[^-eE]*|\d.*)$/;
/** The columns it may print of a process, with a header of its own; not its environment. */
const PS_COLUMN = longPattern`^[-+]?(?:p?pid|pgid|pgrp|sid|sess|tid|spid|lwp|nlwp|thcount|[re]?user|uname|[re]?uid|
  [re]?group|[re]?gid|tty|tt|tname|state?|s|c?time|etimes?|cputimes?|l?start|start_time|stime|bsdtime|bsdstart|%?cpu|
  pcpu|cp|%?mem|pmem|rssize|rss|rsz|vsize|vsz|size|sz|nice|ni|pri|priority|psr|cls|class|policy|comm|ucomm|cmd|ucmd|
  args|command|fname|wchan|flags?|f|cgroup|label|unit|slice|machine|container)(?::\d+)?(?:=\w*)?$`;

/** A word with a plus in front, or one that is not known, may be a command for it. */
const PAGER = { operands: "read", each: /^[^+\n]/, sets: "run a command at the start" } as const;
/** A page has no directory in its name; a file has. */
const PAGES = /^[\w.+:@= -]*$/;
const SHOWS_PAGES = { writes: "nothing", runs: "named", connects: "nothing" } as const;
/** The effect of every call that is not known to show something only. */
const SETS: DestroyingWords = [[/^/, "changes the machine, its network or its clock"]];
/** No name of another machine, for whose address it would ask: that says the name to others. */
const NO_HOST = /^(?:[^.\n]|(?<=\d)\.(?=\d))*$/;

/** Programs that show or change the machine, and those that only compute. */
export const SYSTEM_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  date: reads(COREUTILS, {
    flags: `-u -R --utc --universal --rfc-email --debug --resolution ${COMMON} -j -n`,
    values: "-d -v --date --rfc-3339",
    attached: "-I --iso-8601",
    reads: "-r -f --reference --file",
    hazardValues: "-s --set",
    destroys: [[/(?:^| )(?:-s|--set|\d{8,}\S*)(?=[ =]|$)/, "sets the clock"]],
    each: /^\+/,
    sets: "set the clock",
  }),
  hostname: reads("Debian hostname 3.23 manual", {
    flags: `-a -A -d -f -i -I -s -y --alias --all-fqdns --domain --fqdn --long --ip-address --all-ip-addresses --short
      --yp --nis`,
    hazards: "-b --boot",
    destroys: SETS,
    hazardValues: "-F --file",
    most: 0,
    sets: "set the name",
  }),
  uname: prints(
    `-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor
      --operating-system`,
  ),
  "arch whoami logname groups sleep yes": prints(""),
  nproc: { ...prints("--all"), values: "--ignore" },
  id: prints("-a -g -G -n -r -u -z -Z --group --groups --name --real --user --zero --context"),
  users: { ...prints(""), operands: "read" },
  who: { ...prints("-a -b -d -H -l -m -p -q -r -s -t -T -u -w --all --boot --heading --count"), operands: "read" },
  tty: prints("-s --silent --quiet"),
  uptime: { ...prints("-p -s -V --pretty --since"), manual: PROCPS },
  w: { ...prints("-h -u -s -f -i -o -V"), manual: PROCPS },
  ps: reads(PROCPS, {
    anyOptions: true,
    analyze(call) {
      // Without a dash `e` shows the environment of every process; elsewhere `E` does, with and without.
      const isPlain = call.args.every(({ value, raw, revision }, at) => {
        if (value === null) return raw === "$$" || revision === true;
        if (call.args[at - 1]?.value === "-C") return /^[\w.,-]+$/.test(value);
        const isFormat = /^-[a-zA-Z]*[oO]$|^--(?:format|sort)$/.test(call.args[at - 1]?.value ?? "");
        const columns = isFormat ? value : /^--(?:format|sort)=(.*)$/.exec(value)?.[1];
        return columns === undefined ? PS_WORD.test(value) : columns.split(",").every((each) => PS_COLUMN.test(each));
      });
      if (isPlain) call.onlyReads();
      else call.doubt("option", '"e" makes "ps" show what other programs have in their environment');
    },
  }),
  pgrep: reads(PROCPS, {
    flags: `-a -c -f -i -l -n -o -v -w -x --list-full --count --full --ignore-case --list-name --newest --oldest
      --inverse --exact`,
    values: "-d -g -G -P -s -t -u -U -r --delimiter --parent --euid --uid",
    reads: "-F --pidfile",
  }),
  pstree: reads("psmisc 23.6 manual", {
    flags: `-a -A -c -g -G -h -l -n -p -s -S -t -T -u -U -V -Z --arguments --ascii --compact-not --show-pgids --vt100
      --highlight-all --long --numeric-sort --show-pids --show-parents --ns-changes --thread-names --hide-threads
      --uid-changes --unicode --version --security-context`,
    values: "-C -H -N --color --highlight-pid --ns-sort",
  }),
  pidof: reads(PROCPS, { flags: "-s -c -q -w -x", values: "-o -S" }),
  free: {
    ...prints("-b -k -m -g -h -w -t -l -v --bytes --kibi --mebi --gibi --human --wide --total --si --mega --giga"),
    manual: PROCPS,
  },
  lscpu: { ...prints("-a -b -c -e -J -p -x -y --all --json"), manual: UTIL_LINUX },
  lsblk: {
    ...prints("-a -b -d -f -i -J -l -m -n -O -p -P -r -s -S -t --all --bytes --json --fs"),
    values: "-o --output -e -I",
    manual: UTIL_LINUX,
  },
  lsof: reads("lsof 4.95 manual", {
    flags: "-n -P -l -R -t -a -b -U -V -h",
    attached: "-p -u -c -d -g -s -F",
    harmless: /^-[nPlRtabUV]*i(?:[^.]|(?<=\d)\.(?=\d))*$/,
    // Behind a colon stands a port.
    each: /^(?::|[^@\n]*(?:@(?:[^.\n]|(?<=\d)\.(?=\d))*)?$)/,
    operands: "read",
    only: "names",
  }),
  top: { ...prints("-b -c -H -i -s -S -1 -h -v"), values: "-d -l -n -o -p -u -U -w -E -e", manual: PROCPS },
  "lsmod vm_stat": reads("kmod 30 and macOS 14 manuals"),
  lspci: reads("pciutils 3.9 manual", { flags: "-b -D -k -m -n -P -t -v -x --version", values: "-d -s" }),
  lsusb: reads("usbutils 014 manual", { flags: "-t -v -V --verbose --tree --version", values: "-d -s" }),
  "nvidia-smi": reads("nvidia-smi(1), 535", {
    flags: "-L -q -x -h --list-gpus --query --xml-format --help --version",
    values: "-i -d -l --id --display --loop --query-gpu --query-compute-apps --format",
    // Its commands change what the cards do.
    most: 0,
  }),
  last: reads(UTIL_LINUX, {
    flags: "-a -F -i -R -w -x --fullnames --fulltimes --hostlast",
    values: "-n -p -s -t",
    digits: true,
  }),
  lastlog: reads("shadow 4.13 manual", { values: "-t -u -b" }),
  ip: reads("iproute2 6.1 manual", {
    flags: "-4 -6 -br -brief -c -color -d -details -h -j -json -o -oneline -p -pretty -s -stats -statistics -V",
    values: "-f -family",
    singleDash: true,
    destroys: SETS,
    shows: longPattern`^(?:a|addr|address|l|link|r|route|n|neigh|rule|m|maddr|tunnel)(?: (?:s|show|ls|list|
      get [\w.:]+)(?: (?:dev )?[\w.@-]+)?)?$`,
  }),
  ifconfig: reads("net-tools 2.10 manual", {
    flags: "-a -s -v",
    destroys: SETS,
    most: 1,
  }),
  stty: reads(COREUTILS, {
    flags: "-a -g --all --save",
    each: /^(?:size|speed)$/,
  }),
  ss: reads("iproute2 6.1 manual", { flags: "-a -l -n -p -t -u -x -e -m -o -i -s -4 -6 -r -h -V", each: NO_HOST }),
  netstat: reads("net-tools 2.10 manual", { flags: "-a -l -n -o -p -t -u -x -e -i -r -s -w -v -V -4 -6" }),
  locale: reads("glibc 2.36 manual", { flags: "-a -c -k -m --all-locales --charmaps --category-name --keyword-name" }),
  getconf: reads("glibc 2.36 manual", { flags: "-a" }),
  printenv: prints("-0 --null"),
  "cal ncal": reads(UTIL_LINUX, { flags: "-1 -3 -s -m -j -y -Y", values: "-n" }),
  seq: { ...prints("-w --equal-width"), values: "-f -s --format --separator", digits: true },
  factor: prints("-h"),
  expr: reads(COREUTILS, { anyOptions: true, readsWords: /^/ }),
  numfmt: {
    ...prints("-z --grouping --debug --zero-terminated"),
    values: "-d --delimiter --field --format --from --from-unit --invalid --padding --round --suffix --to --to-unit",
    attached: "--header",
  },
  tput: reads("ncurses 6.4 manual", { flags: "-S -V -x", values: "-T" }),
  clear: reads("ncurses 6.4 manual", { flags: "-V -x", values: "-T" }),
  which: reads("Debian debianutils 5.7 manual", { flags: "-a -s" }),
  whereis: reads(UTIL_LINUX, { flags: "-b -m -s -u -l" }),
  whatis: reads("man-db 2.11 manual"),
  apropos: reads("man-db 2.11 manual"),
  man: does(SHOWS_PAGES, "man-db 2.11 manual", {
    flags: `-f -k -K -w -W -a -u -i -I -V --whatis --apropos --where --path --all --ignore-case --match-case --regex
      --wildcard --names-only`,
    values: "-s -S -L -e -E --sections --locale --extension --encoding",
    runs: "-P --pager -H --html",
    hazards: "-d -D -t -Z -X -T --troff --ditroff",
    hazardValues:
      "-M --manpath -m --systems -C --config-file -p --preprocessor -R --recode -r --prompt -l --local-file",
    readsWords: PAGES,
  }),
  info: does(SHOWS_PAGES, "GNU Texinfo 6.8 manual", {
    flags: "-a -k -w --all --where --location --help --version --show-options --usage",
    values: "-n --node --apropos",
    writes: "-o --output --dribble",
    hazardValues: "-f -d --file --directory --init-file --restore --index-search",
    readsWords: PAGES,
  }),
  less: reads("less 590 manual", {
    flags: `-a -A -c -C -d -e -E -f -F -g -G -i -I -J -K -L -m -M -n -N -q -Q -r -R -s -S -u -U -V -w -W -X
      --RAW-CONTROL-CHARS --chop-long-lines --LINE-NUMBERS --quit-if-one-screen --no-init --ignore-case
      --squeeze-blank-lines`,
    // Behind the value of an option others go on in the same word: `-x4kfile`.
    writes: "-o -O --log-file --LOG-FILE",
    hazardValues: "-k -T -t --lesskey-file --lesskey-src --tag --tag-file",
    digits: true,
    escapes: { code: /^\+!(.*)/s },
    ...PAGER,
  }),
  more: reads(UTIL_LINUX, {
    flags: "-d -l -f -p -c -s -u -e",
    values: "-n",
    digits: true,
    escapes: { code: /^\+!(.*)/s },
    ...PAGER,
  }),
  "zless zmore": reads("gzip 1.12 manual", PAGER),
  "bat batcat": reads("bat 0.22 manual", {
    flags:
      "-A -p -n -f -u --plain --number --show-all --force-colorization --unbuffered --list-languages --list-themes",
    values: `-l -H -r -m --language --highlight-line --line-range --file-name --style --color --theme --tabs --wrap
      --paging --decorations --terminal-width --italic-text`,
    runs: "--pager",
    operands: "read",
  }),
};

function prints(flags: string): ProgramRow {
  return { manual: COREUTILS, kind: "reads", flags: `${flags} ${COMMON}` };
}
