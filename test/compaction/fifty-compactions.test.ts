// Summaries of summaries of summaries: what a human would find in the view after fifty compactions.
import type { Message, ViewEdit } from "loopwright";
import { type CompactionStage, createCompactionPipeline, sessionMemory, summarize } from "loopwright/compaction";
import { scripted, text } from "loopwright/providers/scripted";
import { describe, expect, test } from "vitest";
import { budget, Session } from "./kit.js";

const COMPACTIONS = 50;
/** Between two of them. */
const TURNS = 8;
const FILE_LINE = "const uniqueFileText";
const HEADINGS = "Goal|Decisions and constraints|Files touched|Open problems|Next step|Exact identifiers";

const LOG = "all good here, nothing to report\n".repeat(60);

/** A few turns as tools really print them: pages, footers, placeholders for what was left out. */
function work(session: Session, round: number): void {
  const file = `src/part-${round % 7}.ts`;
  if (round % 40 === 0)
    session.user(`Please also handle CASE-${round}, but never drop column col_${round}.`, "steering");
  session
    .turn(
      [
        [
          "read_file",
          { path: file },
          `1\t${FILE_LINE}${round} = "must never be quoted, decided in v${round}.2.1";\n\n[Lines 1-200 of 4${round}0. Continue with offset=201.]`,
        ],
        [
          "grep",
          { pattern: "retry" },
          `src/x.ts:${round}: retry\n[There is more than these 200. Use a narrower pattern, path or glob, or a larger head_limit]`,
        ],
      ],
      `- Decision ${round}: we keep the retry limit at ${round + 3} because of INC-${round}.`,
    )
    .turn([
      [
        "bash",
        { command: `npm test -- part-${round}` },
        `ticket PAY-${1_000 + round} failed with code E${round}77\n${LOG}\n[… 3${round} characters left out. The whole output (9${round}0 characters) is in "/a/${round}.txt"; read it with read_file, page by page.]\n\nexit code: 1`,
      ],
      [
        "edit_file",
        { path: file, old_text: "a", new_text: "b" },
        `Edited ${file} at line ${round}.\n--- a\n+++ b\n+${FILE_LINE}${round}`,
      ],
      ["list_dir", { path: "." }, `src/\n… ${round}4 more`],
      [
        "recall",
        { query: "retry" },
        `12 entries match, best first (page 1 of 2).\n\n[e${round}] user, 2026-11-0${(round % 9) + 1} 10:00\n> Please also handle it\n\nTo read one in full, pass its id as "entry". More: the same query with "page": 2.`,
      ],
    ]);
}

const summaryIn = (messages: readonly Message[]): string[] =>
  messages.flatMap((message) =>
    message.role === "user" && message.origin === "summary"
      ? message.content.map((part) => (part.type === "text" ? part.text : ""))
      : [],
  );

/** Compacts again and again while the session goes on; after each, the summary has to be clean. */
async function compacted(compact: (session: Session, round: number) => Promise<readonly ViewEdit[]>): Promise<string> {
  const session = new Session().user("Port the importer to the new API.");
  for (let round = 0; round < COMPACTIONS; round++) {
    for (let turn = 0; turn < TURNS; turn++) work(session, round * TURNS + turn);
    const edits = await compact(session, round);
    expect(edits.length, `round ${round}`).toBeGreaterThan(0);
    session.apply(edits);
    const summaries = summaryIn(session.transcript.view);
    expect(summaries, `round ${round}`).toHaveLength(1);
    expectClean(summaries[0]!);
  }
  return summaryIn(session.transcript.view)[0]!;
}

function expectClean(summary: string): void {
  const lines = summary.split("\n").map((line) => line.trim());
  const spoken = lines.filter((line) => line !== "");
  expect(spoken.filter((line, index) => spoken.indexOf(line) !== index)).toEqual([]);
  expect(lines.filter((line) => /^(?:[-*>] ){2}/.test(line))).toEqual([]);
  for (const marker of [
    "Kept word for word",
    "which is no longer shown",
    "It said:",
    "[Cleared",
    "[Finished",
    "as it is now",
  ])
    expect(summary.split(marker).length - 1, marker).toBeLessThanOrEqual(1);
  expect(summary).not.toMatch(
    /offset=|head_limit|read_file, page by page|characters left out|\d+ more$|exit code: 1$|page 1 of 2|pass its id/m,
  );
  expect(summary).not.toContain(FILE_LINE);
}

