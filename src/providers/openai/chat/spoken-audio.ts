import type { MediaPart } from "../../../contracts/content.js";
import { base64Of, bytesOf } from "../../../text/base64.js";
import { joinedBytes } from "../../../text/joined-bytes.js";
import { receivedMedia } from "../../shared/received-media.js";

/** Longest sound that is kept; of a longer one, nothing is. Unit: bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The sound of an answer that is spoken. It comes in pieces, each of them base64. */
export class SpokenAudio {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  /** Takes the data of one piece; what is not base64 is no sound. */
  add(data: unknown): void {
    const bytes = typeof data === "string" ? bytesOf(data) : null;
    if (!bytes || this.#bytes > MAX_BYTES) return;
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_BYTES) this.#pieces = [];
    else this.#pieces.push(bytes);
  }

  /** The whole; `undefined` when there is not one. What does not say what it is are samples: they alone can be streamed. */
  get part(): MediaPart | undefined {
    if (this.#pieces.length === 0) return undefined;
    const part = receivedMedia(base64Of(joinedBytes(this.#pieces)), undefined);
    return part?.mediaType === "application/octet-stream" ? { ...part, mediaType: "audio/pcm" } : part;
  }
}
