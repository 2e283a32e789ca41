import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Words this project's prose does without, and what an English-speaking engineer writes instead. */
const WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bfolders?\b/i, "directory"],
  [/\bmend(?:s|ed|ing)?\b/i, "fix"],
  [/\banew\b/i, "again"],
  [/\botherwise than\b/i, "differently from"],
  [/\ba yes\b/i, "approval"],
  [/\bhand(?:s|ed)? on\b/i, "pass on"],
  [/\bstands? for\b/i, "represents"],
  [/\bt(?:ells?|old) of\b/i, "report"],
  [/\b(?:is|are) none\b(?! of)/i, "is not one, are not"],
  [/(?<!line of )\bblanks\b(?! (?:and quotes|behind|that|of any))/i, "whitespace"],
];

function pages(): string[] {
  const inside = (directory: string) =>
    readdirSync(join(ROOT, directory), { recursive: true, encoding: "utf8" }).map((file) => `${directory}/${file}`);
  return ["README.md", "CHANGELOG.md", "AGENTS.md", ...["src", "docs", "examples", "bench", ".github"].flatMap(inside)]
    .map((file) => file.replaceAll("\\", "/"))
    .filter(
      (file) =>
        /\.(?:ts|md|vue)$/.test(file) && !/^docs\/(?:api|\.vitepress\/(?:dist|cache|node_modules))\//.test(file),
    );
}

test("code and docs are written in plain words", () => {
  const found = pages().flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        WORDS.filter(([word]) => word.test(line)).map(([word, instead]) => {
          return `${file}:${index + 1}: "${word.exec(line)![0]}": write ${instead}`;
        }),
      ),
  );

  expect(found).toEqual([]);
});
