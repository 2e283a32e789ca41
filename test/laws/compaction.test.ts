import fc from "fast-check";
import { isHarnessError, type Message, type SessionEntry, type View, validateTranscript } from "loopwright";
import {
  type CompactionStage,
  collapse,
  createCompactionPipeline,
  micro,
  offload,
  reactive,
  sessionMemory,
  snip,
  summarize,
} from "loopwright/compaction";
import { scripted, text } from "loopwright/providers/scripted";
import { expect, test } from "vitest";
import { ProviderError } from "../../src/contracts/errors.js";
import { Transcript } from "../../src/engine/transcript/transcript.js";
import { headTokensOf, type Session, sessions, tokensOf } from "../compaction/kit.js";
import { runs } from "../runs.js";

const numRuns = runs(8, 40, 3_000);

const artifacts = {
  put: async () => ({ id: "a", path: "/artifacts/a.txt", bytes: 1, mediaType: "text/plain" }),
  get: async () => new Uint8Array(),
};

/** A summarizer that answers anything but what it was asked for, now and then. */
const answers = ["<summary>## Goal\nIt goes on.</summary>", "", "I'm sorry, I can't.", "blah ".repeat(20_000)];
const summarizer = () => {
  let asked = 0;
  return scripted([() => text(answers[asked++ % answers.length]!)], { loop: true, record: false });
};

const STAGES: readonly (readonly [string, () => CompactionStage])[] = [
  ["offload", () => offload({ artifacts, minChars: 200, previewChars: 60 })],
  ["snip", () => snip()],
  ["snip of spent turns", () => snip({ turns: "spent" })],
  ["micro", () => micro({ keepResults: 2 })],
  ["collapse", () => collapse()],
  ["session memory", () => sessionMemory()],
  ["summarize", () => summarize({ summarizer: scripted([text("<summary>All is well.</summary>")], { loop: true }) })],
  ["reactive", () => reactive()],
];

/** A stage that throws passes on. */
const editsOf = async (stage: CompactionStage, ...given: Parameters<CompactionStage>) => {
  try {
    return await stage(...given);
  } catch {
    return [];
  }
};

const isPinned = (message: Message) => JSON.stringify(message).includes("never use tabs");
const isWhole = ({ messages }: View) => validateTranscript(messages, { allowOpen: true });

test.each(STAGES)(
  "%s keeps calls with their results, the first prompt and what is pinned, and makes the view smaller",
  async (name, stage) => {
    await fc.assert(
      fc.asyncProperty(sessions, fc.integer({ min: 1, max: 6_000 }), fc.boolean(), async (make, targetTokens, pins) => {
        const session = make();
        const before = [...session.transcript.view];
        const about = { contextWindow: null, reservedOutputTokens: 0, targetTokens, ...(pins && { isPinned }) };

        const edits = await editsOf(stage(), session.view(), about);
        session.apply(edits);

        const after = session.transcript.view;
        expect(isWhole(session.view())).toEqual([]);
        if (edits.length > 0) expect(tokensOf(after)).toBeLessThan(tokensOf(before));
        if (name !== "reactive") expect(after[0]).toBe(before[0]);
        expect(after[0]!.role).toBe("user");
        if (pins) expect(after.filter(isPinned)).toEqual(expect.arrayContaining(before.filter(isPinned)));
        expect(session.transcript.messages).toEqual(before);
      }),
      { numRuns },
    );
  },
);

test.each(STAGES)("%s changes nothing the second time", async (_name, stage) => {
  await fc.assert(
    fc.asyncProperty(sessions, fc.integer({ min: 1, max: 6_000 }), async (make, targetTokens) => {
      const session = make();
      const about = { contextWindow: null, reservedOutputTokens: 0, targetTokens };
      session.apply(await editsOf(stage(), session.view(), about));

      const again = await editsOf(stage(), session.view(), about);

      expect(again).toEqual([]);
    }),
    { numRuns },
  );
});

/** Plays a session's entries again, as another process would. */
function rebuilt(entries: readonly SessionEntry[]): Transcript {
  const transcript = new Transcript();
  for (const entry of entries) transcript.apply(JSON.parse(JSON.stringify(entry)));
  return transcript;
}

async function compacted(session: Session, window: number, head: string, pins: boolean) {
  const policy = createCompactionPipeline({ summarizer: summarizer(), artifacts, ...(pins && { isPinned }) });
  const view = session.view({ system: [{ id: "system", text: head }] });
  const budget = { contextWindow: window, reservedOutputTokens: Math.floor(window / 8) };
  const limit = window - budget.reservedOutputTokens;
  return { policy, view, budget, limit, edits: await policy.prepare(view, budget) };
}

