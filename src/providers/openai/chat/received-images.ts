// Serves: OpenRouter, which sends the images of an answer beside its text, and again at the end.

import type { ProviderEvent } from "../../../contracts/provider.js";
import { isObject } from "../../../json/is-object.js";
import { eventOfUrl } from "../../shared/received-media.js";

/** The images of an answer. Servers repeat them at its end: each counts once. */
export class ReceivedImages {
  readonly #urls = new Set<string>();

  /** The image as an event, or a link to it as text; `undefined` for none, and for one that has come before. */
  take(image: unknown): ProviderEvent | undefined {
    const said: unknown = isObject(image) ? image.image_url : undefined;
    const url: unknown = isObject(said) ? said.url : said;
    if (typeof url !== "string" || url === "" || this.#urls.has(url)) return undefined;
    this.#urls.add(url);
    return eventOfUrl(url);
  }
}
