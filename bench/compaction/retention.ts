// How many planted facts are still in the view: after each stage alone, after the whole ladder, and after the ladder has
// been climbed again and again while the session grew; and how many of them one call of `recall` finds. Without a model,
// so that the figures are the library's own.
import {
  type CompactionStage,
  collapse,
  createCompactionPipeline,
  createRecallTool,
  micro,
  reactive,
  sessionMemory,
  snip,
} from "../../src/compaction/index.js";
import { Transcript } from "../../src/engine/transcript/transcript.js";
import type { ContextPolicy, Message, SessionEntry, SessionRecord, View } from "../../src/index.js";
import { createMemorySessionStore } from "../../src/sessions/index.js";
import { fakeToolContext } from "../../src/testing/index.js";
import { sessionsOfOtherKinds } from "./kinds.js";
import type { Fact, PlantedSession } from "./planting.js";
import { plantedSessions } from "./sessions.js";

export interface Retention {
  readonly what: string;
  readonly tokens: number;
  /** Share of the facts that are in the view, by kind and of all. */
  readonly kept: ReadonlyMap<Fact["kind"] | "all", number>;
  /** Share of the facts that are in the view or in what one `recall` answers. */
  readonly found: number;
}

const WINDOW = 64_000;
/** As an engine would: a quarter of a small window is kept for the answer. */
const budgetOf = (contextWindow: number) => ({
  contextWindow,
  reservedOutputTokens: Math.min(4_000, contextWindow / 4),
});

const STAGES: Readonly<Record<string, () => CompactionStage>> = {
  "snip (any)": () => snip(),
  "snip (spent)": () => snip({ turns: "spent" }),
  micro: () => micro(),
  collapse: () => collapse(),
  "session memory": () => sessionMemory(),
  reactive: () => reactive(),
};

const SETS = {
  tried: () => plantedSessions("tried"),
  "held-out": () => plantedSessions("held-out"),
  "of other kinds": sessionsOfOtherKinds,
};

/** Sessions the stages were tried on, those worded otherwise, and those of kinds they were not made for. */
export type SessionSet = keyof typeof SETS;
export const SESSION_SETS = Object.keys(SETS) as readonly SessionSet[];

/** The rows of the table for one set of sessions. */
export async function retention(set: SessionSet): Promise<Retention[]> {
  const sessions = SETS[set]();
  const rows = [await row("nothing", sessions, async (replay) => replay.all())];
  for (const [name, stage] of Object.entries(STAGES)) {
    rows.push(
      await row(name, sessions, async (replay) => {
        replay.all();
        replay.apply(await stage()(replay.view(), { ...budgetOf(WINDOW), targetTokens: WINDOW / 2 }));
      }),
    );
  }
  for (const window of [64_000, 32_000, 16_000, 8_000, 4_000]) rows.push(await ladderRetention(sessions, window));
  return rows;
}

/** After the ladder has been climbed whenever it was due while the sessions grew. */
export function ladderRetention(sessions: readonly PlantedSession[], window: number): Promise<Retention> {
  return row(`the ladder, ${window / 1_000}k window, as it grows`, sessions, (replay) =>
    replay.growing(createCompactionPipeline(), window),
  );
}

async function row(
  what: string,
  sessions: readonly PlantedSession[],
  play: (replay: Replay) => Promise<unknown>,
): Promise<Retention> {
  const counts = new Map<Fact["kind"] | "all", [kept: number, of: number]>();
  let [tokens, found, all] = [0, 0, 0];
  for (const session of sessions) {
    const replay = new Replay(session.messages);
    await play(replay);
    const text = replay.text();
    tokens += replay.tokens() / sessions.length;
    for (const { kind, needle, question } of session.facts) {
      const isKept = text.includes(needle);
      all++;
      if (isKept || (await replay.recall(question)).includes(needle)) found++;
      for (const key of [kind, "all"] as const) {
        const [kept, of] = counts.get(key) ?? [0, 0];
        counts.set(key, [kept + (isKept ? 1 : 0), of + 1]);
      }
    }
  }
  return {
    what,
    tokens,
    found: found / all,
    kept: new Map([...counts].map(([kind, [kept, of]]) => [kind, kept / of])),
  };
}

const SESSION = "bench";

/** Feeds a session into a transcript as an engine would. */
class Replay {
  readonly #transcript = new Transcript();
  readonly #entries: SessionEntry[] = [];
  #recalled: Promise<(question: string) => Promise<string>> | undefined;

  constructor(private readonly messages: readonly Message[]) {}

  all(): void {
    for (const message of this.messages) this.#add(message);
  }

  /** Before each answer of the model the policy is asked, as in a run. */
  async growing(policy: ContextPolicy, contextWindow: number): Promise<void> {
    for (const message of this.messages) {
      if (message.role === "assistant") this.apply(await policy.prepare(this.view(), budgetOf(contextWindow)));
      this.#add(message);
    }
    this.apply(await policy.prepare(this.view(), budgetOf(contextWindow)));
  }

  apply(edits: Awaited<ReturnType<ContextPolicy["prepare"]>>): void {
    for (const { stage, from, to, replacement, report } of edits)
      this.#record({ type: "view-edit", stage, from, to, replacement, report });
  }

  view(): View {
    const { view: messages, viewEntryIds: entryIds } = this.#transcript;
    return { messages, entryIds, system: [], tools: [], sessionId: SESSION, signal: new AbortController().signal };
  }

  text(): string {
    return this.#transcript.view
      .flatMap(({ content }) =>
        content.map((part) =>
          "text" in part ? part.text : "output" in part ? String(part.output) : JSON.stringify(part),
        ),
      )
      .join("\n");
  }

  tokens(): number {
    return createCompactionPipeline().usage!(this.view(), budgetOf(WINDOW)).used;
  }

  /** The first page of what `recall` answers. */
  async recall(question: string): Promise<string> {
    this.#recalled ??= this.#recaller();
    return (await this.#recalled)(question);
  }

  async #recaller(): Promise<(question: string) => Promise<string>> {
    const sessions = createMemorySessionStore();
    await sessions.append(SESSION, this.#entries);
    const tool = createRecallTool({ sessions });
    const context = fakeToolContext({ sessionId: SESSION, transcriptId: SESSION });
    return async (query) => String(await tool.execute({ query }, context));
  }

  #add(message: Message): void {
    if (message.role !== "tool") {
      this.#record({ type: "message", message });
      return;
    }
    for (const { toolCallId, name, output, isError } of message.content)
      this.#record({
        type: "tool-result",
        result: { toolCallId, name, output, isError, status: "success", durationMs: 0 },
      });
  }

  #record(record: SessionRecord): void {
    const id = `e${this.#entries.length}`;
    const entry = { v: 1, id, parent: this.#transcript.lastEntryId, at: 0, runId: "r", turn: 0, ...record } as const;
    this.#transcript.apply(entry);
    this.#entries.push(entry);
  }
}
