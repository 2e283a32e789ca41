// Every number of the notes, from both sides.
import { expect, test } from "vitest";
import { isSaidIn } from "../../../src/compaction/notes/already-in-summary.js";
import { extractNotes, fitNotes } from "../../../src/compaction/notes/extract-notes.js";
import type { Section, WeighedNote } from "../../../src/compaction/notes/note.js";
import { bestLines, Line, linesOf, WordFrequency } from "../../../src/compaction/notes/salient-lines.js";
import { summaryMessage, summaryText } from "../../../src/compaction/notes/summary-message.js";
import { ViewLines } from "../../../src/compaction/view-lines.js";
import { Session } from "../kit.js";

/** Words in so many lines of the view are not rare. */
const COMMON_WORDS = "alpha beta gamma delta met yesterday";

/** A line of exactly so many characters that weighs something. */
const line = (chars: number, mark: string) => `#${mark} decision `.padEnd(chars, "x");

function notesOn(session: Session, section: Section): string[] {
  const { view } = session.transcript;
  const notes = extractNotes(view, null, new ViewLines().update(view));
  return notes.filter((note) => note.section === section).map(({ text }) => text);
}

test("a statement of 900 characters is kept whole, a longer one is shortened to 900", () => {
  const words = "word ".repeat(300);
  const [whole] = notesOn(new Session().user(words.slice(0, 900).replace(/.$/, "x")), "What the user said");
  const [cut] = notesOn(new Session().user(words.slice(0, 901).replace(/.$/, "x")), "What the user said");

  expect(whole).toHaveLength(900);
  expect(whole).not.toContain("left out");
  expect(cut).toContain("left out");
  expect(cut!.length).toBeLessThanOrEqual(900);
  expect(cut!.length).toBeGreaterThan(890);
});

test.each([
  [177, 4],
  [178, 3],
])("a reply adds up to 900 characters: three lines of 240 and one of %i make %i notes", (chars, count) => {
  const reply = [line(240, "11"), line(240, "12"), line(240, "13"), line(chars, "14")].join("\n");

  expect(notesOn(new Session().user("Go.").answer(reply), "Decisions and findings")).toHaveLength(count);
});

test.each([
  [239, 2],
  [240, 1],
])("a result adds up to 480 characters: a line of 240 and one of %i make %i facts", (chars, count) => {
  const output = [line(240, "11"), line(chars, "12")].join("\n");

  expect(notesOn(new Session().user("Go.").turn([["look", {}, output]]), "Facts from results")).toHaveLength(count);
});

test.each([
  [99, 80],
  [100, 79],
])("an earlier summary adds up to 8,000 characters: 79 lines of 99 and one of %i make %i notes", (chars, count) => {
  const lines = Array.from({ length: 79 }, (_, n) => line(99, `n${n}`));
  const session = new Session().user("Go.");
  const message = summaryMessage(summaryText([...lines, line(chars, "last")].join("\n"), "", []));
  session.add({ type: "message", message });

  expect(notesOn(session, "Decisions and findings")).toHaveLength(count);
});

test.each([
  ["We chose plan B.", true],
  ["We chose plan .", false],
])("a reply of 16 characters may be a decision, a shorter one is not one: %s", (reply, isNoted) => {
  expect(notesOn(new Session().user("Go.").answer(reply), "Decisions and findings")).toEqual(isNoted ? [reply] : []);
});

/** In a session where `COMMON_WORDS` are usual. */
function usual(): Session {
  const session = new Session().user("Go.");
  for (const start of ["", "so ", "oh ", "ah "]) session.user(`${start}${COMMON_WORDS}`, "reminder");
  return session;
}

test.each([
  ["alpha beta met Gamma yesterday", true],
  ["alpha beta gamma delta unheard", false],
])("a reply that weighs 1 is noted, one that weighs half is not: %s", (reply, isNoted) => {
  expect(notesOn(usual().answer(reply), "Decisions and findings")).toEqual(isNoted ? [reply] : []);
});

