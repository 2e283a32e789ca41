// The parts of the chat completions protocol that are used here. Typed by structure, so that any major version of the
// SDK, its Azure client and wrappers around them fit, and our declarations need no peer package.
// Source: https://platform.openai.com/docs/api-reference/chat (read 2026-11).

/** One message as it goes over the wire. */
export type WireMessage = { readonly role: string } & { readonly [field: string]: unknown };

/** A chunk as it may come: every field is a hope until it was looked at. */
export interface Chunk {
  readonly id?: unknown;
  readonly model?: unknown;
  readonly choices?: unknown;
  readonly usage?: unknown;
  readonly error?: unknown;
  readonly x_groq?: unknown;
  readonly timings?: unknown;
}

/** One choice of a chunk. */
export interface Choice {
  readonly index?: unknown;
  readonly delta?: unknown;
  readonly message?: unknown;
  readonly finish_reason?: unknown;
  readonly native_finish_reason?: unknown;
  readonly usage?: unknown;
}

/** The additions of a choice to the message. */
export interface Delta {
  readonly extra_content?: unknown;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_text?: unknown;
  readonly reasoning_opaque?: unknown;
  readonly thinking?: unknown;
  readonly thinking_blocks?: unknown;
  readonly reasoning_details?: unknown;
  readonly audio?: unknown;
  readonly images?: unknown;
  readonly tool_calls?: unknown;
  readonly function_call?: unknown;
  readonly provider_metadata?: unknown;
}

/** A piece of a tool call. */
export interface ToolCallDelta {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly type?: unknown;
  readonly extra_content?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
  readonly custom?: { readonly name?: unknown; readonly input?: unknown } | null;
  readonly name?: unknown;
  readonly arguments?: unknown;
}
