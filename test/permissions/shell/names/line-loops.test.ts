// `… | while read f; do …; done`: a command in the loop may take a part of a name; then the names are not known.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Files, filesIn } from "../../files-kit.js";

const NAMES = ["src/a.ts", "src/deep/b.ts", "README.md"];
let files: Files;
/** The same files, with what `git init` and `git add .` make of them: two processes for each test would be many. */
let template: Files;

beforeAll(async () => {
  template = await filesIn(...NAMES);
  template.git("init", "-q");
  template.git("add", ".");
});
afterAll(() => template.close());
beforeEach(async () => {
  files = await filesIn(...NAMES);
  cpSync(join(template.root, ".git"), join(files.root, ".git"), { recursive: true });
});
afterEach(() => files.close());

const PLAIN = [
  'git ls-files | while read -r f; do wc -l "$f"; done',
  'git ls-files | while read f; do echo "$f: $(wc -l < "$f")"; done',
  "find src -name '*.ts' | while IFS= read -r f; do head -5 \"$f\"; done",
  "find src -name '*.ts' -print0 | while IFS= read -r -d '' f; do grep -n TODO \"$f\"; done",
  'git ls-files | sort | head -3 | while read -r f; do if [ -f "$f" ]; then cat "$f" | tail -1; fi; done',
  'git diff --name-only | while read -r f; do printf \'%s\\n\' "$f"; wc -l "$f"; done',
];

test("a loop over lines that are names of files runs while nothing in it may read from the pipe", async () => {
  const rules = { deny: ["Read(.env)", "Read(secrets)"] };
  const mayRead = PLAIN.filter((line) => /\$\(|\bif\b/.test(line));
  const mayNot = PLAIN.filter((line) => !mayRead.includes(line));
  expect([mayRead.length, mayNot.length]).toEqual([2, 4]);
  expect(await files.others("allow", mayNot)).toEqual([]);
  expect(await files.others("allow", mayNot, rules)).toEqual([]);
  expect(await files.others("ask", mayRead)).toEqual([]);
  expect(await files.others("ask", mayRead, rules)).toEqual([]);
});

test("a loop over lines that are numbers or commits runs, whatever takes a part of one", async () => {
  files.git("commit", "-q", "-m", "a");
  const lines = [
    "git log --format=%h -3 | while read -r h; do git show --stat $h; head -c 1; done",
    "seq 1 3 | while read i; do git log -1 HEAD~$i; done",
  ];
  expect(await files.others("allow", lines)).toEqual([]);
});

test("what a rule denies, what leads out, and what is more than one name is asked about in a loop, too", async () => {
  const spoil = [
    () => files.link("../../../outside/x", "src/deep/c.ts"),
    () => files.put("src/x /etc/passwd", "src/x /etc/passwd.ts"),
    () => files.put("src/-n.ts"),
    () => files.put("src/a\nb.ts"),
  ];
  for (const make of spoil) {
    make();
    files.git("add", "-A");
    const lines = PLAIN.filter((line) => !line.includes("-print0") && !line.includes("diff"));
    expect(await files.others(["ask", "deny"], lines), String(make)).toEqual([]);
    await files.close();
    files = await filesIn(...NAMES);
    files.git("init", "-q");
  }
  files.put("src/.env");
  files.git("add", "-A");
  const lines = PLAIN.filter((line) => !line.includes("diff") && !line.includes("*.ts"));
  expect(await files.others(["ask", "deny"], lines, { deny: ["Read(.env)"] })).toEqual([]);
});

test.each([
  // A part of a line is taken, so that the next name begins in its middle.
  'L | while read -r f; do head -c 1; cat "$f"; done',
  'L | while read -r f; do echo "$(head -c 1)"; cat "$f"; done',
  'L | while read -r f; do read -n 1 g; cat "$f"; done',
  'L | while read -r f; do grep -m 1 "$f"; cat "$f"; done',
  'L | while read -r f; do grep "$f"; cat "$f"; done',
  'L | while read -r f; do head -n "$f"; cat "$f"; done',
  'L | while read -r f; do head -1 "$f" -; cat "$f"; done',
  'L | while read -r f; do sed 1q; cat "$f"; done',
  'L | while read -r f; do sed "$f"; cat "$f"; done',
  'L | while read -r f; do dd bs=1 count=1; cat "$f"; done',
  'L | while read -r f; do if grep -q x; then :; fi; cat "$f"; done',
  'L | while read -r f; do { head -1; }; cat "$f"; done',
  'L | while read -r f; do (head -1) ; cat "$f"; done',
  'L | while read -r f; do x=$(head -c 1); cat "$f"; done',
  'L | while read -r f; do cat <(head -c 1) "$f"; done',
  'L | while read -r f; do cat "$f" | cat - <(:); head -1 | cat; done',
  'g() { head -c 1; }; L | while read -r f; do g; cat "$f"; done',
  // The line is changed on its way, or the variable is filled by something else.
  'L | while read f g; do cat "$f"; done',
  'L | while read g f; do cat "$f"; done',
  'L | while IFS=/ read -r f; do cat "$f"; done',
  'L | while IFS=/ read -r g f; do cat "$f"; done',
  'L | while read -r -d / f; do cat "$f"; done',
  'L | while read -r -n 5 f; do cat "$f"; done',
  'L | while read -r f; do cat "../$f"; done',
  'L | while read -r f; do cat "$f".bak; done',
  'L | while read -r f; do cat "\u0024{f#src}"; done',
  'L | while read -r f; do f=/etc/passwd; cat "$f"; done',
  'L | while read -r f; do printf -v f /etc/passwd; cat "$f"; done',
  'L | while read -r f; do cat "$f"; done; read f <<< /etc/passwd; cat "$f"',
  'L | while read -r f; do for f in /etc/passwd; do cat "$f"; done; done',
  'L | while read -r f; do cd /; cat "$f"; done',
  'L | while read -r f; do cat "$f"; eval "$f"; done',
  'L | while read -r f; do (cd src; cat "$f"); done',
  'L | until read -r f; do cat "$f"; done',
  'L | while read -u 3 f; do cat "$f"; done 3< /etc/passwd',
  'L | while read -r f < /etc/passwd; do cat "$f"; done',
  'L | while true; do read -r f; cat "$f"; done',
  'L |& while read -r f; do cat "$f"; done',
  'L | sed s,^,/, | while read -r f; do cat "$f"; done',
  'while read -r f; do grep -c x "\u0024{f}" && cat "$f"; done < <(git ls-files)',
  'while IFS= read -r f; do basename "$f"; sed -n 1,3p "$f"; done <<< "$(git ls-files)"',
  'while read -r f; do cat "$f"; done < list',
  'while read -r f; do cat "$f"; done < <(L; echo /etc/passwd)',
  "find . -print0 | while read -r -d '' f; do cat \"$f\"; done",
  "find . -print0 | while IFS= read -d '' f; do cat \"$f\"; done",
  'find . -print0 | while IFS= read -r f; do cat "$f"; done',
  'read() { f=/etc/passwd; }; L | while read -r f; do cat "$f"; done',
])("a loop that may read something else asks: %s", async (line) => {
  expect(await files.others(["ask", "deny"], [line.replace("L", "git ls-files")])).toEqual([]);
});
