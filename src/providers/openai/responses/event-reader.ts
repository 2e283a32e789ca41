// Reads the events of one response. Each belongs to an output item: by the item's place in the output, by its id where
// there is no place (some gateways give each event an id of its own), or to the newest one. What an item says at its end
// counts for what its deltas left out, so that servers which send no deltas are understood as well.

import type { JsonObject } from "../../../contracts/json.js";
import type { ProviderEvent } from "../../../contracts/provider.js";
import type { FinishReason, Usage } from "../../../contracts/usage.js";
import { type Fields, isObject } from "../../../json/is-object.js";
import { isBareFailure } from "../../shared/failures/bare-failure.js";
import { MAX_PARTS, tooMany } from "../../shared/failures/too-many.js";
import type { EventReader } from "../../shared/http/response-stream.js";
import { messageStart } from "../../shared/message-start.js";
import { begunAgain } from "../../shared/response-identity.js";
import { takeCallId } from "../../shared/take-call-id.js";
import { workInItem } from "../server-tools.js";
import { readUsage } from "../usage.js";
import { callerIn, callOriginData } from "./call-origin.js";
import { cannotReply, hostCallData, hostCallOf, isLeftToHost } from "./host-calls.js";
import { hostedImage, hostedItemData, isHostedItem } from "./hosted-items.js";
import { OutputItem } from "./output-item.js";

/** An item that is left to the program, in its place; without `item` until that is whole. */
interface LeftItem {
  readonly type: "left";
  item?: Fields;
}

/** Turns the events of one response into ours, appended to `events`. Unknown events and items are skipped. */
export class ResponseReader implements EventReader {
  readonly events: ProviderEvent[] = [];
  readonly #items: OutputItem[] = [];
  readonly #byPlace = new Map<unknown, OutputItem>();
  readonly #byId = new Map<unknown, OutputItem>();
  readonly #callIds = new Set<string>();
  /** Work of the server's own that has been kept, by its id. */
  readonly #kept = new Set<unknown>();
  /** Items that the server has left to the program, unless it has gone on by itself, and what came behind the first of them. */
  readonly #waiting: (ProviderEvent | LeftItem)[] = [];
  /** Those items by their place, and the places of the ones that the server has gone on after. */
  readonly #begun = new Map<unknown, LeftItem>();
  readonly #passed = new Set<unknown>();
  readonly #leftKeys = new Set<unknown>();
  /** The kinds of those items while the response streamed: its end repeats them. */
  readonly #leftTypes = new Set<unknown>();
  #hasBegun = false;
  #calls = 0;
  #finishReason: FinishReason | undefined;
  #usage: Usage | undefined;

  constructor(private readonly provider: string) {}

  get hasStarted(): boolean {
    return this.#hasBegun;
  }

  get hasFinished(): boolean {
    return this.#finishReason !== undefined;
  }

  get isInside(): boolean {
    return this.#items.some(({ hasEnded }) => !hasEnded);
  }

  errorIn(data: unknown): unknown {
    if (!isObject(data)) return undefined;
    const { type, error, response, status, object } = data;
    if (typeof type === "string" && /(?:^|[._])error$/.test(type)) return data;
    if (type === "response.failed" || type === "response.cancelled") {
      return failureOf(response) ?? error ?? endedWith(type);
    }
    // Some gateways call every end completed.
    if (isObject(response) && response.status === "failed") return failureOf(response) ?? endedWith("failed");
    if (object === "response" && (status === "failed" || status === "cancelled")) {
      return failureOf(data) ?? endedWith(status);
    }
    if (type !== undefined || object === "response") return undefined;
    return error || isBareFailure(data) ? data : undefined;
  }

