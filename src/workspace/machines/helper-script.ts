// The script that runs inside a machine. It has to run in any POSIX shell: dash, busybox, bash as `sh`. Values come in as quoted words, and
// names are used as `./name` of the directory that the shell is in: the working directory is a handle, wherever its path leads later.

/**
 * Reads scripts from standard input and runs them, one after the other. A request is a line with a word, lines of a script, and the
 * word again; `read` takes no byte too many, so that a body may follow. The answer ends with the word and the status. A script
 * whose second word never comes is not run.
 */
export const BOOT = `while IFS= read -r n; do
s=
while IFS= read -r l && [ "$l" != "$n" ]; do s="$s$l
"; done
[ "$l" = "$n" ] || break
eval "$s"
printf '\\001%s %s\\n' "$n" "$?"
done`;

/** The numbers by which the functions below name failures. */
export const FAILURES: Readonly<Record<number, string>> = {
  2: "ENOENT",
  13: "EACCES",
  20: "ENOTDIR",
  21: "EISDIR",
  28: "ENOSPC",
  30: "EROFS",
  39: "ENOTEMPTY",
  116: "ESTALE",
};

export const STAT_FORMAT = "%f %s %Y %d:%i:%s:%y:%z";

/**
 * Follows, proves and uses paths. \`dd\` reads exactly what it is asked to; \`head\` of busybox takes more. It writes to a pipe, so that
 * all of a body is read, also where the disk is full: what is left would be the next request. GNU's \`tar\` opens no link that a file was
 * swapped for; any other is given a handle that was proved.
 */
