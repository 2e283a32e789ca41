// A vendor's own summary of a conversation: how it comes, and where it goes back.
import type { JsonObject, JsonValue } from "../../../contracts/json.js";
import type { Message } from "../../../contracts/message.js";
import type { ProviderEvent } from "../../../contracts/provider.js";
import { isObject } from "../../../json/is-object.js";
import { PassingReader } from "../http/passing-reader.js";

/** Around the reader of a response to `compact`: the block or item that it is about comes as an event of its own. */
export class CompactionReader extends PassingReader {
  protected take(event: ProviderEvent): void {
    const kept = event.type === "reasoning-end" && isObject(event.providerData) ? event.providerData : {};
    const data = compactionIn((kept.block ?? kept.item) as JsonValue | undefined);
    this.events.push(data ? { type: "compaction", data } : event);
  }
}

/** The summary in a message, for its `owner`, which is named as `id/model`; `undefined` for others, who get the message's content. */
export function ownSummary(message: Message, owner: string): JsonObject | undefined {
  const summary = message.role === "user" ? message.serverSummary : undefined;
  return summary && `${summary.provider}/${summary.model}` === owner ? compactionIn(summary.data) : undefined;
}

/** One that holds nothing is that of a compaction that has failed. */
function compactionIn(data: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(data) || data.type !== "compaction") return undefined;
  const isFull = [data.content, data.encrypted_content].some((held) => typeof held === "string" && held !== "");
  return isFull ? (data as JsonObject) : undefined;
}
