import { expect, test } from "vitest";
import { isPlainAwkProgram } from "../../../../src/permissions/shell/invocation/awk-program.js";

const PLAIN = [
  "{print $1, $2}",
  "$3 > 5 {print $1}",
  'BEGIN{FS=","} {print $2}',
  "NR==FNR{a[$1];next} !($1 in a)",
  "NR>=10 && NR<=20",
  '{printf "%s %d\\n", $1, $2}',
  "{ if ($1 > 3) print $2; else print ($1 > $2) }",
  "/system/{print}",
  "/a|b/ { n++ } END { print n / 2, n % 2 }",
  "{ print length($0) / 2 }",
  "function f(x) { return x * 2 } { print f($1) }",
  'BEGIN { while (i < 3) { print i; i++ } } # "x" > "y" | "sh"',
  '/[[:alpha:]_]+\\/x/ { sub(/a/, "b"); print substr($0, 2) }',
  "END { for (k in a) print k, a[k] }",
  "{ print $1,\n $2 }",
];
test.each(PLAIN)("only reads and prints: %s", (program) => {
  expect(isPlainAwkProgram(program)).toBe(true);
});

const REACHING = [
  'BEGIN{print "a;b" > "src/pwn"}',
  '{ print "x" >> "f" }',
  '{ print "x" | "sh" }',
  '{ print $1,\n $2 > "f" }',
  '{ printf("%s", $1) > "f" }',
  '{ print(1)(2) > "f" }',
  '{ for (;; print 1 > "f") x }',
  'BEGIN { system("touch x") }',
  'BEGIN { system ("touch x") }',
  'BEGIN { "date" | getline d }',
  "{ getline < FILENAME }",
  'BEGIN { ARGV[1] = "/etc/passwd" }',
  '@load "x"',
  'BEGIN { f = "system"; @f("x") }',
  'BEGIN { SYMTAB["x"] }',
  "BEGIN { unknown(1) }",
  'if (1) /"/; print "a" > "f" #"/',
  'x++ /"/ ; print "a" > "f" #"/',
  '/[/]"/ ; { print "a" > "f" } #"/',
  '{ print "unfinished }',
  "{ print `x` }",
];
test.each(REACHING)("may do more: %s", (program) => {
  expect(isPlainAwkProgram(program)).toBe(false);
});

test("long programs take time in proportion to their length", () => {
  const started = process.cpuUsage().user;
  for (const piece of ["(", "/", "[", '"', "print ", "a/", "x>", "\\", "#", "/["])
    isPlainAwkProgram(piece.repeat(20_000));
  expect((process.cpuUsage().user - started) / 1_000).toBeLessThan(5_000);
});
