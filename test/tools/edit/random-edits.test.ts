import fc from "fast-check";
import { expect, test } from "vitest";
import { isHarnessError } from "../../../src/contracts/errors.js";
import { applyEdit } from "../../../src/tools/edit/apply-edit.js";
import { runs } from "../../runs.js";

const numRuns = runs(500, 10_000, 100_000);

/** A line as a depth and a string, so that a block can be written down in any style. */
interface Line {
  readonly depth: number;
  readonly text: string;
}

/** How a block is written: by the file and, perhaps otherwise, by the model. */
interface Style {
  readonly indent: (depth: number) => string;
  readonly spell: (text: string) => string;
}

const plain = (text: string) => text;
const typographic = (text: string) =>
  text.replaceAll(`"`, "\u201d").replaceAll("'", "\u2019").replaceAll("-", "\u2013");
const decomposed = (text: string) => text.normalize("NFD").replaceAll(" ", "\u00a0");
const INDENTS: readonly Style["indent"][] = [
  (depth) => "  ".repeat(depth),
  (depth) => "    ".repeat(depth),
  (depth) => "\t".repeat(depth),
  (depth) => `    ${"  ".repeat(depth)}`,
  (depth) => `\t${"\t".repeat(depth)}`,
  (depth) => `      ${"    ".repeat(depth)}`,
];

const text = fc.constantFrom("a = 1;", 'say("hi");', "it's - é", "b()", "}", "return x - y;", "", "aa", "a");
const line: fc.Arbitrary<Line> = fc.record({ depth: fc.nat({ max: 3 }), text });
const lines = (minLength: number, maxLength: number) => fc.array(line, { minLength, maxLength });
const styles = fc.record({
  indent: fc.constantFrom(...INDENTS),
  spell: fc.constantFrom(plain, typographic, decomposed),
});
const endings = fc.constantFrom("\n", "\r\n", "\r");

const scene = fc.record({
  before: lines(1, 6),
  block: lines(1, 5).filter((block) => block[0]!.text !== "" && block.at(-1)!.text !== ""),
  after: lines(0, 6),
  added: lines(1, 4).filter((added) => added[0]!.text !== "" && added.at(-1)!.text !== ""),
  file: styles,
  model: fc.record({ indent: fc.constantFrom(...INDENTS), spell: fc.constant(plain) }),
  ending: endings,
  modelEnding: fc.constantFrom("\n", "\r\n"),
  isFinal: fc.boolean(),
  leading: fc.constantFrom("", "\n"),
  trailing: fc.constantFrom("", "\n", "  ", " \n"),
});

function write(block: readonly Line[], style: Style, ending: string): string {
  return block.map((each) => (each.text === "" ? "" : style.indent(each.depth) + style.spell(each.text))).join(ending);
}

/** What may match at any level: lines without whitespace around them, in one spelling. */
function bare(content: string): string[] {
  const fold = content
    .normalize("NFC")
    .replaceAll(/[\u201c\u201d]/g, `"`)
    .replaceAll("\u2019", "'")
    .replaceAll("\u2013", "-");
  return fold
    .replaceAll("\u00a0", " ")
    .split(/\r\n|\n|\r/)
    .map((each) => each.trim());
}

function places(content: string, old: string): number {
  const haystack = bare(content);
  const needle = bare(old.trim());
  const isAt = (start: number) => needle.every((each, index) => haystack[start + index] === each);
  return haystack.filter((_, start) => isAt(start)).length;
}

function spelledAlike(content: string): string {
  return content
    .normalize("NFC")
    .replaceAll(/[\u201c\u201d]/g, `"`)
    .replaceAll("\u2019", "'")
    .replaceAll("\u2013", "-")
    .replaceAll("\u00a0", " ");
}

/** An exact hit, but for line endings: characters for characters, with the file's line endings and final newline. */
function replacedLiterally(content: string, old: string, added: string, ending: string): string {
  const lf = (text: string) => text.replaceAll(/\r\n|\r/g, "\n");
  const [head = "", tail = ""] = lf(content).split(lf(old));
  const isKept = lf(content).endsWith("\n");
  let after = head + lf(added) + tail;
  if (tail === "" && !isKept) after = after.replace(/\n+$/, "");
  if (tail === "" && isKept && !after.endsWith("\n")) after += "\n";
  return after.replaceAll("\n", ending);
}

