// Entries, one after the other, become turns; each turn has items, which are the rows of the page.
import type { PageEntry, PageNote, PagePart, PageUsage } from "../src/observability/page/page-entry.js";

export type Kind = "message" | "reasoning" | "tool" | "decision" | "hook" | "context" | "run" | "plan";

type EntryOf<T extends PageEntry["type"]> = Extract<PageEntry, { type: T }>;

/** The parts of one tool call. */
export interface Call {
  /** The key of its row. */
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly title?: string | undefined;
  startedAt: number;
  result?: EntryOf<"tool-result">;
  readonly asked: EntryOf<"pending">[];
  readonly answers: EntryOf<"answer">[];
  readonly notes: PageNote[];
  /** Sessions of the sub-agents that worked for it, and of the calls that its tool has made. */
  readonly agents: string[];
}

export interface Item {
  readonly key: string;
  readonly kind: Kind;
  readonly entry: PageEntry;
  readonly part?: PagePart;
  readonly call?: Call;
  readonly note?: PageNote;
  /** On a branch that the session has left. */
  isLeft: boolean;
}

export interface PageTurn {
  /** From 1; 0 for what comes without a model call. */
  number: number;
  /** Its calls were made by a tool, and not by a model. */
  isOfTool: boolean;
  readonly key: string;
  readonly run: string;
  /** As the run counts it. */
  turn: number;
  readonly at: number;
  endAt: number;
  modelAt: number;
  modelMs: number;
  toolMs: number;
  usage: PageUsage | null;
  costUsd: number | null;
  readonly items: Item[];
  readonly calls: Call[];
  compaction: EntryOf<"compaction"> | null;
  status: string;
  isLeft: boolean;
}

/** A session as turns. `add` may be called again with what came since. */
export class Timeline {
  readonly turns: PageTurn[] = [];
  readonly calls = new Map<string, Call>();
  /** The calls whose results came from a place that others may have written to, and those that were asked about for it. */
  readonly passedOn = new Map<string, Call[]>();
  readonly askedAbout = new Map<string, Call[]>();
  readonly models = new Set<string>();
  readonly runs = new Set<string>();
  status = "";
  /** The newest to-do list, and the entries of a plan. */
  todos: unknown = null;
  readonly plan: EntryOf<"custom">[] = [];
  #modelTurns = 0;
  #lastAt = 0;
  #lastRun = "";
  readonly #parents = new Map<string, string | null>();
  #lastId = "";
  #hasDuplicates = false;
  readonly #requests = new Map<string, Call>();

  add(entries: readonly PageEntry[], notes: readonly PageNote[]): void {
    for (const entry of entries) this.#addEntry(entry);
    for (const note of notes) this.#addNote(note);
    this.#markLeft();
  }

