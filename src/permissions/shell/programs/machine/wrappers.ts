import type { ParsedOptions } from "../../invocation/options.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { joinedWords, literalWord, type ShellWord } from "../../words/shell-word.js";
import { opaqueStarter, starter } from "../languages/runners.js";
import type { ProgramRow } from "../program-row.js";
import { COMMANDS_IN_INPUT, does, RUNS_CODE, reads, STARTS } from "../reach.js";

const COREUTILS = "GNU coreutils 9.1 manual";
const UTIL_LINUX = "util-linux 2.38 manual";

const SAME_INPUT = { keepsInput: true } as const;

/** An entry of a program that starts the one its operands name. */
export type WrapperRow = ProgramRow & {
  /** Operands before the program: the duration of `timeout`. */
  readonly skip: number;
};

/** Wrappers that change when or how fast a command runs, not what it does. An allow rule sees through them. */
export const HARMLESS_WRAPPERS: Readonly<Record<string, WrapperRow>> = {
  timeout: wrapper(COREUTILS, "-v -f -p --foreground --preserve-status --verbose", "-k -s --kill-after --signal", 1),
  nice: { ...wrapper(COREUTILS, "", "-n --adjustment"), digits: true },
  nohup: wrapper(COREUTILS, "", ""),
  stdbuf: wrapper(COREUTILS, "", "-i -o -e --input --output --error"),
  time: wrapper("GNU time 1.9 manual", "-p -v -l -h -q --portability --verbose --quiet", "-f --format"),
};

/** Programs that start others, and count as commands of their own. */
export const WRAPPER_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  env: reads(COREUTILS, {
    flags: `-i -0 -v --ignore-environment --null --debug --list-signal-handling --block-signal --default-signal
      --ignore-signal`,
    values: "-u -C -S -P --unset --chdir --split-string",
    posix: true,
    analyze: analyzeEnv,
  }),
  sudo: privileged(
    "sudo 1.9 manual",
    "-A -b -B -E -e -H -i -K -k -l -n -P -S -s -V -v",
    "-a -C -c -D -g -h -p -R -r -T -t -U -u --user --group --chdir",
  ),
  doas: privileged("OpenDoas 6.8 manual", "-L -n -s", "-a -C -u"),
  pkexec: privileged("polkit 122 manual", "--disable-internal-agent", "--user"),
  setsid: quiet(UTIL_LINUX, "-c -f -w --ctty --fork --wait", ""),
  caffeinate: quiet("macOS 14 manual", "-d -i -m -s -u", "-t -w"),
  // With the number of a process they change one that runs.
  ionice: { ...quiet(UTIL_LINUX, "-t --ignore", "-c -n --class --classdata"), hazards: "-p -P -u --pid" },
  chrt: { ...quiet(UTIL_LINUX, "-b -d -f -i -o -r -R -m -v", "-T -P -D", 1), hazards: "-a -p --all-tasks --pid" },
  taskset: { ...quiet(UTIL_LINUX, "-c --cpu-list", "", 1), hazards: "-a -p --all-tasks --pid" },
  setarch: {
    ...quiet(UTIL_LINUX, "-R -F -I -L -S -T -Z -3 -v -B", "-p"),
    // With an option it needs no architecture.
    starts: { from: "operands", skip: 1, mayStandFirst: true, keepsInput: true },
  },
  flock: {
    ...quiet(
      UTIL_LINUX,
      "-e -x -s -n -u -F -o -v --exclusive --shared --nonblock --no-fork --close",
      "-E -w --timeout",
    ),
    analyze: analyzeFlock,
  },
  chroot: does(RUNS_CODE, COREUTILS, {
    values: "--userspec --groups",
    flags: "--skip-chdir",
    posix: true,
    starts: { from: "operands", skip: 1, elsewhere: true },
  }),
  "gdb lldb": opaqueStarter("GDB 13 and LLDB 14 manuals", { takesCode: COMMANDS_IN_INPUT }),
  [`su runuser unshare nsenter strace ltrace valgrind systemd-run xvfb-run dbus-run-session unbuffer rlwrap faketime
    fakeroot proot bwrap firejail parallel batch`]: opaqueStarter("their manuals, 2023"),
  at: opaqueStarter("at 3.2 manual", { destroys: [[/^-[rd](?= |$)/, "deletes jobs"]] }),
  xcrun: starter("Xcode 15 documentation", { informs: "--version --show-sdk-path --show-sdk-version" }),
  tmux: starter("tmux 3.3 manual", {
    informs: "ls list-sessions list-windows -V",
    destroys: [[/^(?:-\S+ )*kill-(?:server|session .*-a)(?= |$)/, "stops every session"]],
  }),
  screen: starter("GNU Screen 4.9 manual", { informs: "-ls -v" }),
  "busybox toybox": starter("BusyBox 1.35 and Toybox 0.8 documentations"),
  watch: reads("procps-ng 4.0 manual", {
    flags: "-b -c -d -e -g -p -t -x -w -C --beep --color --differences --errexit --chgexit --precise --no-title --exec",
    values: "-n -q --interval --equexit",
    posix: true,
    starts: { from: "operands", code: { unless: "-x --exec" } },
  }),
  entr: does(STARTS, "entr 5.2 manual", {
    flags: "-a -c -d -n -p -r -s -z -x",
    posix: true,
    starts: { from: "operands", code: { with: "-s" } },
  }),
  script: does({ writes: "named", runs: "named", connects: "nothing" }, UTIL_LINUX, {
    flags: "-a -e -f -q --append --return --flush --quiet",
    values: "-E -m -o --echo --output-limit",
    writes: "-B -I -O -T -t --log-io --log-in --log-out --log-timing",
    runs: "-c --command",
    operands: "write",
  }),
};

