/** One piece of a user message or of a tool's output. `data` is base64 without a `data:` prefix. */
export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mediaType: string; readonly data: string }
  | { readonly type: "file"; readonly mediaType: string; readonly data: string; readonly name?: string };
