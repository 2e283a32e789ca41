import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../src/contracts/json.js";
import { createGrepTool } from "../../../src/tools/search/grep.js";
import { runs } from "../../runs.js";
import { openWorkspace, temporaryDirectory } from "../../workspace/temporary-workspace.js";
import { callTool } from "../call-tool.js";

const FILES = runs(1_300, 2_500, 2_500);
const MANY_FILES = 50_000;

const DIRECTORIES = [
  "src",
  "lib",
  "out",
  "a b",
  "-dash",
  ".hidden",
  "[id]",
  "(group)",
  "ümlaut",
  "build",
  "line\nbreak",
  "#x",
];
const NAMES = [
  "a.ts",
  "b.js",
  "c.log",
  "keep.log",
  "d.gen.ts",
  ".env.local",
  "e",
  "-f",
  " g ",
  "h\ni",
  "j*.md",
  "k\\l",
  "日本.txt",
];
const IGNORE_FILES: Record<string, string> = {
  ".gitignore": "*.log\n!keep.log\n/out/\n**/lib/a.ts\n\\#x/\n# a comment\n\n",
  "src/.gitignore": "!c.log\n/e\nbuild\n[ab]*\n!b.js\n",
  "a b/.gitignore": "*\n!*/\n!*.ts\n",
  ".hidden/.gitignore": "lib/**/e\n!lib/\n-f/\n",
  "-dash/.ignore": "*\n",
  "lib/.git/HEAD": "needle",
  "lib/.gitignore": "node_modules\n",
  "lib/node_modules/p/i.js": "needle",
  "build/.gitignore": "*.md\r\n!j*.md \r\nout\r\n",
};

const utf16 = (text: string) => Buffer.from(text, "utf16le");
const CONTENTS: readonly (string | Buffer)[] = [
  "needle one\ntwo foo bar\n  foo(bar) { return x; }\n",
  "no final line break needle",
  "crlf needle\r\nfoo bar\r\n\r\nlast\r\n",
  "cr only needle\rfoo\rbar",
  "α Foo_1 é\ttab\n\u00a0space needle\u2028same line\nſ K ß ẞ İ\n",
  "\ufeffneedle behind a mark\nfoo\n",
  Buffer.from("caf\xe9 needle \xff\xfe\x80\nfoo\xc3\nbar \xe2\x82 x\n\xf0\x9f\x98", "latin1"),
  Buffer.concat([Buffer.from([0xff, 0xfe]), utf16("utf16 needle\r\nfoo é 😀\n")]),
  Buffer.concat([Buffer.from([0xfe, 0xff]), utf16("utf16 needle\nfoo é\n").swap16()]),
  "binary \0 needle\nfoo\n",
  `${"x".repeat(600)}needle${"foo bar ".repeat(50)}\nfoo\n`,
  "",
  "\n\n\nneedle\n\n",
  "\ufeff\ufefftwo marks needle 😀\r\nnot last \u{1f600}foo ",
  "\ufffd real replacement needle\n\x1b[31mfoo\x1b[0m\x07\n",
];

/** Once each: a pattern that goes back and forth takes time that grows with the square of a string's length. */
const LONG_FILES: Record<string, string> = {
  "src/line.ts": `${"x".repeat(30_000)}needle${"foo bar ".repeat(5_000)}\nfoo\n`,
  "src/late.ts": `${"needle foo bar\n".repeat(800)}late \0 needle\nbar\n`,
};

function writeTree(root: string, count: number): void {
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const [path, content] of Object.entries({ ...IGNORE_FILES, ...LONG_FILES })) write(path, content);
  for (let i = 0; i < count; i++) {
    const at = (list: readonly string[], divisor: number) => list[Math.floor(i / divisor) % list.length]!;
    const directories = [at(DIRECTORIES, 13), at(DIRECTORIES, 156), at(DIRECTORIES, 1_872)].slice(
      0,
      1 + (Math.floor(i / 13) % 3),
    );
    write(
      [...directories, i % 39 < 13 ? at(NAMES, 1) : `${i}-${at(NAMES, 1)}`].join("/"),
      CONTENTS[(i * 7) % CONTENTS.length]!,
    );
  }
  execFileSync("bash", [
    "-c",
    `cd "$1" && printf needle > $'bad\\xffname' && mkdir $'dir\\xfe' && printf needle > $'dir\\xfe/a'`,
    "bash",
    root,
  ]);
}

const piece = fc.constantFrom(
  ..."foo,bar,needle,\\b,\\B,$,.,.,\\w,\\W,\\d,\\D,\\s,\\S,[a-k],[^a-z],[^\\w],[\\s\\S],[[:alpha:]],\\p{L},\\p{S},\\(,{x},],-,&,a{2},é,K,ß,\\ufffd,[\\x80-\\uffff],\\t,\\x66,(?:foo|b),(a|),caf,^,(^|\\s),(bar$|\\W),(?=b),(?!b),(?<=o ),(?<n>[a-o])\\k<n>,[\\w.-],[^\\S\\n],\\P{L},\\r,\\0,😀,\\u{1f600},\\ufeff,ſ,[ſ-ẞ]".split(
    ",",
  ),
);
const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "+?", "{1,2}");
const pattern = fc
  .tuple(fc.constantFrom("", "", "^"), fc.array(fc.tuple(piece, quantifier), { minLength: 1, maxLength: 4 }))
  .map(([start, pieces]) => start + pieces.map((each) => each.join("")).join(""));
const where = fc.constantFrom<JsonObject>(
  {},
  {},
  {},
  { glob: "*.ts" },
  { glob: "*.{ts,log}" },
  { glob: "!*.js" },
  { glob: "**/*.gen.*" },
  { glob: "src/**" },
  { type: "ts" },
  { path: "src" },
  { path: "a b" },
  { path: "out" },
);
const query = fc
  .record({
    pattern,
    output_mode: fc.constantFrom("files_with_matches", "content", "count"),
    "-i": fc.boolean(),
    multiline: fc.boolean(),
    "-C": fc.constantFrom(0, 0, 1, 3),
    head_limit: fc.constantFrom(1, 50, 2_000, 10_000),
    where,
  })
  .map(({ where: place, ...call }): JsonObject => ({ ...call, ...place }));

let ripgrep: string;

beforeAll(async () => {
  const { rgPath } = (await import("@vscode/ripgrep")) as { rgPath: string };
  ripgrep = rgPath;
});

/** Asks both for the same, of a tree that is written once. */
async function compareQueries(files: number, numRuns: number): Promise<void> {
  const root = await temporaryDirectory({ forThousands: true });
  writeTree(root, files);
  const workspace = await openWorkspace({ root });
  const tools = [false as const, ripgrep].map((program) =>
    createGrepTool(workspace, { ripgrep: program, timeBudgetMs: 120_000 }),
  );
  const property = fc.asyncProperty(query, async (call) => {
    const [plain, quick] = await Promise.all(
      tools.map((tool) =>
        callTool(tool, call).then(
          ({ text }) => text,
          (error: Error) => error.message,
        ),
      ),
    );

    expect(quick).toBe(plain);
  });

  await fc.assert(property, { numRuns });
}

test("in a tree of odd files, the answer is the same with ripgrep and without", async () => {
  await compareQueries(FILES, runs(8, 40, 800));
});

// A query of so many files takes seconds: few of them, as the dialect is tried on the smaller tree.
test("in a tree of many files, too", async () => {
  await compareQueries(runs(FILES, FILES, MANY_FILES), runs(2, 2, 40));
});
