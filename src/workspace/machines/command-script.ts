// One command in a machine, from its start until nothing of it is left. The shell that runs this waits for it; a guard beside it reads
// signals from standard input, and ends everything when that closes, as it does when the host dies.
import { quotedForShell } from "../../text/quoted-for-shell.js";
import { startScript } from "../shell/shell-start.js";

/** The longest argument that Linux takes; longer commands are read from a file. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;
const MAX_RECORD_BYTES = 16 * 1024;

/** A command, and what the machine was found to have. */
export interface MachineCommand {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether standard error stays apart. */
  readonly isApart: boolean;
  /** Random words: for its directory, for the environment of all it starts, and for the limit on file locks. */
  readonly id: string;
  readonly mark: string;
  readonly lockLimit: string;
  /** The end of its output. */
  readonly word: string;
  /** The machine's directory for temporary files. */
  readonly temporary: string;
  readonly hasBash: boolean;
  /** Whether `grep` finds the mark in a binary file. */
  readonly hasGrep: boolean;
}

const GREP = `for f in $(grep -lsaF -- "$mark" /proc/[0-9]*/environ; grep -lsF -- " $limit " /proc/[0-9]*/limits); do
f=\${f#/proc/}; echo "\${f%/*}"
done`;

/** \`read\` leaves the NULs out. */
const READ = `for f in /proc/[0-9]*/environ; do
( while IFS= read -r e || [ -n "$e" ]; do case $e in *"$mark"*) f=\${f#/proc/}; echo "\${f%/*}"; break;; esac; done <"$f" ) 2>/dev/null
done`;

/** Prints the ids of the processes that have `$mark` in their environment, or `$limit` among their limits. */
export const findMarked = (hasGrep: boolean): string => (hasGrep ? GREP : READ);

/** The script for a shell that waits. After the output comes the word, the exit code and \`ok\`, or what was in the way; then the record of the directory. */
export function commandScript(about: MachineCommand): string {
  const { command, cwd, env, word, mark, lockLimit, hasBash } = about;
  const directory = `${about.temporary}/loopwright-${about.id}`;
  const record = `${directory}/cwd`;
  const isLong = Buffer.byteLength(command) > MAX_ARGUMENT_BYTES;
  const { BASH_ENV, ...given } = env;
  const variables = { ...given, LOOPWRIGHT_COMMAND: mark, ...(hasBash && { BASH_ENV: `${directory}/start` }) };
  const exports = Object.entries(variables).map(([name, value]) => `export ${name}=${quotedForShell(value)}`);
  const argument = isLong ? `eval "$(cat ${quotedForShell(`${directory}/command`)})"` : command;
  const recording = `{ { pwd -P; printf '\\0%s' "\${OLDPWD-}"; } >|${quotedForShell(record)}; } 2>/dev/null`;
  const start = hasBash
    ? `exec setsid bash -c -- ${quotedForShell(argument)}`
    : `exec setsid sh -c ${quotedForShell(`trap ${quotedForShell(recording)} EXIT\neval "$1"`)} sh ${quotedForShell(argument)}`;
  return `
d=${quotedForShell(directory)} mark=${mark} limit=${lockLimit}
say() { printf '\\001%s %s\\n' ${word} "$1"; }
mkdir -m 700 -- "$d" 2>/dev/null || { say "0 no-temporary"; exit; }
cd -P -- ${quotedForShell(cwd)} 2>/dev/null || { rm -rf -- "$d"; say "0 no-directory"; exit; }
printf '%s' ${quotedForShell(startScript({ record, lockLimit, bashEnv: BASH_ENV }))} >"$d/start"
${isLong ? `printf '%s' ${quotedForShell(command)} >"$d/command"` : ""}
marked() {
${about.hasGrep ? GREP : READ}
}
all() {
found=
kill -s "$1" -- "-$pid" 2>/dev/null
for i in $(marked); do
{ read -r about </proc/$i/stat; } 2>/dev/null || continue
found=1
set -- "$1" \${about##*) }
[ "$4" = $pid ] || kill -s "$1" "$i" 2>/dev/null
done
}
finish() {
for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
all KILL
if [ -n "$found" ]; then sleep 0.05; elif [ $round -gt 1 ]; then break; fi
done
}
exec 3<&0 4>&1
copy=
# What the client of a machine gives may be a socket, which cannot be opened again as /dev/stdout.
if [ -S /proc/self/fd/1 ] && mkfifo -m 600 "$d/out" 2>/dev/null; then
cat <"$d/out" 3<&- 4>&- &
copy=$!
exec 4>"$d/out"
fi
(
unset OLDPWD
# The first shell below sshd would read .bashrc, and no BASH_ENV.
export SHLVL="\${SHLVL:-1}"
${exports.join("\n")}
${start}
) </dev/null >&4 3<&- ${about.isApart ? "" : "2>&1"} 4>&- &
pid=$!
exec 4>&-
(
while read -r w; do : >"$d/$w"; all "$w"; done
finish; rm -rf -- "$d"; kill -s KILL $$
) <&3 3<&- >/dev/null 2>&1 &
guard=$!
wait $pid; code=$?
round=0
[ -z "$(marked)" ] || sleep 0.1
while [ -e "$d/TERM" ] && [ ! -e "$d/KILL" ] && [ $round -lt 40 ] && [ -n "$(marked)" ]; do sleep 0.05; round=$((round + 1)); done
finish
if [ -n "$copy" ]; then
round=0
while kill -0 $copy 2>/dev/null && [ $round -lt 20 ]; do sleep 0.05; round=$((round + 1)); done
kill -s KILL $copy 2>/dev/null
fi
say "$code ok"
[ -f "$d/cwd" ] && [ ! -h "$d/cwd" ] && dd bs=${MAX_RECORD_BYTES} count=1 <"$d/cwd" 2>/dev/null
kill -s KILL $guard
rm -rf -- "$d"
exit`;
}
