import type { JsonObject } from "../../contracts/json.js";
import type { ProviderEvent } from "../../contracts/provider.js";
import { type Fields, isObject } from "../../json/is-object.js";
import { base64Of } from "../../text/base64.js";
import { eventOfUrl, receivedMedia } from "../shared/received-media.js";

/** The events for a file of a model, with its metadata. Version 4 wraps the data, and may have an address in its place. */
export function eventsOfFile({ data: said, mediaType, providerMetadata }: Fields, owner: string): ProviderEvent[] {
  const data = isObject(said) && said.type === "data" ? said.data : said;
  if (isObject(data) && data.type === "url") {
    const event = eventOfUrl(String(data.url), mediaType);
    return event ? [event] : [];
  }
  const part = receivedMedia(data instanceof Uint8Array ? base64Of(data) : data, mediaType);
  if (!part) return [];
  const metadata = isObject(providerMetadata) && { metadata: providerMetadata as JsonObject };
  return [{ type: "media", part: { ...part, providerData: { by: owner, ...metadata } } }];
}
