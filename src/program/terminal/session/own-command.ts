// `!command`: the person runs a command themselves, in the session's workspace. The gate's deny rules hold, nothing is asked,
// and the model reads the command and what came of it.
import type { EventOf } from "../../../contracts/event.js";
import type { ToolResult } from "../../../contracts/tool-call.js";
import type { TerminalAgent } from "../terminal-agent.js";

/** The description of such a command in the session. */
export const OWN_COMMAND = "The user ran this command themselves.";

/** A command of the person's, as the view shows it. */
export interface OwnCommand {
  readonly call: {
    readonly id: string;
    readonly name: "bash";
    readonly arguments: { readonly command: string; readonly description: string };
  };
  /** Resolves when the command has ended. `onProgress` is called with what it says meanwhile. */
  run(onProgress: (event: EventOf<"tool-progress">) => void): Promise<ToolResult>;
}

/** One command at a time. */
export class OwnCommands {
  #running: AbortController | undefined;
  #callId: string | undefined;
  /** To be run once the agent is done, oldest first. */
  readonly waiting: string[] = [];

  constructor(private readonly show: (command: OwnCommand) => Promise<void>) {}

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Whether a question is about the command under way. Its id is random, so that no model can name a call like it. */
  isAbout(toolCallId: string): boolean {
    return this.isRunning && toolCallId === this.#callId;
  }

  /** Ends the command under way, if there is one. */
  interrupt(): void {
    this.#running?.abort();
  }

  /** The lines with which those that wait were typed; none of them runs. */
  takeWaiting(): readonly string[] {
    return this.waiting.splice(0).map((command) => `!${command}`);
  }

  /** Rejects where the session cannot be kept. */
  async run({ engine }: TerminalAgent, sessionId: string, command: string): Promise<void> {
    const id = `own-${globalThis.crypto.randomUUID()}`;
    this.#callId = id;
    const call = { id, name: "bash", arguments: { command, description: OWN_COMMAND } } as const;
    this.#running = new AbortController();
    const { signal } = this.#running;
    const run: OwnCommand["run"] = async (onProgress) => {
      const listen = (event: EventOf<"tool-progress">) => {
        if (event.toolCallId === id) onProgress(event);
      };
      engine.on("tool-progress", listen);
      return engine.execute(call, { sessionId, signal }).finally(() => engine.off("tool-progress", listen));
    };
    await this.show({ call, run }).finally(() => {
      this.#running = undefined;
    });
  }
}
