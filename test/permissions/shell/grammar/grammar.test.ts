import { expect, test } from "vitest";
import { readByGrammar } from "../../../../src/permissions/shell/grammar/grammar.js";

const INSIDE = [
  "",
  "ls",
  "ls -la src # with a comment",
  "# only a comment\nls",
  "cat 'a b' \"c d\" e\\ f",
  "git log --format='%h $x `y`' HEAD~2 stash@{0}",
  'grep -rn "foo$" src && echo "$HOME/\u0024{USER}" "$?" || true',
  "ls | sort |& head -3 2>/dev/null >&2 &> /dev/null",
  'echo "$(git rev-parse "$(echo HEAD)")"',
  "for f in a.ts b.ts; do wc -l $f; done",
  'for d in */; do [ -f "$d/x" ] && echo $d; done',
  'while read -r f; do cat "$f"; done < list',
  "IFS= read -r line",
  "if [ -f a ]; then ls; elif test -d b -a ! -e c; then pwd; else false; fi",
  "(cd src && ls); { ls; pwd; }",
  "cat <<'E'\n$(touch x) `y` \u0024{z:-q}\nE\nls",
  "cat <<E\nplain text\nE",
  "cat <<-E\n\tplain\n\tE",
  "diff <(sort a) <(sort b)",
  "X=1; Y=2; echo $((X * 2 + Y)) $X",
  "set -euo pipefail; export NODE_ENV=test; npm test",
  "find . -name \\*.ts -not \\( -path './a/*' \\) -exec wc -l {} \\;",
  "ls src/{a,b}/*.ts [a-z]*.md x{1..3}",
  '[[ -n "$CI" ]] && echo ci',
  "cd ~/src && ls ~",
  "cat a \\\n  b",
  "sleep 1 & wait",
  'MSG="a b"; echo "$MSG"',
  "! grep x y; time ls",
  "command -v node",
  "while IFS=, read -r a b; do echo $b; done < list; IFS='|' read -r a",
  "sort -t $'\\t' -k2 a",
  "for i in {1..3} $(seq 5); do [ $i -lt 2 ] && git log HEAD~$i; done",
  "for t in $(git tag | sort); do git show $t; done",
  "git log --format=%h -3 | while read -r h; do git show $h; done",
  'n=$(wc -l < a); m="$(date +%s)"; echo $((n + $m * ($(nproc) - 1)))',
  "i=0; while [ $i -lt 3 ]; do i=$((i+1)); done",
];

test.each(INSIDE)("in the grammar: %s", (line) => {
  expect(readByGrammar(line).outside).toBe(null);
});

