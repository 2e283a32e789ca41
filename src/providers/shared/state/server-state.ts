// The conversations that a vendor's server keeps, and the proof that a request continues one of them. The proof is a
// digest of what was sent and the words of the answer: while both are still the beginning of the request, only what follows
// is sent. Nothing of this is in the transcript, so that the whole request can be made from it at any time.
import { ProviderError } from "../../../contracts/errors.js";
import type { JsonValue } from "../../../contracts/json.js";
import type { AssistantMessage, Message } from "../../../contracts/message.js";
import type { ProviderEvent, ProviderRequest } from "../../../contracts/provider.js";
import { textOfMessage, toolCallsOf } from "../../../engine/transcript/message-shape.js";
import { strongDigest } from "../../../json/digest.js";
import { PassingReader } from "../http/passing-reader.js";
import type { EventReader } from "../http/response-stream.js";

/** Conversations that are known at once; of more, the one that was silent longest is sent as a whole again. */
const MAX_CONVERSATIONS = 1_000;

/** Lost conversations in a row after which the server counts as one that keeps none. */
const MAX_LOST = 2;

/** A response that the server keeps, and the conversation that it is the end of. */
interface Kept {
  readonly responseId: string;
  /** The number of messages in front of the answer, and the digest of them and of what stands before them. */
  readonly length: number;
  readonly digest: string;
  /** The answer, as `saidIn` words it. */
  readonly said: string;
}

/** The way one request is sent. */
export interface StatePlan {
  /** Whether the server is to keep it. */
  readonly isKept: boolean;
  /** The response that it goes on with, and the place of that answer among the request's messages. Absent: all of it is sent. */
  readonly previous?: { readonly responseId: string; readonly at: number };
  /** The conversation's newest response, whether or not it is kept; `null` before the first. */
  readonly lastId: string | null;
  /** The reason why all of it is sent where that was not to be expected. */
  readonly notice?: ProviderEvent;
}

type Cause = "elsewhere" | "changed" | "provider" | "lost" | "refused" | "forgetful";

const WHY: Readonly<Record<Cause, string>> = {
  elsewhere: "this process has not sent it before",
  changed:
    "its beginning is not what the server keeps: a rewind, a compaction, an answer that was cut off, or another system prompt or list of tools",
  provider: "another model has answered meanwhile",
  lost: "the server no longer has it",
  refused: "the server refuses to keep it, and is not asked to again",
  forgetful: "the server has lost it right after it took it, and is not asked to keep anything again",
};

/** The conversations that one adapter's server keeps. */
export class ServerState {
  readonly #kept = new Map<string, Kept>();
  readonly #lastIds = new Map<string, string>();
  readonly #digests = new WeakMap<Message, string>();
  #lost = 0;

  constructor(
    private readonly author: { readonly id: string; readonly model: string },
    /** `false`: only the ids of responses are kept here, and nothing by the server. */
    private isOn: boolean,
  ) {}

