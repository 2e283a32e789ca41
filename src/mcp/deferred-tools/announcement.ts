// Tells the model which tools can be found, by name, in a message that is appended when that changes: what stands before
// the messages stays as it is.
import type { Message } from "../../contracts/message.js";
import { splitMcpToolName } from "../tool-name.js";
import { CALL_TOOL, TOOL_SEARCH } from "./inner-call.js";

/** Unit: characters. */
const MAX_CHARS = 2_000;
const MARK = `Tools that are not in your list can be found with ${TOOL_SEARCH} and run with ${CALL_TOOL}.`;
/** Agents that are kept track of; the longest unheard of gives way. */
const MAX_AGENTS = 5_000;

/** The names of all tools, by server, or as many of them as there is room for. */
export function announcementOf(names: readonly string[]): string {
  if (names.length === 0) return `${MARK} At the moment there are no such tools.`;
  const start = `${MARK} There ${names.length === 1 ? "is 1" : `are ${names.length}`}:`;
  const groups = grouped(names);
  const heads = groups.map(({ head, names: own }) => `- ${head} (${own.length}): `);
  let left = MAX_CHARS - start.length - heads.reduce((sum, { length }) => sum + length + 16, 0);
  const lines: string[] = [];
  for (const [index, { names: own }] of groups.entries()) {
    const share = Math.floor(left / (groups.length - index));
    const shown = namesWithin(own, share);
    left -= shown.length;
    lines.push(heads[index]! + shown);
  }
  return [start, ...linesWithin(lines, MAX_CHARS - start.length)].join("\n");
}

/** The tools that have been announced to each agent. */
export class Announcements {
  readonly #byAgent = new Map<string, { readonly names: readonly string[]; readonly text: string }>();

  /** The announcement of these names, unless the agent has it. The same array means the same names. */
  due(transcriptId: string, names: readonly string[], messages: () => readonly Message[]): string | null {
    const known = this.#byAgent.get(transcriptId);
    if (known?.names === names) return null;
    const before = known?.text ?? lastIn(messages());
    const text = announcementOf(names);
    this.#byAgent.delete(transcriptId);
    this.#byAgent.set(transcriptId, { names, text });
    const [oldest] = this.#byAgent.keys();
    if (this.#byAgent.size > MAX_AGENTS && oldest !== undefined) this.#byAgent.delete(oldest);
    if (text === before) return null;
    return before === undefined && names.length === 0 ? null : text;
  }
}

/** The last announcement that an earlier process has made. */
function lastIn(messages: readonly Message[]): string | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]!;
    if (message.role !== "user" || message.origin !== "reminder") continue;
    for (const part of message.content) {
      const text = part.type === "text" ? part.text : "";
      if (text.startsWith(MARK)) return text;
    }
  }
  return undefined;
}

interface Group {
  readonly head: string;
  readonly names: string[];
}

/** Tools of a server are listed without its name, which stands before them. */
function grouped(names: readonly string[]): Group[] {
  const groups = new Map<string, Group>();
  for (const name of names) {
    const parts = splitMcpToolName(name);
    const head = parts ? `names that begin with ${parts.server}__` : "others";
    const group = groups.get(head) ?? { head, names: [] };
    groups.set(head, group);
    group.names.push(parts?.tool ?? name);
  }
  const all = [...groups.values()];
  return all.length === 1 && all[0]!.head === "others" ? [{ head: "names", names: all[0]!.names }] : all;
}

function namesWithin(names: readonly string[], maxChars: number): string {
  let text = "";
  for (const [index, name] of names.entries()) {
    if (text.length + name.length + 12 > maxChars && index < names.length) {
      return text === "" ? "…" : `${text}, and ${names.length - index} more`;
    }
    text += text === "" ? name : `, ${name}`;
  }
  return text;
}

function linesWithin(lines: readonly string[], maxChars: number): string[] {
  const fitting: string[] = [];
  let left = maxChars - 24;
  for (const [index, line] of lines.entries()) {
    left -= line.length + 1;
    if (left < 0) return [...fitting, `- and ${lines.length - index} more groups`];
    fitting.push(line);
  }
  return fitting;
}
