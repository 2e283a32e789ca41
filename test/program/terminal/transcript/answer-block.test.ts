import fc from "fast-check";
import { expect, test } from "vitest";
import { createTheme } from "../../../../src/program/terminal/screen/theme.js";
import { AnswerBlock, endOfSettled } from "../../../../src/program/terminal/transcript/answer-block.js";
import { runs } from "../../../runs.js";

const theme = createTheme({ NO_COLOR: "1" });

const piece = fc.constantFrom(
  "A paragraph with **bold** text.\n\n",
  "Another one\nin two lines.\n\n",
  "- one\n- two\n\n  more of two\n\n",
  "1. first\n\n2. second\n\n",
  "```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n",
  "# Heading\n\n",
  "| a | b |\n| - | - |\n| 漢 | x |\n\n",
  "> quoted\n\n",
);

test("an answer looks the same whether it comes at once or in pieces", () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 40 }), (pieces, size) => {
      const text = pieces.join("");
      const streamed = new AnswerBlock(theme);
      for (let at = 0; at < text.length; at += size) {
        streamed.push(text.slice(at, at + size));
        if (at % 3 === 0) streamed.render(60);
      }

      const shown = (block: AnswerBlock) => block.render(60).map((line) => line.trimEnd());
      expect(shown(streamed)).toEqual(shown(new AnswerBlock(theme, text)));
    }),
    { numRuns: runs(50, 500, 5_000) },
  );
});

test("a code fence and a list are not settled before they end", () => {
  expect(endOfSettled("One.\n\nTwo\n")).toBe("One.\n\n".length);
  expect(endOfSettled("```\na\n\nb\n")).toBe(0);
  expect(endOfSettled("```\na\n\nb\n```\n\nafter\n")).toBe("```\na\n\nb\n```\n\n".length);
  expect(endOfSettled("- a\n\n- b\n\n  c")).toBe(0);
  expect(endOfSettled("- a\n\nafter\n")).toBe("- a\n\n".length);
  expect(endOfSettled("1. a\n\n2")).toBe(0);
  expect(endOfSettled("One.\n\n")).toBe(0);
});

test("the lines of a list item are wrapped behind its bullet, also in a list inside it", () => {
  const text = "9. one two three\n10. four **five** six seven\n    - eight nine ten\n      eleven\n";

  expect(new AnswerBlock(theme, text).render(22).map((line) => line.trimEnd())).toEqual([
    "  9. one two three",
    "  10. four five six",
    "      seven",
    "      - eight nine",
    "        ten",
    "        eleven",
  ]);
});