export const FILE_FUNCTIONS = `export LC_ALL=C
here() {
if [ -n "\${BASH_VERSION-}\${ZSH_VERSION-}\${KSH_VERSION-}" ]; then
[ "$(readlink -n /proc/self/cwd; echo .)" = "$1." ]
else [ "$PWD" = "$1" ]; fi
}
enter() {
if cd -P -- "$1" 2>/dev/null; then here "$1" && return 0; return 116; fi
[ -d "$1" ] && return 13
[ -e "$1" ] && return 20
[ -h "$1" ] && return 116
return 2
}
reason() {
case $1 in
*"No such file"*) return 2;; *"ermission denied"*|*"not permitted"*) return 13;; *"ot a directory"*) return 20;;
*"s a directory"*|*"overwrite directory"*) return 21;; *"o space left"*|*quota*) return 28;; *"ead-only"*) return 30;;
*"not empty"*) return 39;; *"ile exists"*) return 116;; esac
printf '%s' "$1"; return 1
}
makedirs() {
enter "$1"; e=$?
[ $e = 2 ] || return $e
p=\${1%/*}
makedirs "\${p:-/}" || return
m=$(mkdir -- "./\${1##*/}" 2>&1) || [ -d "./\${1##*/}" ] || { reason "$m"; return; }
cd -P -- "./\${1##*/}" 2>/dev/null && here "$1" || return 116
}
follow() {
rest=$1/ at= kind=d trouble= links= count=0
while [ -n "$rest" ]; do
name=\${rest%%/*} rest=\${rest#*/}
case $name in ''|.) continue;; esac
case $kind in f|o) trouble=not-a-directory; break;; esac
if [ "$name" = .. ]; then
at=\${at%/*}
if [ $kind = n ]; then if [ -d "$at/" ]; then kind=d; elif [ -e "$at" ]; then kind=f; fi; fi
continue
fi
next=$at/$name
if [ $kind = n ]; then at=$next
elif [ -h "$next" ]; then
count=$((count + 1))
[ $count -gt 40 ] && { trouble=loop kind=n; break; }
# What is no link any more is looked at again.
target=$(readlink -- "$next" && echo .) || { rest=$name/$rest; continue; }
target=\${target%??}
printf '%s\\0' "l$next"
case $target in /*) at=;; esac
rest=$target/$rest
elif [ -d "$next" ]; then at=$next
elif [ -f "$next" ]; then at=$next kind=f
elif [ -e "$next" ]; then at=$next kind=o
else
[ -x "$at/" ] || trouble=unreadable
at=$next kind=n
[ -z "$trouble" ] || break
fi
done
printf '%s\\0' "$kind\${at:-/}" "t$trouble"
}
status() {
enter "$1" || return
[ -h "./$2" ] && return 116
m=$(stat -c '${STAT_FORMAT}' -- "./$2" 2>&1) || { reason "$m"; return; }
printf '%s\\n' "$m"
}
content() {
enter "$1" || return
[ -h "./$2" ] && return 116
[ -d "./$2" ] && return 21
[ -f "./$2" ] || { [ -e "./$2" ] && return 116; return 2; }
[ -r "./$2" ] || return 13
taken=
{
taken=1
[ "$(readlink -n /proc/self/fd/4; echo .)" = "\${1%/}/$2." ] || return 116
stat -L -c '${STAT_FORMAT}' /proc/self/fd/4
[ "$4" = 0 ] || dd bs="$4" skip="$3" count=1 iflag=fullblock <&4 2>/dev/null
} 4<"./$2" || { e=$?; [ -n "$taken" ] || e=13; return $e; }
}
body() {
q=$(($1 / 65536)) r=$(($1 % 65536))
[ $q = 0 ] || dd bs=65536 count=$q iflag=fullblock
[ $r = 0 ] || dd bs=$r count=1 iflag=fullblock
}
keep() { cat && dd count=0 conv=fsync; }
replace() {
taken=
makedirs "$1" && replacing "$2" "$3" "$4" "$5"; e=$?
[ -n "$taken" ] || body "$4" >/dev/null 2>&1
return $e
}
replacing() {
a= e=0
[ -h "./$1" ] && return 116
[ -d "./$1" ] && return 21
if [ -e "./$1" ]; then
[ -f "./$1" ] || return 116
[ -n "$4" ] || [ -w "./$1" ] || return 13
a=$(stat -c '%a %u:%g' -- "./$1" 2>/dev/null)
fi
set -C
{
set +C
taken=1
m=$(body "$3" 2>/dev/null | { keep 2>&1 >&5 || { cat >/dev/null; false; }; }) || { rm -f -- "./$2"; reason "$m"; return; }
[ "$(stat -L -c %s /proc/self/fd/5)" = "$3" ] || { rm -f -- "./$2"; return 5; }
if [ -n "$a" ]; then
o=$(stat -L -c '%u:%g' /proc/self/fd/5)
[ "\${a#* }" = "$o" ] || chown "\${a#* }" /proc/self/fd/5 2>/dev/null
fi
c=\${4:-\${a%% *}}
[ -z "$c" ] || m=$(chmod "$c" /proc/self/fd/5 2>&1) || { rm -f -- "./$2"; reason "$m"; return; }
m=$(mv -fT -- "./$2" "./$1" 2>&1) || { rm -f -- "./$2"; reason "$m"; return; }
stat -L -c '${STAT_FORMAT}' /proc/self/fd/5
} 5>"./$2" || { e=$?; set +C; [ -n "$taken" ] && return $e; [ -w . ] || return 13; return 30; }
}
erase() {
enter "$1" || return
[ -h "./$2" ] && return 116
if [ -d "./$2" ]; then m=$(rmdir -- "./$2" 2>&1) || reason "$m"
elif [ -f "./$2" ]; then m=$(rm -f -- "./$2" 2>&1) || reason "$m"
elif [ -e "./$2" ]; then return 116
else return 2; fi
}
names() {
enter "$1" || return
[ -r . ] || return 13
for f in ./* ./.*; do
case $f in ./.|./..) continue;; esac
if [ -h "$f" ]; then k=l; elif [ -f "$f" ]; then k=f; elif [ -d "$f" ]; then k=d; elif [ -e "$f" ]; then k=o; else continue; fi
printf '%s\\0' "\${2-}$k\${f#./}"
done
}
also() {
[ -z "$trouble" ] || return 0
case $1 in *s*) [ $kind = n ] || { m=$(stat -c '%s %Y %y' -- "\${at:-/}" 2>/dev/null) && printf '=%s\\0' "$m"; };; esac
case $1 in *n*) [ $kind = d ] && names "\${at:-/}" / && printf '/\\0';; esac
}
ship() {
enter "$2" || return 0
printf '#%-511s' "$1"
d=\${2%/}/ k=0
shift 2
case $tar in *' '*) $tar -cf - -- "$@" 2>/dev/null; return;; esac
for f do
[ -h "$f" ] || [ ! -f "$f" ] || [ ! -r "$f" ] || {
[ "$(readlink -n /proc/self/fd/4; echo .)" = "$d\${f#./}." ] && printf '=%-511s' "$k" && $tar -hcf - /proc/self/fd/4
} 2>/dev/null 4<"$f"
k=$((k + 1))
done
}
whole() {
follow "$2" >/dev/null
[ -z "$trouble" ] && [ $kind = f ] || return 0
m=$(stat -c %s -- "$at" 2>/dev/null) && [ "$m" -le "$3" ] || return 0
m=\${at%/*}
ship "$1" "\${m:-/}" "./\${at##*/}"
}
tree() {
enter "$2" || return 0
printf '=%s\\0' "$2"
m=$1 d=\${2%/}
shift 2
if [ -n "$m" ]; then find . -mindepth 1 '(' -type d '(' "$@" ')' -prune -o -name '*' ')' -exec stat -c "$m %f %s %Y %y|%n" {} +; printf '\\0'
else find . -mindepth 1 '(' -type d '(' "$@" ')' -prune -o -name '*' ')' -printf '%y %s %T@ %P\\0'; fi 2>/dev/null
find . -type d '(' "$@" ')' -prune -o -type f -name .gitignore -size -2049 -exec sh -c "$texts" sh {} + 2>/dev/null
set --
while :; do
[ -e "$d/.git" ] && printf '^%s\\0' "\${d:-/}"
set -- "$@" "$d/.gitignore" "$d/.git/info/exclude"
[ -n "$d" ] || break
d=\${d%/*}
done
find "$@" -prune -type f -size -2049 -exec sh -c "$texts" sh {} + 2>/dev/null
}
texts='for f do printf "+%s\\0" "$f"; tr -d "\\000" <"$f"; printf "\\0"; done'
`;

