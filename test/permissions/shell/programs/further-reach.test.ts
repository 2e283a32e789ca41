import { expect, test } from "vitest";
import { said } from "./family.js";

const REACHES = [
  "sqlite3 x.db '.sh ls'",
  "sqlite3 x.db '.sys ls'",
  "sqlite3 x.db '.ou f'",
  "sqlite3 x.db \"attach 'f' as g\"",
  "sqlite3 x.db \"vacuum into 'f'\"",
  "gcc -wrapper sh,-c,ls a.c",
  "gcc -fplugin=x.so a.c",
  "cc @options",
  "make -f - test",
  "make SHELL=x",
  "npm test --script-shell=x",
  "psql -c '\\! ls'",
  "go test -exec x",
];
test.each(REACHES)("reaches beyond its name: %s", (line) => {
  expect(said(line)).toContain("option");
});

test.each(["sqlite3 x.db '.tables'", "sqlite3 x.db 'select 1'", "gcc -O2 -Wall a.c", "make test", "npm test"])(
  "does what its name says: %s",
  (line) => {
    expect(said(line)).toEqual([]);
  },
);