test("whatever the view and the window, the ladder ends with a request that fits, or says that none can", async () => {
  let fitted = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      sessions,
      fc.integer({ min: 1, max: 12_000 }),
      fc.nat(40),
      fc.boolean(),
      async (make, window, words, pins) => {
        const session = make();
        const before = tokensOf(session.transcript.view);
        const head = "Be brief. ".repeat(words);
        try {
          const { policy, view, budget, limit, edits } = await compacted(session, window, head, pins);
          session.apply(edits);
          const tokens = headTokensOf(view) + tokensOf(session.transcript.view);

          expect(tokens).toBeLessThanOrEqual(limit);
          expect(isWhole(session.view())).toEqual([]);
          if (edits.length > 0) expect(tokensOf(session.transcript.view)).toBeLessThan(before);
          expect(await policy.prepare(view, budget)).toEqual([]);
          fitted++;
        } catch (error) {
          if (!isHarnessError(error, "CONTEXT_TOO_SMALL")) throw error;
          refused++;
        }
      },
    ),
    { numRuns: numRuns * 2 },
  );
  expect(fitted).toBeGreaterThan(refused);
});

test("recovering makes the view smaller each time, until there is nothing left to try", async () => {
  const tooLong = new ProviderError("CONTEXT_TOO_LONG", { message: "prompt is too long" });
  await fc.assert(
    fc.asyncProperty(sessions, async (make) => {
      const session = make();
      const policy = createCompactionPipeline();
      let tokens = tokensOf(session.transcript.view);
      let tries = 0;
      for (; tries < 40; tries++) {
        const edits = await policy.recover(session.view(), tooLong);
        if (edits.length === 0) break;
        session.apply(edits);
        const now = tokensOf(session.transcript.view);
        expect(now).toBeLessThan(tokens);
        tokens = now;
      }

      expect(tries).toBeLessThan(40);
      expect(isWhole(session.view())).toEqual([]);
    }),
    { numRuns },
  );
});

test("a session rebuilds the identical view after each of its entries, without a model", async () => {
  await fc.assert(
    fc.asyncProperty(
      sessions,
      fc.array(fc.integer({ min: 300, max: 4_000 }), { minLength: 1, maxLength: 3 }),
      async (make, windows) => {
        const session = make();
        const { open } = session.transcript;
        const views: string[] = [];
        for (const window of windows) {
          try {
            session.apply((await compacted(session, window, "", false)).edits);
          } catch (error) {
            if (!isHarnessError(error, "CONTEXT_TOO_SMALL")) throw error;
          }
          if (!open) session.user("And now?").turn([["bash", { command: "make" }, "done ".repeat(400)]]);
          views.push(JSON.stringify(session.transcript.view));
        }

        const transcript = new Transcript();
        const live = new Transcript();
        for (const [index, entry] of session.entries.entries()) {
          transcript.apply(JSON.parse(JSON.stringify(entry)));
          live.apply(entry);
          if (entry.type === "view-edit" || index === session.entries.length - 1)
            expect(JSON.stringify(transcript.view)).toBe(JSON.stringify(live.view));
        }
        expect(JSON.stringify(rebuilt(session.entries).view)).toBe(views.at(-1));
      },
    ),
    { numRuns: numRuns / 2 },
  );
});

test("an edit is taken exactly when the whole view is valid after it", async () => {
  await fc.assert(
    fc.property(
      sessions,
      fc.nat(60),
      fc.nat(6),
      fc.array(fc.nat(60), { maxLength: 4 }),
      (make, from, length, picks) => {
        const session = make();
        const { view, viewEntryIds: ids } = session.transcript;
        const first = from % view.length;
        const last = Math.min(view.length - 1, first + length);
        const replacement = picks.map((pick) => view[pick % view.length]!);
        const after = [...view.slice(0, first), ...replacement, ...view.slice(last + 1)];
        const isValid = validateTranscript(after, { allowOpen: session.transcript.open !== null }).length === 0;
        const report = { stage: "x", beforeTokens: 2, afterTokens: 1, removedTurns: 0, durationMs: 0, costUsd: 0 };
        let isTaken = true;
        try {
          session.apply([{ stage: "x", from: ids[first]!, to: ids[last]!, replacement, report }]);
        } catch {
          isTaken = false;
        }

        expect(isTaken).toBe(isValid);
        if (isTaken) expect(session.transcript.view).toEqual(after);
      },
    ),
    { numRuns: numRuns * 20 },
  );
});
