// What every row of the table of programs has to say.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { optionsOf } from "../../../../src/permissions/shell/invocation/options.js";
import type { ProgramRow } from "../../../../src/permissions/shell/programs/program-row.js";
import { FAMILIES, findProgram } from "../../../../src/permissions/shell/programs/table.js";
import { PROGRAM_PAGE, programPage } from "./program-page.js";
import { faultsInRow } from "./row-schema.js";

const ROWS = Object.values(FAMILIES).flatMap((family) => Object.entries(family));

/** What is missing in a row, in words. */
function missingIn({ manual, kind, does, operands, analyze, anyOptions, ...row }: ProgramRow): readonly string[] {
  const table = optionsOf(row);
  const missing: string[] = [];
  if (!/\d|POSIX|own manual/.test(manual)) missing.push("which version of which manual it was read in (manual)");
  const acts = kind !== "reads";
  if (acts && !does) missing.push("where it writes, what it runs and where it connects (does)");
  if (!acts && does) missing.push("that it does more than read, since it says how far it reaches (no kind)");
  if (acts && does?.writes === "named" && !analyze && !anyOptions && !operands && !row.writes && !row.transfers) {
    missing.push("which words name the files it writes (operands, writes, transfers or analyze)");
  }
  const listsOptions = [row.flags, row.values, row.attached, row.informs].some((list) => list !== undefined);
  if (acts && !listsOptions && !anyOptions && !operands)
    missing.push("its options, or that any may be given (flags, values or anyOptions)");
  if (!acts && anyOptions && !analyze && !row.readsWords)
    missing.push("its options, since any of them may do more than read (no anyOptions)");
  return table === undefined ? ["a table of options"] : missing;
}

test.each(ROWS)("the row of %s says where it writes, what it runs and where it connects", (_, row) => {
  expect(missingIn(row)).toEqual([]);
});

test("a row that forgets to say so is refused", () => {
  expect(missingIn({ manual: "x 1 manual", flags: "-a" })).toEqual([
    "where it writes, what it runs and where it connects (does)",
  ]);
  expect(missingIn({ manual: "the manual", kind: "reads" })).toEqual([
    "which version of which manual it was read in (manual)",
  ]);
  expect(missingIn({ manual: "x 1 manual", kind: "reads", anyOptions: true })).toEqual([
    "its options, since any of them may do more than read (no anyOptions)",
  ]);
});

test.each(ROWS)("the row of %s is data, each field what the schema says", (_, row) => {
  expect(faultsInRow(row)).toEqual([]);
});

test("a field that the schema does not know, or that holds code, is refused", () => {
  const row = { manual: "x 1 manual", kind: "reads", flags: "a", most: -1, operands: () => "read", speed: 3 };

  expect(faultsInRow(row as unknown as ProgramRow)).toEqual(["flags", "most", "operands", "speed"]);
});

/** They have a language of their own, or words that stand for each other as no row can say. This list only becomes shorter. */
const WITH_CODE = `
  7z 7za 7zz ar awk bsdtar bun cpio curl docker docker-compose doas env fd fdfind find flock gawk git go gtar jar jq
  kubectl mawk mmdc nawk nc ncat nerdctl netcat npm openssl patch pkexec pnpm podman ps pypy pypy3 python python2
  python3 ranlib rar rsync scp sed sftp socat ssh ssh-keygen sudo tar unrar unzip wget xargs yarn yq zip`;

test("only programs with a language of their own have code beside their row", () => {
  const withCode = ROWS.filter(([, { analyze, spelt }]) => analyze ?? spelt).map(([name]) => name);

  expect(withCode.sort()).toEqual(WITH_CODE.trim().split(/\s+/).sort());
});

test("a program has one row", () => {
  const names = ROWS.map(([name]) => name);

  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("an option stands in one list of its row", () => {
  const twice = ROWS.flatMap(([name, row]) => {
    const all = [row.flags, row.reads, row.loads, row.writes, row.runs, row.hazards, row.hazardValues].flatMap(
      (list) => list?.split(/\s+/).filter(Boolean) ?? [],
    );
    return all
      .filter((option, at) => all.indexOf(option) !== at && !isListedTwice(row, option))
      .map((option) => `${name} ${option}`);
  });

  expect(twice).toEqual([]);
});

/** The same list names it twice, which says nothing else. */
function isListedTwice(row: ProgramRow, option: string): boolean {
  const lists = [row.flags, row.reads, row.loads, row.writes, row.runs, row.hazards, row.hazardValues];
  return lists.filter((list) => list?.split(/\s+/).includes(option)).length === 1;
}

test("versions of interpreters and compilers are known, and nothing else with a number behind it", () => {
  expect(findProgram("python3.12")).toBe(findProgram("python"));
  expect(findProgram("gcc-12")).toBe(findProgram("gcc"));
  expect(findProgram("ls2")).toBeUndefined();
  expect(findProgram("git-2")).toBeUndefined();
});

test("the reference page shows the rows as they are", () => {
  const isNew = readFileSync(PROGRAM_PAGE, "utf8") === programPage();
  expect(isNew, "npx tsx test/permissions/shell/programs/write-program-page.ts brings the page up to date").toBe(true);
});
