// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts for a shell
import { expect, test } from "vitest";
import { analyze, fileEffects, isReadOnly, texts } from "./kit.js";

test.each([
  ["a && b | c > d", ["a", "b", "c"]],
  ["if a; then b; else (c); fi & { d; }", ["a", "b", "c", "d"]],
  ['echo $(a `b`) "${x:-$(c)}" <(d)', ['echo $(a `b`) "${x:-$(c)}" <(d)', "a `b`", "b", "c", "d"]],
  ["bash -c 'a; eval \"b c\"'", ["bash -c 'a; eval \"b c\"'", "a", "eval 'b c'", "b c"]],
  ["cat <<EOF\n$(a)\nEOF", ["cat", "a"]],
  ["cat <<'EOF'\n$(a)\nEOF", ["cat"]],
  ["timeout 5 nice -n 2 git push", ["git push"]],
  ["sudo -u root env A=1 rm x", ["sudo -u root env A=1 rm x", "env A=1 rm x", "rm x"]],
  ["find . -exec rm {} +", ["find . -exec rm {} +", "rm {}"]],
  ["git submodule foreach 'rm x'", ["git submodule foreach 'rm x'", "rm x"]],
  ["trap 'rm x' EXIT", ["trap 'rm x' EXIT", "rm x"]],
  ["'l's \"-\"l\\a {a,b}c", ["ls -la ac bc"]],
])("%j starts %j", (script, expected) => {
  expect(texts(script)).toEqual(expected);
});

test.each([
  "ls -la && git status",
  "cat src/a.ts | grep -n foo | head -5",
  "cd src && wc -l *.ts",
  "find . -name '*.ts' -not -path './node_modules/*' | xargs grep -l foo",
  "sed -n '1,80p' a.ts",
  "awk '{print $1}' a | sort | uniq -c | sort -rn",
  "git log --oneline -10 && git diff --stat HEAD~1 -- src",
  'for f in a b; do echo "$f"; done',
  "node --version; pip list; command -v go",
  "rg -n TODO -g '*.ts' src 2>/dev/null",
  "test -f a && echo yes || echo no",
  "env | sort",
  "tar tzf a.tgz",
  "GIT_PAGER=cat git log",
])("%j only reads", (script) => {
  expect(isReadOnly(script)).toBe(true);
});

test.each([
  "sort -o out in",
  "sort --outp=out in",
  "sed -i s/a/b/ f",
  "sed 's/a/b/e' f",
  "sed 's/a/b/w out' f",
  "awk 'BEGIN{system(\"id\")}'",
  "awk '{print > \"out\"}' f",
  "find . -delete",
  "find . -fprint out",
  "find . $x",
  "git -c core.pager=x log",
  "git -C elsewhere status",
  "cd elsewhere && git status",
  "git diff --output=x",
  "git grep -Ovim foo",
  "git status-alias",
  "rg --pre x foo",
  "tar xf a --checkpoint-action=exec=x",
  "less +!x f",
  "man -P x ls",
  "ssh -o ProxyCommand=x host",
  "date -s now",
  "hostname x",
  "uniq a b",
  "xxd a b",
  "yq -i . f",
  "tree -o out",
  "ls --unheard-of",
  "PATH=. ls",
  "PATH=.; ls",
  "LD_PRELOAD=x cat f",
  "ls() { x; }; ls",
  "./ls",
  "$x",
  "echo ${x@P}",
  '[[ a == @(a|$(p "b c")) ]]',
  "echo $((x[$(ls)]))",
  "printf -v 'a[$(ls)]' x",
  "shopt -s extglob",
  "set -k",
  "alias ls=x",
  "hash -p /x ls",
  "enable -f x y",
  "ls\r",
  "sh <<< ls$x",
  "echo x > f",
  "cat < /dev/tcp/host/80",
  "fd -x rm",
  "xargs rm",
])("%j is not known to only read", (script) => {
  expect(isReadOnly(script)).toBe(false);
});

test.each([
  ["cat a ../b ~/c /d", ["read /project/a", "read /b", "read /home/user/c", "read /d"]],
  ["cd src && cat a", ["read /project/src", "read /project/src/a"]],
  ["cd src; cat a", ["read /project/src", "read /project/src/a", "read /project/a"]],
  ["(cd src); cat a", ["read /project/src", "read /project/a"]],
  ['cd "$x"; cat a', ["read null", "read null"]],
  ["echo x > a 2> /dev/null >> b", ["create /project/a", "modify /project/b"]],
  ["rm -rf a b", ["delete /project/a", "delete /project/b"]],
  ["mv a b", ["delete /project/a", "read /project/a", "create /project/b", "create /project/b/a"]],
  ["dd if=a of=b", ["read /project/a", "modify /project/b"]],
  ["tee -a x <<< y", ["modify /project/x"]],
  ["sed -i s/a/b/ f", ["modify /project/f"]],
  ["find src -name x -delete", ["read /project/src", "delete /project/src/**/x"]],
  ["curl -o out https://x.com", ["create /project/out"]],
  ['rm "$x"', ["delete null"]],
])("%j does %j", (script, expected) => {
  expect(fileEffects(script)).toEqual(expected);
});

test("what is known only at run time makes the analysis opaque, and the values it may have are listed beside it", () => {
  const { opaque, commands } = analyze("x=rm; x=$y; $x -rf /");

  expect(opaque).toBe(true);
  expect(commands.map(({ program, impliedByParent }) => ({ program, impliedByParent }))).toEqual([
    { program: null, impliedByParent: false },
    { program: "rm", impliedByParent: true },
    // When it is empty.
    { program: "-rf", impliedByParent: true },
  ]);
});

test("spellings for rules that deny see through directories, global options, flags and quotes", () => {
  const { commands } = analyze("/usr/bin/git -C 'x' push origin -fu");

  expect(commands[0]!.variants).toEqual(expect.arrayContaining(["git push origin -fu", "git push -f origin"]));
});

test.each([
  "git config core.pager evil",
  "git config --global alias.x '!rm -rf a'",
  "git config --global core.hooksPath hooks",
  "npm run x --script-shell=rm",
  "make SHELL=/tmp/evil all",
])("%s: a rule about the program does not speak about it", (script) => {
  expect(analyze(script).commands[0]!.doubts.map(({ kind }) => kind)).toContain("option");
});

test("what an alias of git runs is in the analysis", () => {
  expect(texts("git config --global alias.x '!rm -rf a'")).toContain("rm -rf a");
});

test("git diff outside a repository reads the files it names", () => {
  expect(fileEffects("git diff --no-index .env /dev/null")).toContain("read /project/.env");
});