  plan(request: ProviderRequest): StatePlan {
    const key = keyOf(request);
    const lastId = this.#lastIds.get(key) ?? null;
    if (!this.isOn || request.compact) return { isKept: false, lastId };
    const kept = this.#kept.get(key);
    const cause = kept ? this.#changeSince(kept, request) : hasAnswer(request.messages) ? "elsewhere" : null;
    if (cause !== null) return { isKept: true, lastId, notice: this.#notice(cause, request) };
    // A message that the server has paused in goes back to it as a whole.
    if (!kept || request.messages.length === kept.length + 1) return { isKept: true, lastId };
    return { isKept: true, lastId, previous: { responseId: kept.responseId, at: kept.length } };
  }

  /** The plan after the server has refused one; `null` where that has another reason. */
  afterRefusal(plan: StatePlan, request: ProviderRequest, error: unknown): StatePlan | null {
    if (!(error instanceof ProviderError) || !plan.isKept) return null;
    const isAboutState = /thread|previous_(?:response|message)|\bstore\b|anthropic-beta/i.test(error.message);
    // A key may have the right to ask, and none to have anything kept.
    if (error.code !== "BAD_REQUEST" && !(error.code === "AUTH" && isAboutState)) return null;
    if (!plan.previous && !isAboutState) return null;
    this.#kept.delete(keyOf(request));
    const cause = !plan.previous ? "refused" : ++this.#lost >= MAX_LOST ? "forgetful" : "lost";
    if (cause !== "lost") this.isOn = false;
    return { isKept: this.isOn, lastId: plan.lastId, notice: this.#notice(cause, request) };
  }

  /** Around a response's reader: notes what the server keeps once it has ended well. */
  reader(inner: EventReader, request: ProviderRequest, plan: () => StatePlan | undefined) {
    const { length } = request.messages;
    if (request.compact) return inner;
    return new KeepingReader(inner, (responseId, said) => {
      const key = keyOf(request);
      remember(this.#lastIds, key, responseId);
      const sent = plan();
      if (sent?.previous) this.#lost = 0;
      if (sent?.isKept && this.isOn)
        remember(this.#kept, key, { responseId, length, digest: this.#digestOf(request, length), said });
    });
  }

  #changeSince(kept: Kept, request: ProviderRequest): Cause | null {
    const { messages } = request;
    if (messages.length <= kept.length || this.#digestOf(request, kept.length) !== kept.digest) return "changed";
    const [answer, ...rest] = messages.slice(kept.length);
    const isOthers = (message: Message) =>
      message.role === "assistant" && (message.provider !== this.author.id || message.model !== this.author.model);
    if (isOthers(answer!) || rest.some(isOthers)) return "provider";
    const isSame = answer!.role === "assistant" && saidIn(answer!) === kept.said;
    return isSame && !hasAnswer(rest) ? null : "changed";
  }

  #digestOf({ system, tools, serverTools = [], messages }: ProviderRequest, length: number): string {
    const digests = messages.slice(0, length).map((message) => {
      const known = this.#digests.get(message) ?? strongDigest(message);
      this.#digests.set(message, known);
      return known;
    });
    return strongDigest([system, tools, serverTools, digests]);
  }

  #notice(cause: Cause, { messages, epoch }: ProviderRequest): ProviderEvent {
    const message = `The whole conversation was sent to provider "${this.author.id}", and not only what is new: ${WHY[cause]}.`;
    const details: JsonValue = { cause, messages: messages.length, ...(epoch && { epoch: epoch.cause }) };
    return { type: "notice", code: "SERVER_STATE", message, details };
  }
}

/** Puts together what a response says, as it is compared with the message that was recorded of it. */
class KeepingReader extends PassingReader {
  #id: string | undefined;
  #text = "";
  readonly #calls: { readonly id: string; readonly name: string }[] = [];

  constructor(
    inner: EventReader,
    private readonly keep: (responseId: string, said: string) => void,
  ) {
    super(inner);
  }

  protected take(event: ProviderEvent): void {
    this.events.push(event);
    if (event.type === "message-start") this.#id = event.id;
    else if (event.type === "text-delta") this.#text += event.text;
    else if (event.type === "tool-call-end") this.#calls.push(event.call);
    else if (event.type === "message-end" && this.#id !== undefined && KEPT_ENDS.has(event.finishReason))
      this.keep(this.#id, worded(this.#text, this.#calls));
  }
}

const KEPT_ENDS = new Set<string>(["stop", "tool-calls", "length", "pause"]);

function saidIn(message: AssistantMessage): string {
  return worded(textOfMessage(message), toolCallsOf(message));
}

function worded(text: string, calls: readonly { readonly id: string; readonly name: string }[]): string {
  return strongDigest([text, calls.map(({ id, name }) => [id, name])]);
}

function hasAnswer(messages: readonly Message[]): boolean {
  return messages.some(({ role }) => role === "assistant");
}

function keyOf({ epoch, sessionId }: ProviderRequest): string {
  return epoch?.transcriptId ?? sessionId;
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MAX_CONVERSATIONS) map.delete(map.keys().next().value!);
}
