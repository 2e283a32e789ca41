import { checkOptions, type OptionTable, STRING } from "../../json/check-options.js";
import { byteStream, STREAM_TABLE, type StreamOptions } from "../byte-stream.js";
import { checkSource } from "../check-source.js";
import type { RunSource } from "../run-source.js";
import { AgUiProtocol } from "./ag-ui-protocol.js";
import { RunWriter } from "./run-writer.js";

/** Options of `toAgUi()`. */
export interface AgUiOptions extends StreamOptions {
  /** The thread the events belong to, as the client calls it. Default: the session's id. */
  readonly threadId?: string | undefined;
  /** The run's id, as the client calls it. Default: the run's own. */
  readonly runId?: string | undefined;
}

export const AG_UI_TABLE = { ...STREAM_TABLE, threadId: STRING, runId: STRING } satisfies OptionTable<AgUiOptions>;

/**
 * A run as AG-UI events: messages, reasoning, tool calls, sub-agents, and interrupts where it needs an approval or an answer.
 *
 * Where a model call begins again, the custom event `model-restart` names the messages that are void.
 *
 * @throws ConfigurationError `OPTION_INVALID`
 */
export function toAgUi(run: RunSource, options: AgUiOptions = {}): ReadableStream<Uint8Array> {
  checkSource("toAgUi()", run);
  const settings = checkOptions("toAgUi()", options, AG_UI_TABLE);
  return byteStream(run, new RunWriter(new AgUiProtocol(run, settings)), settings);
}
