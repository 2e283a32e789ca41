// Interpreters that read a program from their input: no rule about all commands speaks for what it does.
import { expect, test } from "vitest";
import { createPermissionChecker } from "../../../../src/permissions/index.js";
import { processorMs } from "../../../processor-time.js";
import { bash, behaviorOf, decide } from "../../kit.js";
import { said } from "../programs/family.js";

const rules = { allow: ["Bash", "Edit", "Read"], deny: ["Bash(rm:*)"] };

test.each([
  "tclsh <<< 'exec rm -rf src'",
  "tclsh8.6 <<< 'exec rm -rf src'",
  "expect <<< 'spawn rm -rf src'",
  "m4 <<< 'syscmd(rm -rf src)'",
  "m4 <<< 'esyscmd(`rm -rf src`)'",
  "lua - <<< 'os.execute(\"rm -rf src\")'",
  "echo 'os.execute(\"rm -rf src\")' | lua5.4 -",
  "guile <<< '(system \"rm -rf src\")'",
  "python3 <<< 'import os; os.system(\"rm -rf src\")'",
  'node <<< \'require("child_process").execSync("rm -rf src")\'',
  "sqlite3 x.db <<< '.shell rm -rf src'",
  "psql <<< '\\! rm -rf src'",
  "mysql <<< '\\! rm -rf src'",
  "gdb -x - <<< 'shell rm -rf src'",
  "ed <<< '!rm -rf src'",
  "ex -s <<< '!rm -rf src'",
  "bc <<< '!rm -rf src'",
  "dc <<< '!rm -rf src'",
  "gnuplot <<< 'system \"rm -rf src\"'",
  "octave <<< 'system(\"rm -rf src\")'",
  "Rscript - <<< 'system(\"rm -rf src\")'",
  "perl <<< 'exec qw(rm -rf src)'",
  "crontab - <<< '* * * * * rm -rf src'",
  "lftp -c 'open x; !rm -rf src'",
])("a deny finds the command in the input: %s", async (line) => {
  expect((await decide({ rules }, bash(line))).behavior).toBe("deny");
});

test.each([
  "tclsh <<< 'puts 1'",
  "m4 <<< 'define(a, b)'",
  "cat x | lua -",
  "python3 - < x.py",
  "psql < dump.sql",
  "sqlite3 x.db < schema.sql",
  "gdb -x - < commands",
  "cat x | ed a.txt",
  "generate | dc",
  "cat x | R --no-save",
  "timeout 5 tclsh < x",
  "env A=1 perl < x",
])("a program in the input that was not read asks while rules deny: %s", async (line) => {
  expect((await decide({ rules }, bash(line))).behavior).toBe("ask");
});

test("a rule that names the interpreter allows it, and input that is data is not a program", async () => {
  const checker = createPermissionChecker({
    rules: { allow: ["Bash(python3 *)", "Bash(node *)", "Bash(psql *)"], deny: ["Bash(rm:*)"] },
  });
  for (const line of ["python3 - <<< 'print(1)'", "node <<< 'console.log(1)'"]) {
    expect(await behaviorOf(checker, bash(line)), line).toBe("allow");
  }
  expect(await behaviorOf(checker, bash("psql app < not-there.sql"))).toBe("ask");
  for (const line of ["echo '2+3' | bc", "bc -l <<< 'scale=2; 10/3'", "seq 3 | paste -sd+ | bc"]) {
    expect(await behaviorOf(checker, bash(line)), line).toBe("allow");
  }
  const all = createPermissionChecker({ rules });
  for (const line of ["python3 -m json.tool < a.json", "cat a | python3 -c 'print(1)'", "node a.js < data"]) {
    expect(await behaviorOf(all, bash(line)), line).toBe("allow");
  }
});

test("an endless input of blank lines is judged at once", async () => {
  const started = processorMs();
  await decide({ rules }, bash(`bc <<< '${"\n".repeat(60_000)}'`));
  await decide({ rules }, bash(`ed <<< '${" \n".repeat(30_000)}'`));
  expect(processorMs() - started).toBeLessThan(5_000);
});

const REACHES = [
  "sqlite3 x.db '.sh ls'",
  "sqlite3 x.db '.sys ls'",
  "sqlite3 x.db '.ou f'",
  "sqlite3 x.db \"attach 'f' as g\"",
  "sqlite3 x.db \"vacuum into 'f'\"",
  "gcc -wrapper sh,-c,ls a.c",
  "gcc -fplugin=x.so a.c",
  "cc @options",
  "make SHELL=x",
  "npm test --script-shell=x",
  "psql -c '\\! ls'",
  "go test -exec x",
];
test.each(REACHES)("reaches beyond its name: %s", (line) => {
  expect(said(line)).toEqual(expect.arrayContaining([expect.stringMatching(/^(?:option|code)$/)]));
});

test("takes code from its input: make -f - test", () => {
  expect(said("make -f - test")).toEqual(["code"]);
});

test.each(["sqlite3 x.db '.tables'", "sqlite3 x.db 'select 1'", "gcc -O2 -Wall a.c", "make test", "npm test"])(
  "does what its name says: %s",
  (line) => {
    expect(said(line)).toEqual([]);
  },
);
