/** An image or a file. `data` is base64 without a `data:` prefix, `name` that of its file. */
export type MediaPart =
  | { readonly type: "image"; readonly mediaType: string; readonly data: string; readonly name?: string }
  | { readonly type: "file"; readonly mediaType: string; readonly data: string; readonly name?: string };

/** One piece of a user message or of a tool's output. */
export type ContentPart = { readonly type: "text"; readonly text: string } | MediaPart;

/** A vendor's limits for one image or file. An absent one is not known. */
export interface MediaLimits {
  /** Most bytes of the data, once its base64 is decoded. */
  readonly maxBytes?: number | undefined;
  /** Largest width and largest height of an image. Unit: pixels. */
  readonly maxSide?: number | undefined;
}

/**
 * Makes an image or a file that is over the limits of the model's vendor fit them: a smaller copy, or one of another type.
 * `null` leaves it out, as does an answer that is over the limits as well, an error, or no answer within 60 seconds.
 *
 * Called before the request, for one part at a time, and once for each part as long as the session stays in memory: the
 * transcript keeps the original. `signal` aborts when the request does, and when the time is over.
 */
export type FitMedia = (
  part: MediaPart,
  limits: MediaLimits,
  options: { readonly signal: AbortSignal },
) => MediaPart | null | Promise<MediaPart | null>;