  /** @throws ProviderError `RESPONSE_TOO_LARGE` for items without end */
  read(data: unknown): void {
    if (!isObject(data)) return;
    const { type, response } = data;
    if (data.object === "response" || (type === undefined && Array.isArray(data.output))) this.#readWhole(data);
    else if (typeof type !== "string" || this.hasFinished) return;
    else if (type === "response.completed" || type === "response.incomplete" || type === "response.done") {
      this.#readWhole(isObject(response) ? response : {}, type);
    } else if (isObject(response)) {
      if (type === "response.created" && this.#items.length > 0) throw begunAgain(this.provider);
      this.#begin(response);
    } else this.#readEvent(type.replace(/^response\./, ""), data);
  }

  finish(): void {
    this.#handOver();
    const finishReason = this.#finishReason ?? (this.#calls > 0 ? "tool-calls" : "stop");
    const wasCut = finishReason !== "stop" && finishReason !== "tool-calls";
    for (const item of this.#items) item.end(wasCut);
    this.events.push({ type: "message-end", finishReason, ...(this.#usage && { usage: this.#usage }) });
  }

  #begin({ id, model }: Fields): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.events.push(messageStart(id, model));
  }

  #readEvent(name: string, data: Fields): void {
    const { delta } = data;
    if (name === "output_item.added" || name === "output_item.done") {
      if (isObject(data.item)) this.#takeItem(data.item, data, name === "output_item.added" ? "added" : "done");
    } else if (name === "output_text.delta" || name === "refusal.delta") this.#item(data, "message")?.text(delta);
    else if (name === "function_call_arguments.delta") this.#item(data, "function_call")?.argumentsPiece(delta);
    else if (name === "function_call_arguments.done") this.#item(data, "function_call")?.wholeArguments(data.arguments);
    else if (name === "reasoning_summary_part.added") this.#item(data, "reasoning")?.nextSummaryPart();
    else if (name === "reasoning_summary_text.delta") this.#item(data, "reasoning")?.reasoning(delta, "summary");
    else if (name === "reasoning_text.delta") this.#item(data, "reasoning")?.reasoning(delta, "content");
  }

  /** A whole response: the last event, or all there is. */
  #readWhole(response: Fields, type = ""): void {
    this.#begin(response);
    const { output, usage, status, incomplete_details: details } = response;
    // Streamed items are not taken twice: places and ids in the whole output may differ from those of the events.
    const seen = new Set<unknown>([...this.#items.map(({ kind }) => kind), ...this.#leftTypes]);
    let callsToCome = this.#items.filter(({ kind }) => kind === "function_call").length;
    for (const item of Array.isArray(output) ? output.filter(isObject) : []) {
      const isExtraCall = item.type === "function_call" && callsToCome-- <= 0 && !this.#callIds.has(`${item.call_id}`);
      if (!seen.has(item.type) || isExtraCall) this.#takeItem(item, {}, "whole");
      else this.#byId.get(item.id)?.complete(item); // Unless its own end has come.
    }
    this.#handOver();
    this.#usage = readUsage(usage);
    const isCalledWhole = type !== "response.incomplete" && status !== "incomplete";
    const reason = isObject(details) ? details.reason : undefined;
    if (!isCalledWhole) this.#finishReason = incompleteReason(reason);
    else if (isFull(response)) this.#finishReason = "length";
    else this.#finishReason = this.#calls > 0 ? "tool-calls" : "stop";
  }

  #takeItem(said: Fields, { output_index }: Fields, moment: "added" | "done" | "whole"): void {
    if (isLeftToHost(said)) this.#leave(said, output_index ?? said.call_id ?? said.id, moment);
    else if (moment !== "added" && isHostedItem(said)) this.#keep(said);
    const item = this.#item({ output_index, item_id: said.id, call_id: said.call_id }, said.type, moment);
    item?.describe(said);
    if (moment !== "added") item?.complete(said);
  }

  #keep(item: Fields): void {
    const id = item.id ?? item.result ?? item;
    if (this.#kept.has(id) || this.#kept.size >= MAX_PARTS) return;
    const part = hostedImage(item);
    const providerData = part ? undefined : hostedItemData(item);
    if (!part && !providerData) return;
    this.#kept.add(id);
    this.#begin({});
    if (part) this.#emit({ type: "media", part });
    else {
      const serverTool = workInItem(item as JsonObject);
      this.#emit({ type: "reasoning-end", providerData: providerData!, ...(serverTool && { serverTool }) });
    }
  }

  /** Tools of xAI's servers call themselves custom as well: what a message follows, the server has done itself. */
  #leave(item: Fields, place: unknown, moment: "added" | "done" | "whole"): void {
    if (moment === "done") this.#leftTypes.add(item.type);
    if (this.#passed.has(place)) {
      if (moment !== "added") this.#keep(item);
      return;
    }
    const key = item.call_id ?? item.id ?? item;
    if (this.#leftKeys.has(key) || this.#leftKeys.size >= MAX_PARTS) return;
    let left = this.#begun.get(place);
    if (!left || left.item) {
      left = { type: "left" };
      this.#begun.set(place, left);
      this.#waiting.push(left);
    }
    if (moment === "added") return;
    this.#leftKeys.add(key);
    this.#begin({});
    left.item = item;
  }

  /** A message begins: nothing that came before it is waited for. */
  #pass(): void {
    for (const place of this.#begun.keys()) this.#passed.add(place);
    this.#release((item) => this.#keep(item));
  }

  /** In the order in which the model gave it: a call may build on what one before it has done. */
  #release(take: (item: Fields) => void): void {
    for (const one of this.#waiting.splice(0)) {
      if (one.type !== "left") this.events.push(one);
      else if (one.item) take(one.item);
    }
  }

  readonly #emit = (event: ProviderEvent): void => {
    (this.#waiting.length > 0 ? this.#waiting : this.events).push(event);
  };

  /** @throws ProviderError `BAD_REQUEST` for what no tool's result can be the reply to */
  #handOver(): void {
    this.#release((item) => {
      const call = hostCallOf(item);
      if (!call) throw cannotReply(this.provider, item);
      const index = this.#calls++;
      const id = takeCallId(call.id, index, this.#callIds);
      if (call.malformed === undefined) this.events.push({ type: "reasoning-end", providerData: hostCallData(item) });
      this.events.push({ type: "tool-call-start", index, id, name: call.name });
      this.events.push({ type: "tool-call-delta", index, json: call.malformed ?? JSON.stringify(call.arguments) });
      this.events.push({ type: "tool-call-end", index, call: { ...call, id, ...callerIn(callOriginData(item)) } });
    });
  }

