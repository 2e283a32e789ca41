import { checkOptions } from "../../json/check-options.js";
import { byteStream, STREAM_TABLE, type StreamOptions } from "../byte-stream.js";
import { checkSource } from "../check-source.js";
import type { RunSource } from "../run-source.js";
import { RunWriter } from "./run-writer.js";
import { UiMessageProtocol } from "./ui-message-protocol.js";

/** The header that marks a `Response` with a UI message stream. */
export const UI_MESSAGE_STREAM_HEADER = { "x-vercel-ai-ui-message-stream": "v1" } as const;

/**
 * A run as the stream that `useChat` of the AI SDK reads: text, reasoning, tool calls with their results, and approvals. The
 * response needs the header `x-vercel-ai-ui-message-stream: v1`, which `toResponse` sets.
 *
 * Run and session ids, status and usage are in the message's metadata. Questions are data parts named `question`, what sub-agents do is
 * in transient ones named `subagent`, and notices in transient ones named `notice`. A sub-agent's call that needs an
 * approval is a tool part of its own.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function toUiMessageStream(run: RunSource, options: StreamOptions = {}): ReadableStream<Uint8Array> {
  checkSource("toUiMessageStream()", run);
  const settings = checkOptions("toUiMessageStream()", options, STREAM_TABLE);
  return byteStream(run, new RunWriter(new UiMessageProtocol(run), "data: [DONE]\n\n"), settings);
}
