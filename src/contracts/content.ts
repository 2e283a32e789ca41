/** An image or a file. `data` is base64 without a `data:` prefix. */
export type MediaPart =
  | { readonly type: "image"; readonly mediaType: string; readonly data: string }
  | { readonly type: "file"; readonly mediaType: string; readonly data: string; readonly name?: string };

/** One piece of a user message or of a tool's output. */
export type ContentPart = { readonly type: "text"; readonly text: string } | MediaPart;