  /** The item that an event belongs to; one that nothing announced begins with its first event. */
  #item(data: Fields, kind: unknown, moment: "added" | "delta" | "done" | "whole" = "delta"): OutputItem | undefined {
    if (kind !== "message" && kind !== "function_call" && kind !== "reasoning") return undefined;
    this.#begin({});
    const place = data.output_index ?? undefined;
    const id = data.item_id || undefined;
    const known = this.#byPlace.get(place) ?? this.#byId.get(id);
    if (known?.kind === kind && !(moment === "added" && known.isOtherCall(data.call_id))) return known;
    if (place === undefined && (moment === "delta" || moment === "done")) {
      const newest = this.#items.findLast((item) => item.kind === kind && !item.hasEnded);
      if (newest) return newest;
    }
    if (this.#items.length >= MAX_PARTS) throw tooMany(this.provider, "items");
    if (kind === "message") this.#pass();
    const item = new OutputItem(kind, kind === "function_call" ? this.#calls++ : 0, this.#callIds, this.#emit);
    this.#items.push(item);
    if (place !== undefined) this.#byPlace.set(place, item);
    if (id !== undefined) this.#byId.set(id, item);
    return item;
  }
}

/** OpenRouter calls every failure the server's, and names its kind beside it. */
function failureOf(response: unknown): unknown {
  if (!isObject(response)) return undefined;
  const { error, error_type } = response;
  return error && error_type ? { error, error_type } : (error ?? undefined);
}

function endedWith(what: string): object {
  return { type: "server_error", message: `the response ended with "${what}"` };
}

/** Baseten calls a response completed that has come to its limit: it is as long as it may be, to the token. */
function isFull({ max_output_tokens: limit, usage }: Fields): boolean {
  return typeof limit === "number" && isObject(usage) && usage.output_tokens === limit;
}

function incompleteReason(reason: unknown): FinishReason {
  if (reason === "max_output_tokens" || reason === "max_tokens") return "length";
  return reason === "content_filter" ? "content-filter" : "other";
}
