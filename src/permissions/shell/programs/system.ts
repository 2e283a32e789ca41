import type { literalWord } from "../shell-word.js";
import type { ProgramEntry } from "./program.js";

const COREUTILS = "GNU coreutils 9.1 manual";
const UTIL_LINUX = "util-linux 2.38 manual";
const PROCPS = "procps-ng 4.0 manual";
const COMMON = "--help --version";

/** Programs that show or change the machine, and those that only compute. */
export const SYSTEM_PROGRAMS: Readonly<Record<string, ProgramEntry>> = {
  date: {
    source: COREUTILS,
    nature: "reads",
    flags: `-u -R --utc --universal --rfc-email --debug --resolution ${COMMON} -j -n`,
    values: "-d -v --date --rfc-3339",
    attached: "-I --iso-8601",
    reads: "-r -f --reference --file",
    hazardValues: "-s --set",
    analyze(call, { operands }) {
      if (operands.some(({ prefix }) => !prefix.startsWith("+"))) {
        call.acts();
        call.doubt("option", 'a word without "+" makes "date" set the clock');
      }
    },
  },
  hostname: {
    source: "Debian hostname 3.23 manual",
    nature: "reads",
    flags:
      "-a -A -d -f -i -I -s -y --alias --all-fqdns --domain --fqdn --long --ip-address --all-ip-addresses --short --yp --nis",
    hazards: "-b --boot",
    hazardValues: "-F --file",
    analyze(call, { operands }) {
      if (operands.length > 0) {
        call.acts();
        call.doubt("option", 'a word makes "hostname" set the name');
      }
    },
  },
  uname: prints(
    "-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --operating-system",
  ),
  arch: prints(""),
  nproc: { ...prints("--all"), values: "--ignore" },
  whoami: prints(""),
  logname: prints(""),
  id: prints("-a -g -G -n -r -u -z -Z --group --groups --name --real --user --zero --context"),
  groups: prints(""),
  users: prints(""),
  who: prints("-a -b -d -H -l -m -p -q -r -s -t -T -u -w --all --boot --heading --count"),
  tty: prints("-s --silent --quiet"),
  uptime: { ...prints("-p -s -V --pretty --since"), source: PROCPS },
  w: { ...prints("-h -u -s -f -i -o -V"), source: PROCPS },
  ps: {
    source: PROCPS,
    nature: "reads",
    analyze(call) {
      // Without a dash `e` shows the environment of every process; with one it selects all.
      const isPlain = call.args.every(({ value }) => value !== null && /^(?:-|[^-e]*$|[\w.-]+=|\d)/.test(value));
      if (isPlain) call.onlyReads();
      else call.doubt("option", '"e" makes "ps" show what other programs have in their environment');
    },
  },
  pgrep: {
    source: PROCPS,
    nature: "reads",
    flags:
      "-a -c -f -i -l -n -o -v -w -x --list-full --count --full --ignore-case --list-name --newest --oldest --inverse --exact",
    values: "-d -g -G -P -s -t -u -U -r -F --delimiter --parent --euid --uid",
  },
  pidof: { source: PROCPS, nature: "reads", flags: "-s -c -q -w -x", values: "-o -S" },
  free: {
    ...prints("-b -k -m -g -h -w -t -l -v --bytes --kibi --mebi --gibi --human --wide --total --si --mega --giga"),
    source: PROCPS,
  },
  lscpu: { ...prints("-a -b -c -e -J -p -x -y --all --json"), source: UTIL_LINUX },
  lsblk: {
    ...prints("-a -b -d -f -i -J -l -m -n -O -p -P -r -s -S -t --all --bytes --json --fs"),
    values: "-o --output -e -I",
    source: UTIL_LINUX,
  },
  lsof: {
    source: "lsof 4.95 manual",
    nature: "reads",
    flags: "-n -P -l -R -t -a -b -U -V -h",
    attached: "-i -p -u -c -d -g -s -F",
  },
  ss: { source: "iproute2 6.1 manual", nature: "reads", flags: "-a -l -n -p -t -u -x -e -m -o -i -s -4 -6 -r -h -V" },
  netstat: {
    source: "net-tools 2.10 manual",
    nature: "reads",
    flags: "-a -l -n -p -t -u -x -e -i -r -s -w -v -V -4 -6",
  },
  locale: {
    source: "glibc 2.36 manual",
    nature: "reads",
    flags: "-a -c -k -m --all-locales --charmaps --category-name --keyword-name",
  },
  getconf: { source: "glibc 2.36 manual", nature: "reads", flags: "-a" },
  printenv: prints("-0 --null"),
  cal: { source: UTIL_LINUX, nature: "reads", flags: "-1 -3 -s -m -j -y -Y", values: "-n" },
  seq: { ...prints("-w --equal-width"), values: "-f -s --format --separator", digits: true },
  sleep: prints(""),
  yes: prints(""),
  factor: prints("-h"),
  expr: { source: COREUTILS, nature: "reads", analyze: (call) => call.onlyReads() },
  numfmt: {
    ...prints("-z --grouping --debug --zero-terminated"),
    values: "-d --delimiter --field --format --from --from-unit --invalid --padding --round --suffix --to --to-unit",
    attached: "--header",
  },
  bc: {
    source: "GNU bc 1.07 manual",
    nature: "reads",
    flags: "-h -i -l -q -s -v -w --mathlib --quiet --standard --warn",
    operands: "read",
  },
  tput: { source: "ncurses 6.4 manual", nature: "reads", flags: "-S -V -x", values: "-T" },
  clear: { source: "ncurses 6.4 manual", nature: "reads", flags: "-V -x", values: "-T" },
  which: { source: "Debian debianutils 5.7 manual", nature: "reads", flags: "-a -s" },
  whereis: { source: UTIL_LINUX, nature: "reads", flags: "-b -m -s -u -l -f", values: "-B -M -S" },
  whatis: { source: "man-db 2.11 manual", nature: "reads" },
  apropos: { source: "man-db 2.11 manual", nature: "reads" },
  man: {
    source: "man-db 2.11 manual",
    nature: "reads",
    flags:
      "-f -k -K -w -W -a -u -i -I -V --whatis --apropos --where --path --all --ignore-case --match-case --regex --wildcard --names-only",
    values: "-s -S -L -e -E --sections --locale --extension --encoding",
    runs: "-P --pager -H --html",
    hazards: "-d -D -t -Z -X -T --troff --ditroff",
    hazardValues:
      "-M --manpath -m --systems -C --config-file -p --preprocessor -R --recode -r --prompt -l --local-file",
    analyze(call, { operands }) {
      for (const operand of operands) if (operand.value?.includes("/") ?? true) call.acts();
    },
  },
  info: { source: "GNU Texinfo 6.8 manual", nature: "acts", writes: "-o --output" },
  less: {
    source: "less 590 manual",
    nature: "reads",
    flags:
      "-a -A -c -C -d -e -E -f -F -g -G -i -I -J -K -L -m -M -n -N -q -Q -r -R -s -S -u -U -V -w -W -X --RAW-CONTROL-CHARS --chop-long-lines --LINE-NUMBERS --quit-if-one-screen --no-init --ignore-case --squeeze-blank-lines",
    values: "-b -h -j -p -P -x -y -z --pattern --tabs --window",
    writes: "-o -O --log-file --LOG-FILE",
    hazardValues: "-k -T -t --lesskey-file --lesskey-src --tag --tag-file",
    digits: true,
    analyze: pager,
  },
  more: {
    source: UTIL_LINUX,
    nature: "reads",
    flags: "-d -l -f -p -c -s -u -e",
    values: "-n",
    digits: true,
    analyze: pager,
  },
  bat: {
    source: "bat 0.22 manual",
    nature: "reads",
    flags:
      "-A -p -n -f -u --plain --number --show-all --force-colorization --unbuffered --list-languages --list-themes",
    values:
      "-l -H -r -m --language --highlight-line --line-range --file-name --style --color --theme --tabs --wrap --paging --decorations --terminal-width --italic-text",
    runs: "--pager",
    operands: "read",
  },
  kill: { source: UTIL_LINUX, nature: "acts" },
  pkill: { source: PROCPS, nature: "acts" },
  killall: { source: "PSmisc 23 manual", nature: "acts" },
  crontab: {
    source: "cron 3.0 manual",
    nature: "reads",
    flags: "-l",
    hazards: "-r -e -i",
    hazardValues: "-u",
    analyze: (call, { operands }) => operands.length > 0 && call.acts(),
  },
  systemctl: { source: "systemd 252 manual", nature: "acts" },
  mount: { source: UTIL_LINUX, nature: "acts" },
  sync: { source: COREUTILS, nature: "acts" },
};

function prints(flags: string): ProgramEntry {
  return { source: COREUTILS, nature: "reads", flags: `${flags} ${COMMON}` };
}

function pager(
  call: Parameters<NonNullable<ProgramEntry["analyze"]>>[0],
  { operands }: { operands: readonly ReturnType<typeof literalWord>[] },
): void {
  for (const operand of operands) {
    if (operand.prefix.startsWith("+") || (operand.value === null && operand.prefix === "")) {
      call.acts();
      call.doubt("option", `"${operand.raw}" makes "${call.program}" run a command at the start`);
    } else call.read(operand);
  }
}