const OUTSIDE = [
  // Expansions with an operator, an index, or a quote of their own.
  "echo \u0024{x:-y}",
  'echo "\u0024{x:=y}"',
  "echo \u0024{#x} \u0024{!x} \u0024{x@P}",
  'echo "\u0024{x[0]}"',
  "echo $'a\\x41'",
  "echo \"$'a'\"",
  'echo $"b"',
  "IFS=$x read a",
  "IFS=, ls",
  "for t in $(git tag) $(cat a); do git show $t; done",
  "for t in $(git tag; cat a); do git show $t; done",
  "for t in $(git tag | sed s/^/-/); do git show $t; done",
  "for t in $(git tag 2>&1); do git show $t; done",
  "for t in $(git tag |& cat); do git show $t; done",
  "t=$(git tag); git show $t",
  "git tag | while read t; do git show $t; done < a",
  "git tag | while read t < a; do git show $t; done",
  "git tag | while read t; do git show $t; read t; done",
  "git tag | while true; do read t; git show $t; done",
  "echo $(( $(cat a) ))",
  "n=$(cat a); echo $((n))",
  "echo `ls`",
  "echo $[1+1]",
  "echo $((x))",
  "echo $((x)); x=$(cat f)",
  "x=5; while true; do echo $((x)); x=$(cat f); done",
  "a=(1 2); echo",
  "a[0]=1",
  "a+=1",
  // Words that the line does not show.
  "cat $FILES",
  'cat $1 "$@"',
  'x=a; x="b c"; cat $x',
  "for f in a b; do cat $f; done; read -r f",
  "for f in $LIST; do echo; done",
  "for f; do echo; done",
  "x='*'; cat $x",
  "$x ls",
  "l{s,x} a",
  "*x",
  // Builtins and keywords that change how the rest is read.
  "eval ls",
  ". ./x",
  "source x",
  "set -a",
  "set -- a b",
  "shopt -s nullglob",
  "declare -x A=b",
  "export PATH=x",
  "export A",
  "alias ls=rm",
  "trap 'x' EXIT",
  "exec ls",
  "command eval ls",
  "f() { ls; }",
  "function f { ls; }",
  "case a in a) ls;; esac",
  "select x in a; do ls; done",
  "coproc ls",
  "printf -v x y",
  'printf "$x" y',
  "read -a x",
  "read PATH",
  "unset x",
  "let x=1",
  "((x=1))",
  "[[ x -eq 1 ]]",
  "[[ -v x ]]",
  "[ -v x ]",
  "[ $v 'a[x]' ]",
  '[ "$a" "$op" b ]',
  "test -o errexit",
  // Variables that programs take settings from.
  "PATH=. ls",
  "LD_PRELOAD=x ls",
  "GIT_PAGER=x git log",
  "BASH_ENV=x; bash -c ls",
  "for PATH in a; do ls; done",
  "A=$(x) ls",
  "A='b c' ls",
  "IFS=x; read -r y",
  // Redirections.
  "cat <<E\n$x\nE",
  "cat <<E\n`x`\nE",
  "cat <<E\na\\\nE",
  "cat <<E",
  "cat <<E $(\nls\n)\nE",
  "cat <<E 'a\nb'\nE",
  "echo $(cat <<E)\nx\nE",
  "cat <<'a b'\na b",
  "cat <<\\E\nE",
  "ls > /dev/tcp/a/1",
  "ls {fd}> x",
  "ls 12> x",
  "ls >& x",
  "ls <> x",
  "ls >(cat)",
  // What is not plain text.
  "ls ~user ~+ a:~/b",
  "echo a\u00a0b",
  "echo a\rb",
  "echo 'a\u0000b'",
  "ls 'unfinished",
  'ls "unfinished',
  "ls )",
  "( ls",
  "if ls; fi",
  "ls;; ls",
  "ls @(a|b)",
  'echo {a,"b"}',
  `${"$(".repeat(40)}ls${")".repeat(40)}`,
];

test.each(OUTSIDE)("outside of the grammar: %s", (line) => {
  expect(readByGrammar(line).outside).not.toBe(null);
});

test("it says what it does not know", () => {
  expect(readByGrammar("ls && echo \u0024{x:-y}").outside).toBe('"\u0024{x:-y}" is not plain');
  expect(readByGrammar("shopt -s nullglob").outside).toBe('"shopt" changes how the rest of the line is read');
});

test("it finds the commands, those in substitutions first", () => {
  expect(readByGrammar("a 'b c' \"$x\" | d $(e f)").commands).toEqual([
    ["a", "b c", null],
    ["e", "f"],
    ["d", null],
  ]);
});

test("long lines take time in proportion to their length", () => {
  const kinds = [
    "a ",
    "'a' ",
    '"$x" ',
    "a|",
    "(",
    "$(",
    "<(a) ",
    "~",
    "{a,",
    "a;",
    "if ",
    "\\",
    "#\n",
    "12345",
    "<<E ",
    "[a",
    "$((1",
  ];
  const started = process.cpuUsage().user;
  for (const kind of kinds) readByGrammar(kind.repeat(60_000 / kind.length));
  expect((process.cpuUsage().user - started) / 1_000).toBeLessThan(2_000);
});