function wrapper(manual: string, flags: string, values: string, skip = 0): WrapperRow {
  return { manual, kind: "reads", flags: `${flags} --help --version`, values, posix: true, skip };
}

function quiet(manual: string, flags: string, values: string, skip = 0): ProgramRow {
  return {
    manual,
    kind: "reads",
    flags,
    values,
    posix: true,
    starts: { from: "operands", skip, keepsInput: true },
  };
}

function privileged(manual: string, flags: string, values: string): ProgramRow {
  return {
    manual,
    does: { writes: "named", runs: "named", connects: "nothing" },
    flags,
    values,
    posix: true,
    analyze(call, options) {
      const [assignments, words] = splitAssignments(options.operands);
      if (options.has("-s", "-i") && words.length > 0) call.script(joinedWords(words));
      else call.start(words, { assignments, ...SAME_INPUT });
      if (options.has("-e")) for (const word of words) call.write(word, "modify");
    },
  };
}

export function splitAssignments(words: readonly ShellWord[]) {
  const end = words.findIndex(({ prefix }) => !/^[A-Za-z_]\w*=/.test(prefix));
  const count = end === -1 ? words.length : end;
  const assignments = words.slice(0, count).map(({ prefix, value }) => {
    const name = prefix.slice(0, prefix.indexOf("="));
    return { name, value: value === null ? null : value.slice(name.length + 1) };
  });
  return [assignments, words.slice(count)] as const;
}

function analyzeEnv(call: ProgramCall, options: ParsedOptions): void {
  const directory = options.all("-C", "--chdir").at(-1)?.value ?? undefined;
  const split = options.all("-S", "--split-string").at(-1)?.value;
  if (options.has("-P")) call.doubt("option", '"-P" makes "env" look for programs elsewhere');
  if (split) {
    const text = split.value;
    // It understands quotes, escapes and variables of its own; only plain words are followed.
    if (text === null || /[\\"'$#]/.test(text)) {
      call.doubt("opaque", 'what "env -S" starts is not known');
      call.script(split, { impliedByParent: true });
      return;
    }
    const words = text.split(/\s+/).filter(Boolean).map(literalWord);
    startInEnv(call, [...words, ...options.operands], directory);
    return;
  }
  startInEnv(call, options.operands, directory);
}

function startInEnv(call: ProgramCall, words: readonly ShellWord[], directory: ShellWord | undefined): void {
  const own = words[0]?.value === "-" ? words.slice(1) : words;
  const [assignments, command] = splitAssignments(own);
  call.start(command, { assignments, directory, ...SAME_INPUT });
}

function analyzeFlock(call: ProgramCall, { operands: [lock, ...command] }: ParsedOptions): void {
  if (lock) call.write(lock, "modify");
  call.acts();
  if (/^(-c|--command)$/.test(command[0]?.value ?? "") && command[1]) call.script(command[1]);
  else call.start(command, SAME_INPUT);
}