const scriptedSummary = () => {
  let round = 0;
  return scripted(
    [
      () => {
        round++;
        return text(
          `<analysis>Long.</analysis><summary>## Goal\nPort the importer.\n## Decisions and constraints\n- The schema stays as it is.\n- Decision of round ${round}: batch size ${round * 10}.\n## Files touched\nsrc/part-1.ts\n## Open problems\n- Test ${round} is flaky.\n## Next step\nRun step ${round}.\n## Exact identifiers\n- build-${round}-abc${round}</summary>`,
        );
      },
    ],
    { loop: true, record: false },
  );
};

const room = budget({ targetTokens: 2_400, keepTurns: 2, contextWindow: 20_000 });
const alone = (stage: CompactionStage) => async (session: Session) => stage(session.view(), room);

describe("after each of fifty compactions in a row the summary is clean", () => {
  test("written by a model", async () => {
    const last = await compacted(alone(summarize({ summarizer: scriptedSummary() })));

    expect(last).toContain("Run step 50.");
    expect(last).not.toContain("Run step 49.");
    expect(last).not.toContain("Test 49 is flaky.");
    expect(last).toContain("never drop column col_");
    expect(last.match(new RegExp(`^## (?:${HEADINGS})$`, "gm"))).toHaveLength(6);
  });

  test("written by a model that says next to nothing", async () => {
    const summarizer = scripted([text("<summary>Things happened.</summary>")], { loop: true, record: false });

    const last = await compacted(alone(summarize({ summarizer })));

    expect(last.match(/Things happened/g)).toHaveLength(1);
    expect(last).toContain("never drop column col_");
  });

  test("written by a model that copies whatever it is shown", async () => {
    const summarizer = scripted(
      [
        ({ lastUserText }) =>
          text(
            `<summary>${lastUserText.slice(0, 400)}\n# Kept word for word from the transcript\n## Goal\n# x.ts as it is now\nPort.</summary>`,
          ),
      ],
      { loop: true, record: false },
    );
    const session = new Session().user("Port the importer.");
    for (let round = 0; round < COMPACTIONS; round++) {
      for (let turn = 0; turn < TURNS; turn++) work(session, round * TURNS + turn);
      session.apply(await summarize({ summarizer })(session.view(), room));
    }

    const [summary = ""] = summaryIn(session.transcript.view);
    expect(summary.split("Kept word for word").length - 1).toBeLessThanOrEqual(1);
    expect(summary.split("Summary of the earlier part").length - 1).toBe(1);
  });

  test("by notes alone", async () => {
    const last = await compacted(alone(sessionMemory()));

    expect(last).toContain("## Goal\n- Port the importer to the new API.");
    expect(last).toMatch(/Decision \d+: we keep the retry limit/);
  });

  test("with files attached, which never return as anything else", async () => {
    let version = 0;
    const readFile = async (path: string) => `${path} text of version ${++version}: we decided on port ${version}99\n`;
    const stage = summarize({ summarizer: scriptedSummary(), readFile });
    const session = new Session().user("Port the importer.");

    for (let round = 0; round < COMPACTIONS; round++) {
      for (let turn = 0; turn < TURNS; turn++) work(session, round * TURNS + turn);
      version = round * 100;
      session.apply(await stage(session.view(), room));

      const [summary = ""] = summaryIn(session.transcript.view);
      const versions = [...summary.matchAll(/text of version (\d+)/g)].map(([, number]) => Number(number));
      expect(versions.length).toBeGreaterThan(0);
      expect(versions.every((number) => number > round * 100)).toBe(true);
    }
  });

  test("by the whole ladder, whichever rung it ends on", async () => {
    const policy = createCompactionPipeline({ summarizer: scriptedSummary(), keepTurns: 2 });
    const session = new Session().user("Port the importer to the new API.");
    let compactions = 0;
    for (let turn = 0; compactions < COMPACTIONS; turn++) {
      work(session, turn);
      const requested = turn % 5 === 0 ? { requested: {} } : {};
      const edits = await policy.prepare(session.view(), {
        contextWindow: 8_000,
        reservedOutputTokens: 500,
        ...requested,
      });
      session.apply(edits);
      if (edits.length > 0) compactions++;
      for (const summary of summaryIn(session.transcript.view)) {
        if (!summary.startsWith("[Finished")) expectClean(summary);
      }
    }
  });
});
