// What people and agents type in projects of many languages, decided in one that has a bit of each.
import { afterAll, beforeAll, expect, test } from "vitest";
import { BUILDING, BUILDING_RULES, LOOKING, NO_LONGER, TEMPTING, TYPED } from "./corpus/texts.js";
import { everydayFiles, type Files, filesIn } from "./files-kit.js";

let files: Files;
beforeAll(async () => {
  files = await everydayFiles();
});
afterAll(() => files.close());

test("of a hundred lines that only look at most two ask, and of those that build at most three", async () => {
  const looking = await files.others("allow", LOOKING);
  const building = await files.others("allow", BUILDING, BUILDING_RULES, "acceptEdits");

  expect(looking.length / LOOKING.length, looking.join("\n")).toBeLessThanOrEqual(0.02);
  expect(building.length / BUILDING.length, building.join("\n")).toBeLessThanOrEqual(0.03);
  expect([...looking, ...building].filter((each) => each.startsWith("deny"))).toEqual([]);
});

test("in whichever form of the shell they are typed, lines that only look run", async () => {
  expect(await files.others("allow", TYPED)).toEqual([]);
});

test("in forms that are no longer understood they ask", async () => {
  expect(await files.others("ask", NO_LONGER)).toEqual([]);
});

test("what looks like them and does more never runs without a rule", async () => {
  expect(await files.others(["ask", "deny"], TEMPTING)).toEqual([]);
  expect(await files.others(["ask", "deny"], TEMPTING, {}, "plan")).toEqual([]);
});

test("a name that a program would take for an option makes a loop over names ask", async () => {
  const lines = [
    "for f in $(ls); do grep $f README.md; done",
    "files=$(ls); for f in $files; do grep $f README.md; done",
  ];
  expect(await files.others("allow", lines)).toEqual([]);
  files.put("-fsecret");
  expect(await files.others("ask", lines)).toEqual([]);
  files.remove("-fsecret");
});

test("where the working tree begins is known, unless git may print another directory", async () => {
  const lines = [
    'root=$(git rev-parse --show-toplevel); cat "$root/package.json"',
    'cd "$(git rev-parse --show-toplevel)" && ls',
  ];
  expect(await files.others("allow", lines)).toEqual([]);
  const bare = await filesIn("package.json", ".git/config");
  expect(await bare.others("ask", lines)).toEqual([]);
  bare.put(".git/HEAD", ".git/objects/x", ".git/refs/x");
  expect(await bare.others("ask", lines)).toEqual([]);
  await bare.close();
});

test("a file that is moved onto another one is not put into it", async () => {
  const rules = { allow: ["Edit(*.json)"] };
  const onto = [
    "jq . package.json > tmp.json && mv tmp.json package.json",
    "cp data.json x.json && mv x.json data.json",
  ];
  expect(await files.others("allow", onto, rules, "acceptEdits")).toEqual([]);
  const into = "rm data.json && mkdir -p data.json && mv package.json data.json";
  expect(await files.others("allow", [into], { allow: [...rules.allow, "Bash(rm:*)"] }, "acceptEdits")).toEqual([
    `ask: ${into}`,
  ]);
});
