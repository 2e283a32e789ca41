import type { OpenFile } from "../../contracts/workspace.js";
import type { LineIndex } from "./line-reader.js";

const MAX_FILES = 32;
/** A file changed again so soon may carry the same time. Unit: milliseconds. */
const CLOCK_TICK_MS = 50;

/** The line indexes of the files read last, each for one state of its file. */
export class LineIndexes {
  readonly #indexes = new Map<string, { readonly version: string; readonly index: LineIndex }>();

  /** The index of the file as it was opened; a fresh one when it is not known in this state. */
  of({ path, stat }: OpenFile, create: () => LineIndex): LineIndex {
    const known = this.#indexes.get(path);
    const index = known?.version === stat.version ? known.index : create();
    this.#indexes.delete(path);
    if (Date.now() - stat.mtimeMs < CLOCK_TICK_MS) return index;
    this.#indexes.set(path, { version: stat.version, index });
    const [oldest] = this.#indexes.keys();
    if (this.#indexes.size > MAX_FILES && oldest !== undefined) this.#indexes.delete(oldest);
    return index;
  }
}
