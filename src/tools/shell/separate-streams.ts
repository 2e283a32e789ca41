import type { CommandRequest } from "../../contracts/workspace.js";
import { shownOutput } from "./format-output.js";
import { OutputWindow, SHOWN_BYTES } from "./output-window.js";

/** The output of a command on each of its streams, kept apart and bounded. */
export class SeparateStreams {
  readonly #stdout = new OutputWindow(SHOWN_BYTES);
  readonly #stderr = new OutputWindow(SHOWN_BYTES);

  /** The consumers of a command whose whole output goes on to `both`. */
  readBy(both: (chunk: Uint8Array) => unknown): Required<Pick<CommandRequest, "onOutput" | "onError">> {
    return {
      onOutput: (chunk) => {
        this.#stdout.write(chunk);
        return both(chunk);
      },
      onError: (chunk) => {
        this.#stderr.write(chunk);
        return both(chunk);
      },
    };
  }

  /** Call once, when the command has ended. */
  shown(): { readonly stdout: string; readonly stderr: string } {
    const text = (stream: OutputWindow) => shownOutput(stream.end(), "the whole output has it");
    return { stdout: text(this.#stdout), stderr: text(this.#stderr) };
  }
}
