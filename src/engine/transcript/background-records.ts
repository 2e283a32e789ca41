import type { Answer, PendingRequest } from "../../contracts/approval.js";
import type { ContentPart } from "../../contracts/content.js";
import type { JsonValue } from "../../contracts/json.js";
import type { RunStatus } from "../../contracts/run.js";
import type { RootCall } from "../../contracts/tool-call.js";

/** The custom entry that a sub-agent in the background begins with. Its data is a `BackgroundStart`. */
export const BACKGROUND_START = "loopwright.background";

/** All that is needed to go on with a sub-agent in another process. */
export interface BackgroundStart {
  readonly id: string;
  readonly name: string;
  /** The tool that has started it, and can find its definition. */
  readonly tool: string;
  readonly prompt: readonly ContentPart[];
  readonly rootCall: RootCall | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The id of the sub-agent that it goes on from. */
  readonly continues?: string;
}

interface BackgroundRecord extends BackgroundStart {
  isOpen: boolean;
  /** The way it ended; `running` until that is known. */
  status: RunStatus | "running";
  questions: PendingRequest[];
}

/** The length of an id as a model sees it. */
const SHORT_ID_CHARS = 16;
const END = /^\[Sub-agent "[^"\n]*" \((sub-[0-9a-f]{12})\) (?:has (completed)|ended as ([a-z-]+))?/;

/** An id for a model to read and write. */
export function shortId(id: string): string {
  return id.slice(0, SHORT_ID_CHARS);
}

/** The message that delivers the end of a sub-agent. It is also the record of that end: there is no other. */
export function backgroundEndText({ id, name }: BackgroundStart, how: string, text: string): string {
  return `[Sub-agent "${name}" (${shortId(id)}) ${how}]\n\n${text}`;
}

/** The sub-agents of one agent that were started in the background, as its transcript knows them. */
export class BackgroundRecords {
  #records: Map<string, BackgroundRecord> | undefined;
  #answers: Map<string, Answer> | undefined;

  start(data: JsonValue): void {
    const start = data as unknown as BackgroundStart;
    this.#records ??= new Map();
    this.#records.set(start.id, { ...start, isOpen: true, status: "running", questions: [] });
  }

  /** The tasks whose end has not been delivered. */
  get open(): readonly BackgroundStart[] {
    return this.#records ? [...this.#records.values()].filter(({ isOpen }) => isOpen) : [];
  }

  /** Oldest first. */
  get all(): readonly Readonly<BackgroundRecord>[] {
    return this.#records ? [...this.#records.values()] : [];
  }

  /** The id of the last one that goes on from the sub-agent, or its own. */
  newest(id: string): string {
    const next = this.all.find(({ continues }) => continues === id);
    return next ? this.newest(next.id) : id;
  }

  get(id: string): Readonly<BackgroundRecord> | undefined {
    return this.#records?.get(id);
  }

  /** Takes note of a message with the origin `subagent`: it may be the end of one. */
  readMessage(text: string): void {
    const [, short, completed, status = "failed"] = (this.#records && END.exec(text)) ?? [];
    if (!short) return;
    for (const record of this.#records!.values()) {
      if (shortId(record.id) !== short) continue;
      record.isOpen = false;
      record.status = (completed ?? status) as RunStatus;
    }
  }

  /** `false` when there is no such sub-agent. */
  ask(id: string, request: PendingRequest): boolean {
    const record = this.#records?.get(id);
    if (!record) return false;
    record.questions = [...record.questions.filter((one) => one.id !== request.id), request];
    this.#answers?.delete(request.id);
    return true;
  }

  answer(answer: Answer): void {
    if (!this.#records) return;
    this.#answers ??= new Map();
    this.#answers.set(answer.id, answer);
  }

  answerTo(requestId: string): Answer | undefined {
    return this.#answers?.get(requestId);
  }

  get waiting(): readonly PendingRequest[] {
    if (!this.#records) return [];
    const open = [...this.#records.values()].filter(({ isOpen }) => isOpen);
    return open.flatMap(({ questions }) => questions.filter(({ id }) => !this.#answers?.has(id)));
  }
}