test.each([
  ["alpha beta gamma delta 42", true],
  ["alpha beta met Gamma yesterday", false],
])("a line of a result that weighs 2 is a fact, one that weighs 1 is not: %s", (output, isNoted) => {
  expect(notesOn(usual().turn([["look", {}, output]]), "Facts from results")).toEqual(isNoted ? [output] : []);
});

test("of a note the first 400 characters are weighed", () => {
  const lines = new ViewLines();
  const id = "PAY-9";

  expect(lines.weightOfNote(`${"-".repeat(394)} ${id}`)).toBeGreaterThan(
    lines.weightOfNote(`${"-".repeat(395)} ${id}`),
  );
});

const note = (section: Section, weight: number, chars: number, mark = "a"): WeighedNote => ({
  section,
  weight,
  text: mark.repeat(chars),
});

/** What two notes are worth, read from what is lost when there is room for one: the second is a goal, worth 103. */
function worthOf(first: WeighedNote): number {
  const { lostShare } = fitNotes([first, note("Goal", 0, 60, "g")], 58, () => 10);
  return Math.round(((103 * lostShare) / (1 - lostShare)) * 100) / 100;
}

test.each<[Section, number]>([
  ["What the user said", 62],
  ["Open todos", 80],
  ["Decisions and findings", 38],
  ["Files changed", 42],
  ["Commands that failed", 40],
  ["Facts from results", 35],
  ["Commands run", 24],
  ["Files read", 20],
])("a note in %s is worth %i, less a point for each 60 characters", (section, worth) => {
  expect(worthOf(note(section, 0, 60))).toBe(worth - 1);
  expect(worthOf(note(section, 0, 600))).toBe(Math.max(0, worth - 10));
});

test("a goal is worth 100, and half of what newness gives goes to the newer half of the notes", () => {
  const { lostShare } = fitNotes([note("Goal", 0, 60), note("Files read", 0, 60, "b")], 58, () => 10);

  expect(lostShare).toBeCloseTo(23 / (23 + 99), 6);
});

test("each point of weight is worth 3, up to 12 points; length costs 20 at most", () => {
  expect(worthOf(note("Files read", 1, 60))).toBe(22);
  expect(worthOf(note("Files read", 12, 60))).toBe(55);
  expect(worthOf(note("Files read", 13, 60))).toBe(55);
  expect(worthOf(note("What the user said", 0, 1_200))).toBe(42);
  expect(worthOf(note("What the user said", 0, 1_260))).toBe(42);
});

test("each better note of its section takes a point from a note", () => {
  const three = [note("Files read", 2, 60), note("Files read", 1, 60, "b"), note("Files read", 0, 60, "c")];
  const { lostShare } = fitNotes(three, 0, () => 10);
  const { lostShare: lessOne } = fitNotes(three, 58, () => 10);

  expect(lostShare).toBe(1);
  // 25 + (22 + 8/3 - 1) + (19 + 16/3 - 2): the best one stays.
  expect(1 - lessOne).toBeCloseTo(25 / (25 + (22 + 8 / 3 - 1) + (19 + 16 / 3 - 2)), 6);
});

test.each([
  [58, 0],
  [57, 1],
])("headings take 4 tokens each and a bullet 2: of %i tokens a note of 10 leaves %i lost", (maxTokens, lost) => {
  expect(fitNotes([note("Goal", 0, 60)], maxTokens, () => 10).lostShare).toBe(lost);
});

test("a line of 240 characters is one line, a longer one is read sentence by sentence", () => {
  const sentences = (chars: number) => `${"a".repeat(100)}. ${"b".repeat(chars - 102)}`;

  expect(linesOf(sentences(240))).toHaveLength(1);
  expect(linesOf(sentences(241))).toHaveLength(2);
});

