import { setMaxListeners } from "node:events";
import { ToolError } from "../../contracts/errors.js";
import type { CommandOutcome, CommandRequest, CommandRunner } from "../../contracts/workspace.js";

/**
 * A runner that can be closed: every command it runs is aborted then, and others are refused.
 *
 * `close` resolves when all have settled, and what is to be done after each.
 */
export function closableRunner(
  run: (request: CommandRequest & { readonly signal: AbortSignal }) => Promise<CommandOutcome>,
): Required<CommandRunner> & { close(): Promise<void> } {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const running = new Set<Promise<CommandOutcome>>();
  const works: Parameters<Required<CommandRunner>["afterEach"]>[0][] = [];
  // What is done after a command is no command of this runner: nothing is done after it, and it runs while this is closed.
  const runApart: CommandRunner["run"] = (request) => run({ signal: new AbortController().signal, ...request });

  async function start(request: CommandRequest): Promise<CommandOutcome> {
    const signal = request.signal ? AbortSignal.any([request.signal, closing.signal]) : closing.signal;
    signal.throwIfAborted();
    try {
      return await run({ ...request, signal });
    } finally {
      for (const work of works) await work(runApart);
    }
  }

  return {
    run(request) {
      const outcome = start(request);
      running.add(outcome);
      const forget = () => running.delete(outcome);
      outcome.then(forget, forget);
      return outcome;
    },
    afterEach: (work) => void works.push(work),
    async close() {
      closing.abort(
        new ToolError("COMMAND_FAILED", { message: "The shell was closed. Open a workspace to run commands." }),
      );
      await Promise.allSettled(running);
    },
  };
}
