// Names that a loop over a pipe takes one after the other: known as those that `xargs` is handed.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPermissionChecker } from "../../../../src/permissions/index.js";
import { createWorkspace } from "../../../../src/workspace/index.js";

async function behaviorIn(names: readonly string[], command: string): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "names-in-loops-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "src"));
  for (const name of ["a.ts", "src/b.ts", "secret", ".env", ...names]) writeFileSync(join(root, name), "x");
  const workspace = await createWorkspace({ root });
  const checker = createPermissionChecker({ workspace, rules: { deny: ["Read(.env)"] } });
  const { behavior } = await checker.decide({ tool: "bash", input: { command } });
  await workspace.close();
  return behavior;
}

const LOOPS = [
  'ls | while read f; do wc -l "$f"; done',
  'git ls-files 2>/dev/null; ls | while read -r f; do echo "$f"; grep -n x "$f" | head -1; done',
  'ls | grep ts | while IFS= read -r f; do head -3 "$f"; done',
  'ls src | while read f; do wc -l "src/$f"; done',
  'find . -name "*.ts" | while read f; do wc -l "$f"; done',
  "find . -name '*.ts' -print0 | while IFS= read -r -d '' f; do wc -l \"$f\"; done",
];

test.each(LOOPS)("%s needs no question", async (command) => {
  expect(await behaviorIn([], command)).toBe("allow");
});

test.each([LOOPS[0]!, LOOPS[1]!, LOOPS[4]!])("%s asks where a name may be an option, or two", async (command) => {
  expect(await behaviorIn(["-x.ts"], command)).toBe("ask");
  expect(await behaviorIn(["a b.ts"], command)).toBe("ask");
  expect(await behaviorIn([" .env"], command.replace("*.ts", "*"))).toBe("ask");
});

test.each([
  'ls | while read f; do rm "$f"; done',
  'ls -a | while read f; do cat "$f"; done',
  'ls | while read f; do cat "../$f"; done',
  'ls | while read f; do f=$X; cat "$f"; done',
  'ls | while read f; do head -c 1; cat "$f"; done',
  'ls | while read f; do cat; wc -l "$f"; done',
  'find . -name "*.ts" -print0 | while read -r -d "" f; do wc -l "$f"; done',
  'ls | while read f; do grep "$f"; done',
  'ls | while read f; do head -n "$f"; cat "$f"; done',
  'ls | while read f; do echo $(head -c 1); cat "$f"; done',
  'cat() { head -c 1; }; ls | while read f; do cat "$f"; done',
  'ls | while read f; do wc -l "$f" < /dev/stdin; done',
  'ls | while read f; do read f; cat "$f"; done',
  'ls | while read f; do cd ..; cat "$f"; done',
  'ls | while IFS=x read f; do cat "$f"; done',
  'ls | while read f g; do cat "$f"; done',
  'ls | while read f; do bash "$f"; done',
  "ls | while read f; do $f; done",
  'ls() { echo ../x; }; ls | while read f; do cat "$f"; done',
  'ls src | while read f; do cat "$f"; done',
  'cat list | while read f; do cat "$f"; done',
])("%s asks", async (command) => {
  expect(await behaviorIn([], command)).toBe("ask");
});
