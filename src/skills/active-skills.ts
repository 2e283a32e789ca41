// The skills in use, per agent. A skill is in use from its body to the end of the run; what a run in another process
// has begun is read back from the messages that brought the bodies.
import type { ContentPart } from "../contracts/content.js";
import type { Message } from "../contracts/message.js";

/** Begins every message that brings a skill's body, so that a later process knows which one it was. */
export function skillMark(name: string): string {
  return `[skill ${name}]`;
}

/** A plugin's skill has the plugin's name in front. */
const MARK = /^\[skill ([a-z0-9.:-]{1,129})\]/;
/** Agents that are kept track of; the longest unheard of gives way. */
const MAX_AGENTS = 5_000;

/** The skills in use, per agent, in the order they came. */
export class ActiveSkills {
  readonly #byAgent = new Map<string, string[]>();
  /** The skills that the user's newest message names, per agent. */
  readonly #asked = new Map<string, readonly string[]>();

  /** A run of this agent goes on: what counts is what its messages since the last prompt have brought. One that begins has none. */
  beginRun(transcriptId: string, messages: readonly Message[]): void {
    const names: string[] = [];
    for (let at = messages.length - 1; at >= 0 && !hasEnded(messages); at--) {
      const message = messages[at]!;
      if (message.role === "user" && (message.origin ?? "user") === "user") break;
      for (const name of namesIn(message)) if (!names.includes(name)) names.unshift(name);
    }
    this.#set(transcriptId, names);
  }

  /** Whether the agent's run has begun under the eyes of this process; otherwise nothing may be concluded from its skills. */
  knows(transcriptId: string): boolean {
    return this.#byAgent.has(transcriptId);
  }

  add(transcriptId: string, name: string): void {
    this.#set(transcriptId, [...this.of(transcriptId).filter((other) => other !== name), name]);
  }

  /** In the order they were chosen. */
  of(transcriptId: string): readonly string[] {
    return this.#byAgent.get(transcriptId) ?? [];
  }

  /** Notes the skills that the user names now, and returns those that were not named before. */
  ask(transcriptId: string, names: readonly string[]): readonly string[] {
    const before = this.#asked.get(transcriptId) ?? [];
    this.#asked.delete(transcriptId);
    if (names.length > 0) this.#asked.set(transcriptId, names);
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > MAX_AGENTS && oldest !== undefined) this.#asked.delete(oldest);
    return names.filter((name) => !before.includes(name));
  }

  isAsked(transcriptId: string, name: string): boolean {
    return this.#asked.get(transcriptId)?.includes(name) === true;
  }

  #set(transcriptId: string, names: string[]): void {
    this.#byAgent.delete(transcriptId);
    this.#byAgent.set(transcriptId, names);
    const [oldest] = this.#byAgent.keys();
    if (this.#byAgent.size > MAX_AGENTS && oldest !== undefined) this.#byAgent.delete(oldest);
  }
}

/** A final answer without calls ends a run: what it used is not in use any more. */
function hasEnded(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  return last?.role === "assistant" && !last.content.some(({ type }) => type === "tool-call");
}

/** The skills whose bodies a message brought: as a message of their own or, where that could not be, as a result of the tool. */
function namesIn(message: Message): string[] {
  if (message.role === "user" && message.origin === "skill") return message.content.flatMap(nameIn);
  if (message.role !== "tool") return [];
  return message.content
    .filter(({ name, isError }) => name === "skill" && !isError)
    .flatMap(({ output }) => (typeof output === "string" ? markedName(output) : []))
    .reverse();
}

function nameIn(part: ContentPart): string[] {
  return part.type === "text" ? markedName(part.text) : [];
}

function markedName(text: string): string[] {
  return MARK.exec(text)?.slice(1, 2) ?? [];
}
