import { isHarnessError } from "../../../contracts/errors.js";
import type { FileAccess, OpenFile } from "../../../contracts/workspace.js";
import type { BytesRequest, SharedBytes } from "./search-task.js";

/** Unit: bytes. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Reads files for a worker that searches: answers each request through shared memory, where the worker sleeps until then.
 *
 * One request at a time. The file stays open for the next one, until another is asked for or `close`.
 */
export class ByteBridge {
  readonly shared: SharedBytes = {
    state: new SharedArrayBuffer(8),
    bytes: new SharedArrayBuffer(PIECE_BYTES),
  };
  readonly #state = new Int32Array(this.shared.state);
  readonly #piece = new Uint8Array(PIECE_BYTES);
  #file?: { readonly path: string; readonly opened: OpenFile };
  #working: Promise<void> = Promise.resolve();

  constructor(private readonly files: FileAccess) {}

  /** Never rejects for what cannot be read: the worker is reported and goes on. @throws other failures of the `FileAccess` */
  async answer({ bytesOf, position }: BytesRequest): Promise<void> {
    const work = this.#read(bytesOf, position);
    this.#working = work.then(
      () => {},
      () => {},
    );
    this.#reply(await work);
  }

  /** Lets go of the open file, once nobody reads it any more. */
  async close(): Promise<void> {
    await this.#working;
    await this.#file?.opened.close();
    this.#file = undefined;
  }

  /** How many bytes were read; -1 for a file that cannot be. */
  async #read(path: string, position: number): Promise<number> {
    try {
      const file = await this.#open(path);
      // Under this path there is another file by now: a link was put in its place.
      if (file.path !== path) return -1;
      const count = await file.read(this.#piece, position);
      new Uint8Array(this.shared.bytes).set(this.#piece.subarray(0, count));
      return count;
    } catch (error) {
      if (isHarnessError(error)) return -1;
      throw error;
    }
  }

  async #open(path: string): Promise<OpenFile> {
    if (this.#file?.path === path) return this.#file.opened;
    await this.#file?.opened.close();
    this.#file = undefined;
    const opened = await this.files.open(path);
    this.#file = { path, opened };
    return opened;
  }

  #reply(count: number): void {
    this.#state[1] = count;
    Atomics.store(this.#state, 0, 1);
    Atomics.notify(this.#state, 0);
  }
}
