import type { JsonObject } from "../../contracts/json.js";
import type { ProviderEvent } from "../../contracts/provider.js";
import { base64Of } from "../../text/base64.js";
import { isRecord } from "../shared/is-record.js";
import { eventOfUrl, receivedMedia } from "../shared/received-media.js";

type Fields = { readonly [field: string]: unknown };

/** The events for a file of a model, with its metadata. Version 4 wraps the data, and may have an address in its place. */
export function eventsOfFile({ data: said, mediaType, providerMetadata }: Fields, owner: string): ProviderEvent[] {
  const data = isRecord(said) && said.type === "data" ? said.data : said;
  if (isRecord(data) && data.type === "url") {
    const event = eventOfUrl(String(data.url), mediaType);
    return event ? [event] : [];
  }
  const part = receivedMedia(data instanceof Uint8Array ? base64Of(data) : data, mediaType);
  if (!part) return [];
  const metadata = isRecord(providerMetadata) && { metadata: providerMetadata as JsonObject };
  return [{ type: "media", part: { ...part, providerData: { by: owner, ...metadata } } }];
}