test("an edit in the model's style lands in the file's style, at the right place or nowhere", {
  timeout: 3_600_000,
}, () => {
  const seen = { applied: 0, ambiguous: 0 };
  fc.assert(
    fc.property(
      scene,
      ({ before, block, after, added, file, model, ending, modelEnding, isFinal, leading, trailing }) => {
        // New lines only go as deep as the block shows: beyond it one depth alone cannot tell a shift from a scale.
        const depths = block.filter((each) => each.text !== "").map(({ depth }) => depth);
        const known = added.map((each, index) => ({ ...each, depth: depths[index % depths.length]! }));
        const whole = (middle: readonly Line[], spell: Style["spell"]) =>
          [...before, ...middle, ...after].length === 0
            ? ""
            : [
                ...(before.length ? [write(before, file, ending)] : []),
                write(middle, { indent: file.indent, spell }, ending),
                ...(after.length ? [write(after, file, ending)] : []),
              ].join(ending) + (isFinal ? ending : "");
        const content = whole(block, file.spell);
        const oldText = `${leading}${write(block, model, modelEnding)}${trailing}`;
        const newText = `${leading}${write(known, model, modelEnding)}${trailing}`;
        // The new text goes in as given, so its spelling is the model's.
        const wanted =
          [
            ...(before.length ? [write(before, file, ending)] : []),
            write(known, { indent: file.indent, spell: plain }, ending),
            ...(after.length ? [write(after, file, ending)] : []),
          ].join(ending) + (isFinal ? ending : "");
        fc.pre(oldText !== newText);

        try {
          const edit = applyEdit(content, { oldText, newText });
          seen.applied++;
          if (edit.level < 3) {
            expect(edit.after).toBe(replacedLiterally(content, oldText, newText, ending));
            return;
          }
          if (edit.level === 4) expect(places(content, oldText)).toBe(1);
          // An earlier level may know one of several places apart by its indentation. Lines that both texts have keep
          // the file's spelling.
          if (places(content, oldText) === 1) expect(spelledAlike(edit.after)).toBe(spelledAlike(wanted));
        } catch (error) {
          if (isHarnessError(error, "EDIT_AMBIGUOUS")) {
            seen.ambiguous++;
            return;
          }
          if (!isHarnessError(error, "EDIT_NO_CHANGE")) throw error;
          expect(wanted).toBe(content);
        }
      },
    ),
    { numRuns },
  );
  expect(seen.applied).toBeGreaterThan(numRuns / 4);
});

test("whatever the texts, only lines with the same text are replaced, and nothing else changes", {
  timeout: 3_600_000,
}, () => {
  const unit = fc.constantFrom("a", "b", "a", " ", "  ", "\t", "\n", "\n", "\r\n", "\r", "\u00a0", "“", '"');
  const content = fc.string({ unit, maxLength: 40 });
  const filled = (text: string) => bare(text).filter((each) => each !== "");
  fc.assert(
    fc.property(content, fc.string({ unit, minLength: 1, maxLength: 12 }), content, (before, oldText, newText) => {
      let edit: ReturnType<typeof applyEdit>;
      try {
        edit = applyEdit(before, { oldText, newText });
      } catch (error) {
        if (!isHarnessError(error)) throw error;
        if (error.code === "EDIT_NOT_FOUND") expect(before).not.toContain(oldText);
        return;
      }
      expect(edit.after).not.toBe(before);
      if (edit.level === 1) expect(before.indexOf(oldText)).toBe(before.lastIndexOf(oldText));
      if (edit.level < 3) return;
      const [old, lines] = [filled(oldText), filled(before)];
      const starts = lines.flatMap((_, start) =>
        old.every((each, index) => lines[start + index] === each) ? start : [],
      );
      const possible = starts.map((start) =>
        [...lines.slice(0, start), ...filled(newText), ...lines.slice(start + old.length)].join(""),
      );
      // Without whitespace: at the ends of a block they are the model's to give or take.
      const text = (joined: string) => joined.replaceAll(/\s/g, "");
      expect(possible.map(text)).toContain(text(filled(edit.after).join("")));
    }),
    { numRuns },
  );
});