test("of more than 2,000 lines the first and the last 1,000 are examined", () => {
  const lines = (count: number) => linesOf(Array.from({ length: count }, (_, n) => `line ${n}`).join("\n"));

  expect(lines(2_000)).toHaveLength(2_000);
  expect(lines(2_001)).not.toContain("line 1000");
  expect(lines(2_001)).toHaveLength(2_000);
});

function frequencyOf(lines: readonly string[]): WordFrequency {
  const frequency = new WordFrequency();
  for (const each of lines) frequency.add(new Line(each));
  return frequency;
}

test("a word in two lines is rare, in three it is not; rare words add 3 at most", () => {
  const frequency = frequencyOf(["twice", "twice", "thrice", "thrice", "thrice"]);
  const seven = "one two three four five seven eight";

  expect(new Line("twice").weightIn(frequency)).toBe(0.5);
  expect(new Line("thrice").weightIn(frequency)).toBe(0);
  expect(new Line(seven).weightIn(frequency)).toBe(3);
});

test("of lines that begin alike twelve in a session are usual, eleven are not; a usual one weighs half", () => {
  const times = (count: number) => frequencyOf(Array.from({ length: count }, () => "handled item 42 of it"));
  const isKept = (count: number) => bestLines("handled item 42 of it", 100, 1.5, times(count)).length === 1;

  expect(isKept(11)).toBe(true);
  expect(isKept(12)).toBe(false);
  expect(bestLines("handled item 42 of it", 100, 1, times(12))).toHaveLength(1);
});

test("no more than 200,000 words are counted", () => {
  const frequency = new WordFrequency();
  const words = Array.from({ length: 199_999 }, (_, n) => `w${n}`);
  frequency.add({ words, shape: "" });
  for (let times = 0; times < 3; times++) frequency.add({ words: ["last"], shape: "" });
  for (let times = 0; times < 3; times++) frequency.add({ words: ["beyond"], shape: "" });

  expect(frequency.rareAmong(["last"])).toBe(0);
  expect(frequency.rareAmong(["beyond"])).toBe(1);
});

test("three lines of one shape are common and weigh a quarter, two are not", () => {
  const lines = (count: number) => [
    ...Array.from({ length: count }, (_, n) => `port 80${n}1 open`),
    "x",
    "y",
    "z",
    "w",
  ];

  expect(bestLines(lines(2).join("\n"), 1_000, 4)).toHaveLength(2);
  expect(bestLines(lines(3).join("\n"), 1_000, 4)).toHaveLength(0);
  expect(bestLines(lines(3).join("\n"), 1_000, 1)).toHaveLength(3);
});

test("where more than half of the lines are common, one that is not weighs 3 more", () => {
  const text = (count: number) =>
    [...Array.from({ length: count }, (_, n) => `row of ${n}`), "item 42", "q", "r"].join("\n");

  expect(bestLines(text(4), 1_000, 5)).toEqual(["item 42"]);
  expect(bestLines(text(4), 1_000, 5.01)).toEqual([]);
  expect(bestLines(text(3), 1_000, 5)).toEqual([]);
});

test.each([
  ["one two three four five", "one two three four six", true],
  ["one two three four five", "one two three zero six", false],
  ["one two three four five six seven eight nine ten", "one two three four five six seven", false],
  ["one two three", "three two one", false],
  ["three words here PAY-1", "here words three and PAY-2", false],
  ["build 4711 went well yesterday", "yesterday the build 4711 went well", true],
])("%j is said in %j: %s", (text, summary, isSaid) => {
  expect(isSaidIn(summary, { section: "Decisions and findings", text })).toBe(isSaid);
});

test("what the user said is said again only word for word", () => {
  const said = { section: "What the user said", text: "please never use tabs here" } as const;

  expect(isSaidIn("The user: Please  never use\ntabs here.", said)).toBe(true);
  expect(isSaidIn("here tabs never use please", said)).toBe(false);
});
