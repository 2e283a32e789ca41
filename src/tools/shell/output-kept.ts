import { PassThrough } from "node:stream";
import type { ArtifactRef, ArtifactStore } from "../../contracts/workspace.js";
import { OutputWindow } from "./output-window.js";

/** The part of one artifact that a store keeps; also the part collected for one that cannot be streamed to. */
export const ARTIFACT_BYTES = 64 * 1024 * 1024;
/** Up to here nothing goes to disk: most outputs are short and need no artifact. */
const HELD_BYTES = 1024 * 1024;
/** May wait for the store before the command has to. */
const WAITING_BYTES = 1024 * 1024;

/** The place of an output, or the reason why it was not kept. */
export type Kept = ArtifactRef | { readonly problem: string };

/** Streams an output to the artifact store once it is long. A store that fails costs the output, never the command. */
export class KeptOutput {
  #held: OutputWindow | undefined = new OutputWindow(ARTIFACT_BYTES);
  #stream: { readonly input: PassThrough; readonly ref: Promise<ArtifactRef> } | undefined;

  constructor(
    private readonly store: ArtifactStore | undefined,
    private readonly sessionId: string,
  ) {}

  /** A promise while the store is slower than the command. */
  write(chunk: Uint8Array): void | Promise<void> {
    if (!this.store) return;
    if (this.#stream) return pass(chunk, this.#stream.input);
    this.#held!.write(chunk);
    if (this.#held!.bytes > HELD_BYTES && this.store.putStream) return this.#startStream();
  }

  /** Ends the output. Write no more. */
  async end(): Promise<Kept> {
    if (!this.store) return { problem: "it was not kept, because there is no artifact store" };
    this.#stream?.input.end();
    try {
      return await (this.#stream?.ref ?? this.store.put(this.#held!.end().kept, this.#about));
    } catch (error) {
      return { problem: `it could not be kept: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  /** Ends the output and keeps nothing of it. */
  async discard(): Promise<void> {
    this.#stream?.input.destroy(new Error("The output is no longer wanted."));
    await this.#stream?.ref.catch(() => undefined);
  }

  #startStream(): void | Promise<void> {
    const input = new PassThrough({ highWaterMark: WAITING_BYTES });
    // A reader gets the error; there may be none yet.
    input.on("error", () => undefined);
    const ref = this.store!.putStream!(input, this.#about);
    // Reported at the end; until then a store that has failed just takes no more.
    ref.catch(() => input.destroy());
    this.#stream = { input, ref };
    const { kept } = this.#held!.end();
    this.#held = undefined;
    return pass(kept, input);
  }

  get #about() {
    return { sessionId: this.sessionId, mediaType: "text/plain" };
  }
}

function pass(chunk: Uint8Array, input: PassThrough): void | Promise<void> {
  if (input.destroyed || input.write(chunk)) return;
  return new Promise((resolve) => {
    const done = () => {
      input.off("drain", done).off("close", done);
      resolve();
    };
    input.on("drain", done).on("close", done);
  });
}
