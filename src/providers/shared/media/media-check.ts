// Serves: Anthropic, OpenAI, Google, Bedrock.
// Before a request is sent, each of its images is compared with its label, and each image and file with the vendor's limits:
// what would be refused stays in the conversation, and would be refused with every later request.
import type { FitMedia, MediaLimits, MediaPart } from "../../../contracts/content.js";
import type { AssistantMediaPart } from "../../../contracts/message.js";
import type { ProviderRequest } from "../../../contracts/provider.js";
import { isContentPart, isMediaPart } from "../../../engine/transcript/message-shape.js";
import { describeThrown } from "../../../text/describe-thrown.js";
import { followSignal } from "../../../time/follow-signal.js";
import { unlessAborted } from "../../../time/unless-aborted.js";
import { typeByStart } from "../received-media.js";
import { COMMON_IMAGES, plainMediaType } from "../request/media-part.js";
import { imageSize } from "./image-size.js";
import { type LeftOut, mediaOf, withMedia } from "./media-of.js";
import { limitsOf, type MediaVendor } from "./vendor-limits.js";

/** The time limit of `fitMedia` for one part, the same as a hook's. Unit: milliseconds. */
const FIT_TIMEOUT_MS = 60_000;

type Part = MediaPart | AssistantMediaPart;

/** The part to send, or the reason for sending none; `isOver`: a limit is the reason. */
type Verdict = { readonly part: Part } | { readonly reason: string; readonly help?: string; readonly isOver?: true };

/** A request as it can be sent, and the media left out of it. */
export interface CheckedRequest {
  readonly request: ProviderRequest;
  readonly leftOut: readonly LeftOut[];
}

/** The check of one adapter. The verdict on a part is remembered as long as the part is in memory. */
export class MediaCheck {
  readonly #verdicts = new WeakMap<Part, Verdict>();

  constructor(private readonly vendor: MediaVendor | undefined) {}

  /** Rejects with the signal's reason when it aborts, at once. */
  async check(request: ProviderRequest, signal: AbortSignal): Promise<CheckedRequest> {
    const parts = mediaOf(request);
    const leftOut: LeftOut[] = [];
    let isChanged = false;
    // One at a time: each may take much memory while it is made smaller.
    for (const part of parts) {
      const verdict = this.#known(part, request) ?? (await this.#judge(part, request.fitMedia, signal));
      this.#verdicts.set(part, verdict);
      isChanged ||= !("part" in verdict) || verdict.part !== part;
      if (!("part" in verdict)) leftOut.push({ part, ...verdict });
    }
    if (!isChanged) return { request, leftOut };
    const instead = (part: Part) => {
      const verdict = this.#verdicts.get(part)!;
      return "part" in verdict ? verdict.part : verdict.reason;
    };
    return { request: withMedia(request, instead), leftOut };
  }

  /** The earlier verdict, unless there is a `fitMedia` now that was not called then. */
  #known(part: Part, { fitMedia }: ProviderRequest): Verdict | undefined {
    const verdict = this.#verdicts.get(part);
    if (!verdict || "part" in verdict || !verdict.isOver) return verdict;
    return fitMedia && verdict.help === undefined ? undefined : verdict;
  }

  async #judge(part: Part, fitMedia: FitMedia | undefined, signal: AbortSignal): Promise<Verdict> {
    const verdict = this.#look(part);
    if ("part" in verdict || !verdict.isOver || !fitMedia) return verdict;
    const { providerData: _, ...plain } = relabelled(part) as AssistantMediaPart;
    const limits = limitsOf(this.vendor, plain.mediaType);
    let help: string;
    try {
      const fitted: unknown = await withinTime((own) => fitMedia(plain, limits, { signal: own }), signal);
      if (fitted === null || fitted === undefined) help = "returned null";
      else if (!isContentPart(fitted) || !isMediaPart(fitted)) help = "returned no image or file";
      else {
        const again = this.#look(fitted);
        if ("part" in again) return again;
        help = `returned ${fitted.type === "image" ? "an image" : "a file"} that cannot be sent: ${again.reason}`;
      }
    } catch (thrown) {
      signal.throwIfAborted();
      help = `failed: ${describeThrown(thrown)}`;
    }
    return { ...verdict, help };
  }

  #look(said: Part): Verdict {
    const part = relabelled(said);
    const mediaType = plainMediaType(part);
    if (COMMON_IMAGES.has(mediaType) && typeByStart(part.data) !== mediaType) {
      return { reason: "its bytes are not those of an image" };
    }
    const over = overLimit(part, mediaType, limitsOf(this.vendor, mediaType));
    return over === undefined ? { part } : { reason: over, isOver: true };
  }
}

/** An image under the type that its bytes name, when its label says another. */
function relabelled(part: Part): Part {
  const label = plainMediaType(part);
  const mediaType = label.startsWith("image/") ? typeByStart(part.data) : undefined;
  if (mediaType === undefined || mediaType === label) return part;
  return { ...part, type: mediaType.startsWith("image/") ? "image" : "file", mediaType };
}

function overLimit({ data }: Part, mediaType: string, { maxBytes, maxSide }: MediaLimits): string | undefined {
  const bytes = Math.floor(data.length / 4) * 3 - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
  const takes = "the model's vendor takes";
  if (maxBytes !== undefined && bytes > maxBytes) {
    return `it has ${inDigits(bytes)} bytes, and ${takes} at most ${inDigits(maxBytes)}`;
  }
  const size = maxSide === undefined ? undefined : imageSize(data, mediaType);
  if (maxSide === undefined || !size || Math.max(size.width, size.height) <= maxSide) return undefined;
  const sides = `${inDigits(size.width)} by ${inDigits(size.height)} pixels`;
  return `it has ${sides}, and ${takes} at most ${inDigits(maxSide)} on each side`;
}

function inDigits(count: number): string {
  return count.toLocaleString("en-US");
}

/** The result of the work; rejects at once when it takes too long or the request is aborted. */
async function withinTime<T>(work: (signal: AbortSignal) => T | Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const leave = followSignal(signal, () => controller.abort(signal.reason));
  const late = new Error(`it did not finish within ${FIT_TIMEOUT_MS} ms`);
  const timer = setTimeout(() => controller.abort(late), FIT_TIMEOUT_MS);
  try {
    return await unlessAborted((async () => work(controller.signal))(), controller.signal);
  } finally {
    clearTimeout(timer);
    leave();
  }
}
