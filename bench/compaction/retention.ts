// How many planted facts are still in the view: after each stage alone, after the whole ladder, and after the ladder has
// been climbed again and again while the session grew. Without a model, so that the figures are the library's own.
import {
  type CompactionStage,
  collapse,
  createCompactionPipeline,
  micro,
  reactive,
  sessionMemory,
  snip,
} from "../../src/compaction/index.js";
import { Transcript } from "../../src/engine/transcript.js";
import type { ContextPolicy, Message, SessionRecord, View } from "../../src/index.js";
import { type FactKind, type PlantedSession, plantedSessions } from "./sessions.js";

export interface Retention {
  readonly what: string;
  readonly tokens: number;
  /** Share of the facts that are in the view, by kind and of all. */
  readonly kept: ReadonlyMap<FactKind | "all", number>;
}

const WINDOW = 64_000;
const BUDGET = { contextWindow: WINDOW, reservedOutputTokens: 4_000 };

const STAGES: Readonly<Record<string, () => CompactionStage>> = {
  "snip (any)": () => snip(),
  "snip (spent)": () => snip({ turns: "spent" }),
  micro: () => micro(),
  collapse: () => collapse(),
  "session memory": () => sessionMemory(),
  reactive: () => reactive(),
};

/** The rows of the table for one set of sessions. */
export async function retention(set: "tried" | "held-out"): Promise<Retention[]> {
  const sessions = plantedSessions(set);
  const rows = [await row("nothing", sessions, async (replay) => replay.all())];
  for (const [name, stage] of Object.entries(STAGES)) {
    rows.push(
      await row(name, sessions, async (replay) => {
        replay.all();
        replay.apply(await stage()(replay.view(), { ...BUDGET, targetTokens: WINDOW / 2 }));
      }),
    );
  }
  for (const window of [64_000, 32_000, 16_000, 8_000]) rows.push(await ladderRetention(sessions, window));
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
  const found = new Map<FactKind | "all", [kept: number, of: number]>();
  let tokens = 0;
  for (const session of sessions) {
    const replay = new Replay(session.messages);
    await play(replay);
    const text = replay.text();
    tokens += replay.tokens() / sessions.length;
    for (const { kind, needle } of session.facts) {
      for (const key of [kind, "all"] as const) {
        const [kept, of] = found.get(key) ?? [0, 0];
        found.set(key, [kept + (text.includes(needle) ? 1 : 0), of + 1]);
      }
    }
  }
  return { what, tokens, kept: new Map([...found].map(([kind, [kept, of]]) => [kind, kept / of])) };
}

/** Feeds a session into a transcript as an engine would. */
class Replay {
  readonly #transcript = new Transcript();
  #count = 0;

  constructor(private readonly messages: readonly Message[]) {}

  all(): void {
    for (const message of this.messages) this.#add(message);
  }

  /** Before each answer of the model the policy is asked, as in a run. */
  async growing(policy: ContextPolicy, contextWindow: number): Promise<void> {
    for (const message of this.messages) {
      if (message.role === "assistant") this.apply(await policy.prepare(this.view(), { ...BUDGET, contextWindow }));
      this.#add(message);
    }
    this.apply(await policy.prepare(this.view(), { ...BUDGET, contextWindow }));
  }

  apply(edits: Awaited<ReturnType<ContextPolicy["prepare"]>>): void {
    for (const { stage, from, to, replacement, report } of edits)
      this.#record({ type: "view-edit", stage, from, to, replacement, report });
  }

  view(): View {
    const { view: messages, viewEntryIds: entryIds } = this.#transcript;
    return { messages, entryIds, system: [], tools: [], sessionId: "bench", signal: new AbortController().signal };
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
    return createCompactionPipeline().usage!(this.view(), BUDGET).used;
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
    const id = `e${this.#count++}`;
    this.#transcript.apply({ v: 1, id, parent: this.#transcript.lastEntryId, at: 0, runId: "r", turn: 0, ...record });
  }
}