/** Prints the home directories, the shell for commands and whether its \`grep\` reads binary files; then a line for each thing that is missing. */
export const PROBE = `
need() { command -v "$1" >/dev/null 2>&1 || printf 'missing %s\\n' "$1"; }
[ "$(uname -s 2>/dev/null)" = Linux ] || printf 'missing Linux (it is %s)\\n' "$(uname -s 2>/dev/null)"
[ -r /proc/self/environ ] && [ -e /proc/self/fd/0 ] || echo 'missing /proc'
for c in stat dd mv mkdir rm rmdir chmod readlink setsid sleep cat; do need $c; done
d=\${TMPDIR:-/tmp}/loopwright-probe-$1
if mkdir -m 700 -- "$d" 2>/dev/null; then
stat -c '${STAT_FORMAT}' -- "$d" >/dev/null 2>&1 || echo 'missing stat -c'
: >"$d/a"; mv -fT -- "$d/a" "$d/b" 2>/dev/null || echo 'missing mv -T'
[ "$(printf abc | dd bs=2 count=1 iflag=fullblock conv=fsync 2>/dev/null >"$d/c"; cat "$d/c" 2>/dev/null)" = ab ] || echo 'missing dd iflag=fullblock conv=fsync'
rm -rf -- "$d"
else printf 'missing a directory for temporary files (%s)\\n' "\${TMPDIR:-/tmp}"; fi
printf 'home %s\\n' "\${HOME:-/}"
h=$(cd -P -- "\${HOME:-/}" 2>/dev/null && pwd -P) && printf 'home %s\\n' "$h"
command -v bash >/dev/null 2>&1 && echo 'shell bash'
command -v find >/dev/null 2>&1 && command -v tr >/dev/null 2>&1 && {
if find / -maxdepth 0 -printf x >/dev/null 2>&1; then echo 'tree printf'
elif find / -maxdepth 0 -exec stat -c '%f' {} + >/dev/null 2>&1; then echo 'tree stat'; fi
}
if tar --no-unquote -cf /dev/null -- /dev/null 2>/dev/null; then echo 'tar tar --no-unquote'
elif tar -hcf /dev/null /proc/self/exe 2>/dev/null; then echo 'tar tar'; fi
command -v rg >/dev/null 2>&1 && echo 'search rg'
LOOPWRIGHT_PROBE=x$1 sh -c 'grep -qsaF -- "x$1" /proc/self/environ' sh "$1" 2>/dev/null && echo 'grep binary'
printf 'temporary %s\\n' "\${TMPDIR:-/tmp}"
`;
