import type { PendingRequest } from "../../contracts/approval.js";
import type { ContentPart } from "../../contracts/content.js";
import type { View } from "../../contracts/context.js";
import { SessionError } from "../../contracts/errors.js";
import type { JsonValue } from "../../contracts/json.js";
import type { Label } from "../../contracts/label.js";
import type { AssistantMessage, Message, ServerToolUse, ToolMessage } from "../../contracts/message.js";
import type { PromptSection } from "../../contracts/provider.js";
import type { RunStatus } from "../../contracts/run.js";
import type { RunGiven, SessionEntry, SessionRecord } from "../../contracts/session.js";
import type { ToolCall, ToolDefinition, ToolResult } from "../../contracts/tool-call.js";
import { frozenLabel, joinLabels, NO_LABEL, UNLABELLED } from "../../labels/join-labels.js";
import { broughtBy, readLabel } from "../../labels/read-label.js";
import { BACKGROUND_START, BackgroundRecords } from "./background-records.js";
import { frozen, textOfMessage, toolCallsOf } from "./message-shape.js";
import { type HeldMessage, OpenTurn, openQuestions } from "./open-turn.js";
import { type TranscriptIssue, validateTranscript } from "./validate-transcript.js";

/** The author of the message of a call that the host made itself. */
export const HOST_AUTHOR = Object.freeze({ provider: "host", model: "execute" });

/** The provider in the message of calls that a tool makes; the model is the tool. */
export const PROGRAM_PROVIDER = "program";

/** The custom entry that keeps what a tool has given `context.calls.begin`. Its data holds that as `data`. */
export const PROGRAM_START = "loopwright.program";

/** The custom entry that keeps hook context and deliveries while a turn is open. Its data is a `HeldMessage`. */
export const HELD_CONTEXT = "loopwright.held-context";

/** The custom entry that keeps a prompt whose run ended before hooks had decided about it. Its data is its content. */
export const HELD_PROMPT = "loopwright.held-prompt";

/** An empty one says that hooks have refused it. */
function readHeldPrompt(data: JsonValue): readonly ContentPart[] | null {
  return Array.isArray(data) && data.length > 0 ? (data as unknown as readonly ContentPart[]) : null;
}

/** Keeps a message while a turn is open. */
export function heldRecord(held: HeldMessage): SessionRecord {
  return { type: "custom", name: HELD_CONTEXT, data: held as unknown as JsonValue };
}

/** Earlier versions kept a string, which hooks had said. */
function readHeld(data: JsonValue): HeldMessage {
  if (typeof data !== "object" || data === null) return { text: String(data), origin: "hook" };
  const { text, origin, label } = data as Partial<HeldMessage>;
  return { text: String(text), origin: origin ?? "hook", ...(label && { label: readLabel(label) ?? UNLABELLED }) };
}

/** The beginning of every request since an entry. */
interface Epoch {
  readonly id: string;
  readonly cause: string;
  readonly system: readonly PromptSection[];
  readonly tools: readonly ToolDefinition[];
}

/**
 * The history of one session: an append-only list of entries, seen as messages.
 *
 * `apply` is the one reducer. It refuses any entry that would leave a call without its result or with two, so a
 * transcript cannot become invalid. Cost: O(1) for each entry, whatever the history's length.
 */
export class Transcript {
  /** Every message there ever was. */
  readonly messages: Message[] = [];
  /** The messages that the model is sent: those after compaction. The same array grows until a view edit replaces a span. */
  readonly view: Message[] = [];
  /** For each message of the view, the id of the entry that completed it. */
  readonly viewEntryIds: string[] = [];
  readonly callIds = new Set<string>();
  /** The number from which `freeCallId` continues for ids that were used already. */
  readonly callIdSuffixes = new Map<string, number>();
  lastEntryId: string | null = null;
  /** Sub-agents that were started in the background, by id. */
  readonly background = new BackgroundRecords();
  open: OpenTurn | null = null;
  epoch: Epoch | null = null;
  lastStatus: RunStatus | null = null;
  /** Whether a run has begun since the last one ended. */
  unfinished = false;
  /** The newest run's own options. */
  given: RunGiven | null = null;
  lastAssistant: AssistantMessage | null = null;
  /** Unit: milliseconds since the epoch. */
  lastAssistantAt = 0;
  /** A prompt that no run has submitted yet. */
  heldPrompt: readonly ContentPart[] | null = null;
  /** The join of the labels of all entries: where everything comes from that the model may have read, also what compaction has left out. */
  label: Label = NO_LABEL;
  /** Messages from this index on were written, or called for, with untrusted content at hand. */
  untrustedFrom = Number.POSITIVE_INFINITY;
  /** The indices of user messages that hold what others may have written. */
  readonly foreign = new Set<number>();
  #labels: Map<string, Label> | undefined;
  #joined: Label | undefined;
  /** Usage of the newest recorded model call, while the view still begins with what it was sent. */
  lastUsage: View["lastUsage"];

