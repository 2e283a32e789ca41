import { setMaxListeners } from "node:events";
import { ToolError } from "../../contracts/errors.js";
import type { CommandOutcome, CommandRequest, CommandRunner } from "../../contracts/workspace.js";

/**
 * A runner that can be closed: every command it runs is aborted then, and others are refused.
 *
 * `close` resolves when all have settled.
 */
export function closableRunner(
  run: (request: CommandRequest & { readonly signal: AbortSignal }) => Promise<CommandOutcome>,
): CommandRunner & { close(): Promise<void> } {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const running = new Set<Promise<CommandOutcome>>();

  async function start(request: CommandRequest): Promise<CommandOutcome> {
    const signal = request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal;
    signal.throwIfAborted();
    return run({ ...request, signal });
  }

  return {
    run(request) {
      const outcome = start(request);
      running.add(outcome);
      const forget = () => running.delete(outcome);
      outcome.then(forget, forget);
      return outcome;
    },
    async close() {
      closing.abort(
        new ToolError("COMMAND_FAILED", { message: "The shell was closed. Open a workspace to run commands." }),
      );
      await Promise.allSettled(running);
    },
  };
}