  #addEntry(entry: PageEntry): void {
    if (entry.id !== "") {
      this.#hasDuplicates ||= this.#parents.has(entry.id);
      this.#parents.set(entry.id, entry.parent);
      this.#lastId = entry.id;
    }
    this.runs.add(entry.run);
    const turn = this.#turnFor(entry);
    switch (entry.type) {
      case "user":
        push(turn, entry, isFromHook(entry.origin) ? "hook" : "message");
        break;
      case "assistant":
        this.#addReply(turn, entry);
        break;
      case "tool-start": {
        const call = this.calls.get(entry.callId);
        if (call) call.startedAt = entry.at;
        break;
      }
      case "tool-result":
        this.#addResult(turn, entry);
        break;
      case "pending": {
        const call = this.calls.get(entry.callId);
        call?.asked.push(entry);
        for (const source of call ? entry.because : []) addTo(this.askedAbout, source, call!);
        if (call) this.#requests.set(entry.requestId, call);
        else push(turn, entry, "decision");
        break;
      }
      case "answer":
        this.#requests.get(entry.requestId)?.answers.push(entry);
        push(turn, entry, "decision");
        break;
      case "compaction":
        this.#addCompaction(turn, entry);
        break;
      case "custom":
        if (entry.name.startsWith("scheduler/")) this.plan.push(entry);
        push(turn, entry, entry.name.startsWith("scheduler/") ? "plan" : "run");
        break;
      case "run-end":
        this.status = entry.status;
        turn.status = entry.status;
        push(turn, entry, "run");
        break;
      case "run-start":
        this.status = "running";
        push(turn, entry, "run");
        break;
      case "epoch":
        push(turn, entry, "context");
        break;
      default:
        push(turn, entry, "run");
    }
    this.#lastAt = entry.at || this.#lastAt;
    this.#lastRun = entry.run;
    turn.endAt = Math.max(turn.endAt, entry.at);
  }

  /** The turn of an entry: entries before the first model call of a run belong to its first turn. */
  #turnFor(entry: PageEntry): PageTurn {
    const last = this.turns.at(-1);
    const isReplied = last !== undefined && last.modelAt !== 0;
    const isNext = isReplied && (entry.type === "assistant" || entry.turn > last.turn);
    if (last && last.run === entry.run && !isNext) {
      last.turn = Math.max(last.turn, entry.turn);
      return last;
    }
    const turn: PageTurn = {
      number: 0,
      isOfTool: false,
      key: `t${this.turns.length + 1}`,
      run: entry.run,
      turn: entry.turn,
      at: entry.at,
      endAt: entry.at,
      modelAt: 0,
      modelMs: 0,
      toolMs: 0,
      usage: null,
      costUsd: null,
      items: [],
      calls: [],
      compaction: null,
      status: "",
      isLeft: false,
    };
    this.turns.push(turn);
    return turn;
  }

  #addReply(turn: PageTurn, entry: EntryOf<"assistant">): void {
    turn.number = ++this.#modelTurns;
    turn.modelAt = entry.at || 1;
    // The model was asked once all that came before in its run was on record.
    const askedAt = this.#lastRun === entry.run ? this.#lastAt : turn.at;
    turn.isOfTool = entry.isOfTool === true;
    turn.modelMs = askedAt > 0 && !turn.isOfTool ? Math.max(0, entry.at - askedAt) : 0;
    turn.usage = entry.usage;
    turn.costUsd = entry.costUsd;
    if (entry.model !== "" && !turn.isOfTool) this.models.add(entry.model);
    for (const part of entry.parts) {
      if (part.type !== "call") push(turn, entry, part.type === "reasoning" ? "reasoning" : "message", { part });
      else this.#addCall(turn, entry, part);
    }
    if (entry.parts.length === 0) push(turn, entry, "message");
  }

  #addCall(turn: PageTurn, entry: PageEntry, part: Extract<PagePart, { type: "call" }>): Call {
    const { id, name, input, title } = part;
    const call: Call = {
      key: nextKey(turn),
      id,
      name,
      input,
      title,
      startedAt: 0,
      asked: [],
      answers: [],
      notes: [],
      agents: [],
    };
    this.calls.set(id, call);
    turn.calls.push(call);
    push(turn, entry, "tool", { call });
    return call;
  }

  #addResult(turn: PageTurn, entry: EntryOf<"tool-result">): void {
    const { callId: id, name, details } = entry;
    const known = this.calls.get(id);
    const call = known && !known.result ? known : this.#addCall(turn, entry, { type: "call", id, name, input: null });
    call.result = entry;
    for (const source of entry.outside ?? []) addTo(this.passedOn, source, call);
    call.startedAt ||= entry.at - entry.durationMs;
    for (const id of [entry.calls, entry.agent]) if (id) call.agents.push(id);
    const todos = (details as { todos?: unknown } | null)?.todos;
    if (name === "todo_write" && Array.isArray(todos)) this.todos = todos;
    if (turn.modelAt > 1 && turn.calls.includes(call)) turn.toolMs = Math.max(turn.toolMs, entry.at - turn.modelAt, 0);
  }

  /** Edits that share a report are one compaction. */
  #addCompaction(turn: PageTurn, entry: EntryOf<"compaction">): void {
    const last = turn.compaction;
    const isOne = last && last.stage === entry.stage && last.before === entry.before && last.after === entry.after;
    turn.compaction = entry;
    if (!isOne) push(turn, entry, "context");
  }

  #addNote(note: PageNote): void {
    const call = this.calls.get(note.callId);
    if (!this.runs.has(note.run)) return;
    if (call) {
      call.notes.push(note);
      return;
    }
    const at = this.turns.findLast((turn) => turn.run === note.run && turn.at <= note.at) ?? this.turns.at(-1);
    const entry = at?.items[0]?.entry;
    if (at && entry) push(at, entry, note.kind === "hook" ? "hook" : "decision", { note });
  }

  /** The session's branch leads to its newest entry; what is not on it was left by a rewind. */
  #markLeft(): void {
    const branch = this.#branch();
    for (const turn of this.turns) {
      for (const item of turn.items) {
        const { id } = item.entry;
        item.isLeft = branch !== null && id !== "" && !branch.has(id);
      }
      turn.isLeft = turn.items.length > 0 && turn.items.every(({ isLeft }) => isLeft);
    }
  }

  /** Ids from the newest entry back to the first. `null` where they are no tree: nothing can be said of what was left. */
  #branch(): ReadonlySet<string> | null {
    if (this.#hasDuplicates) return null;
    const branch = new Set<string>();
    let id: string | null = this.#lastId;
    while (id !== null) {
      const parent = this.#parents.get(id);
      if (parent === undefined || branch.has(id)) return null;
      branch.add(id);
      id = parent;
    }
    return branch;
  }
}

function push(
  turn: PageTurn,
  entry: PageEntry,
  kind: Kind,
  more: { readonly part?: PagePart; readonly call?: Call; readonly note?: PageNote } = {},
): void {
  turn.items.push({ key: nextKey(turn), kind, entry, isLeft: false, ...more });
}

function nextKey({ key, items }: PageTurn): string {
  return `${key}.${items.length}`;
}

function addTo(map: Map<string, Call[]>, source: string, call: Call): void {
  const calls = map.get(source) ?? [];
  if (calls.at(-1) !== call) calls.push(call);
  map.set(source, calls);
}

function isFromHook(origin: string): boolean {
  return origin === "hook" || origin === "reminder";
}