  /** Adds one entry. @throws SessionError `TRANSCRIPT_INVALID`; the transcript is then unchanged */
  apply(entry: SessionEntry): void {
    if (entry.type === "message") this.#addMessage(entry);
    else if (entry.type === "tool-result") this.#addResult(entry.result, entry.id, entry.label);
    else this.#note(entry);
    this.lastEntryId = entry.id;
  }

  #note(entry: Exclude<SessionEntry, { readonly type: "message" | "tool-result" }>): void {
    switch (entry.type) {
      case "tool-start":
        this.#openCall(entry.toolCallId, entry.type).markStarted(entry.toolCallId);
        break;
      case "pending":
        if (entry.via !== undefined && this.background.ask(entry.via, entry.request)) break;
        if (entry.via === undefined)
          this.#openCall(entry.request.toolCallId, entry.type).ask({ request: entry.request, state: entry.state });
        else this.#openCall(entry.via, entry.type).askFromBelow(entry.via, entry.request);
        break;
      case "answer":
        this.open?.answer(entry.answer);
        this.background.answer(entry.answer);
        break;
      case "view-edit":
        this.#editView(entry.from, entry.to, entry.replacement, entry.id);
        break;
      case "epoch":
        this.lastUsage = undefined;
        this.epoch = { id: entry.id, cause: entry.cause, system: entry.system, tools: entry.tools };
        break;
      case "run-end":
        this.lastStatus = entry.status;
        this.unfinished = false;
        break;
      case "custom":
        if (entry.name === BACKGROUND_START) this.background.start(entry.data);
        if (entry.name === HELD_PROMPT) this.heldPrompt = readHeldPrompt(entry.data);
        if (entry.name === HELD_CONTEXT) this.#hold(readHeld(entry.data), entry.id);
        break;
      case "run-start":
        this.unfinished = true;
        this.given = entry.given ?? null;
        break;
      default:
        throw invalidEntry(`an entry of the unknown type "${String((entry as { type: unknown }).type)}"`);
    }
  }

  /** The label of a call's result, by the call's id or the path of its artifact; `undefined` for one that has none. */
  labelOf(id: string): Label | undefined {
    return this.#labels?.get(id);
  }

  /** The findings of a server's own tool are in the message itself, so calls of the same message may follow from them. */
  readByServer({ name }: ServerToolUse): void {
    this.#join(frozenLabel("untrusted", "anyone", [{ kind: "tool", name, untrusted: true }]));
  }

  /** Where no entry has a label there is nothing to join. What is kept at one path may come from several results. */
  #keepLabel(id: string, given: Label, entryId: string): Label {
    const read = joinLabels(readLabel(given) ?? UNLABELLED, this.#labels?.get(id) ?? NO_LABEL);
    // Only the entry that a source came in with first is named. What the newest entry had adds nothing any more.
    const isNew = read !== this.#joined && joinLabels(this.label, read) !== this.label;
    const label = isNew ? broughtBy(read, entryId) : read;
    this.#labels = (this.#labels ?? new Map<string, Label>()).set(id, label);
    if (isNew) this.#join(label);
    this.#joined = read;
    return label;
  }

  #join(label: Label): void {
    if (label === this.label) return;
    this.label = this.label === NO_LABEL ? label : joinLabels(this.label, label);
    if (this.label.integrity === "untrusted") this.untrustedFrom = Math.min(this.untrustedFrom, this.messages.length);
  }

  #hold(held: HeldMessage, entryId: string): void {
    this.open?.held.push(held);
    if (held.label) this.#keepLabel(entryId, held.label, entryId);
    if (held.origin === "subagent") this.background.readMessage(held.text);
  }

  #addMessage({ message, id: entryId, label, at }: Extract<SessionEntry, { readonly type: "message" }>): void {
    if (this.open)
      throw invalidEntry(`a ${message.role} message while ${this.open.unanswered} tool calls are unanswered`);
    if (message.role === "user" && message.origin === undefined) this.heldPrompt = null;
    if (message.role === "assistant") {
      for (const part of message.content)
        if (part.type === "reasoning" && part.serverTool) this.readByServer(part.serverTool);
      const calls = toolCallsOf(message);
      if (calls.length > 0) {
        this.#claimIds(calls);
        // The host's own calls are made from the host's knowledge, unless it says otherwise.
        const own = label ? (readLabel(label) ?? UNLABELLED) : NO_LABEL;
        this.open = new OpenTurn(calls, message.provider === HOST_AUTHOR.provider ? own : this.label);
      }
      if (message.provider !== HOST_AUTHOR.provider) {
        this.lastAssistant = message;
        this.lastAssistantAt = at;
      }
      this.lastUsage = message.usage && { usage: message.usage, messageCount: this.view.length };
    } else if (message.origin === "subagent") this.background.readMessage(textOfMessage(message));
    if (label && this.#keepLabel(entryId, label, entryId).integrity === "untrusted")
      this.foreign.add(this.messages.length);
    this.#push(message, entryId);
  }

  #addResult(result: ToolResult, entryId: string, label: Label | undefined): void {
    const open = this.#openCall(result.toolCallId, "tool-result");
    if (label) this.#keepLabel(result.toolCallId, label, entryId);
    else this.#join(UNLABELLED);
    if (label && result.artifact) this.#keepLabel(result.artifact.path, label, entryId);
    open.results[open.indexOf(result.toolCallId)] = result;
    open.unanswered--;
    if (open.unanswered > 0) return;
    this.open = null;
    this.#push(toolMessage(open.results as ToolResult[]), entryId);
  }

  /** All or none of a message's ids become used. */
  #claimIds(calls: readonly ToolCall[]): void {
    for (let index = 0; index < calls.length; index++) {
      const { id } = calls[index]!;
      if (id !== "" && !this.callIds.has(id)) {
        this.callIds.add(id);
        continue;
      }
      for (const claimed of calls.slice(0, index)) this.callIds.delete(claimed.id);
      throw invalidEntry(`the tool call id "${id}", which is empty or used twice`);
    }
  }

  #openCall(toolCallId: string, type: string): OpenTurn {
    const index = this.open ? this.open.indexOf(toolCallId) : -1;
    if (!this.open || index < 0 || this.open.results[index]) {
      throw invalidEntry(`a ${type} entry for "${toolCallId}", which is not an unanswered tool call`);
    }
    return this.open;
  }

  #editView(from: string, to: string, replacement: readonly Message[], entryId: string): void {
    const start = this.viewEntryIds.indexOf(from);
    const end = this.viewEntryIds.lastIndexOf(to);
    if (start < 0 || end < start)
      throw invalidEntry(`a view edit from "${from}" to "${to}", which are not in the view`);
    const messages = replacement.map(frozen);
    const problem = this.#seamProblem(start, end, messages);
    if (problem) throw invalidEntry(`a view edit that leaves an invalid view (${problem.message})`);
    this.lastUsage = undefined;
    this.view.splice(start, end + 1 - start, ...messages);
    this.viewEntryIds.splice(start, end + 1 - start, ...messages.map(() => entryId));
  }

  /**
   * The message that breaks a rule once `messages` stand in place of `start` to `end`. The rest of the view is valid and stays, so
   * only the seams are looked at, unless call ids appear that were not in the span.
   */
  #seamProblem(start: number, end: number, messages: readonly Message[]): TranscriptIssue | undefined {
    const { view } = this;
    const known = new Set(callIdsIn(view.slice(start, end + 1)));
    const isLocal = callIdsIn(messages).every((id) => known.has(id));
    const left = isLocal ? start - (view[start - 1]?.role === "tool" ? 2 : 1) : 0;
    const right = isLocal ? end + (view[end + 1]?.role === "tool" ? 2 : 1) : view.length;
    const seam = [...view.slice(Math.max(0, left), start), ...messages, ...view.slice(end + 1, right)];
    return validateTranscript(seam, { allowOpen: this.open !== null && right >= view.length })[0];
  }

  #push(pushed: Message, entryId: string): void {
    const message = frozen(pushed);
    this.messages.push(message);
    this.view.push(message);
    this.viewEntryIds.push(entryId);
  }
}

function callIdsIn(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => (message.role === "assistant" ? toolCallsOf(message).map(({ id }) => id) : []));
}

/** All questions of a session that nobody has answered yet; those of sub-agents in the background come last. */
export function waitingQuestions({ open, background }: Transcript): PendingRequest[] {
  return [...openQuestions(open), ...background.waiting];
}

function toolMessage(results: readonly ToolResult[]): ToolMessage {
  const content = results.map(({ toolCallId, name, output, isError }) => {
    return Object.freeze({ type: "tool-result" as const, toolCallId, name, output, isError });
  });
  return Object.freeze({ role: "tool", content: Object.freeze(content) });
}

/** An entry that does not fit what is there. */
export function invalidEntry(what: string): SessionError {
  return new SessionError("TRANSCRIPT_INVALID", {
    message: `The session was given ${what}. Its transcript is unchanged.`,
  });
}
