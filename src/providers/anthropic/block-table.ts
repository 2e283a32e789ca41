// Serves: gateways to Anthropic that count blocks wrongly. By the protocol an index is open once: a start said twice is one block.
import type { Fields } from "../../json/is-object.js";
import { MAX_PARTS, tooMany } from "../shared/failures/too-many.js";
import type { OpenBlock } from "./open-blocks.js";

type Kind = OpenBlock["kind"];
/** The blocks under way, by their index. */
export class BlockTable {
  readonly #blocks = new Map<unknown, OpenBlock>();
  /** The start of the block at each index. */
  readonly #starts = new Map<unknown, string>();
  /** The kind of the latest block at each index. */
  readonly #kinds = new Map<unknown, Kind>();
  #begun = 0;

  constructor(private readonly provider: string) {}

  /** The number of blocks that have begun so far. */
  get begun(): number {
    return this.#begun;
  }

  get isEmpty(): boolean {
    return this.#blocks.size === 0;
  }

  /** Whether the block under way at this index began in the same words, and so is this one. A call is known by its id. */
  isRepeated(index: unknown, start: Fields): boolean {
    const isNamed = start.type !== "tool_use" || (typeof start.id === "string" && start.id !== "");
    return isNamed && this.#starts.get(index) === JSON.stringify(start);
  }

  /** @throws ProviderError `RESPONSE_TOO_LARGE` for blocks without end */
  open<Block extends OpenBlock>(index: unknown, start: Fields, block: Block): Block {
    if (++this.#begun > MAX_PARTS) throw tooMany(this.provider, "content blocks");
    this.#blocks.set(index, block);
    this.#starts.set(index, JSON.stringify(start));
    this.#kinds.set(index, block.kind);
    return block;
  }

  /** Takes out the block that is over. */
  close(index: unknown): OpenBlock | undefined {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    this.#starts.delete(index);
    return block;
  }

  /** The block that a delta for one of these kinds is about: that at its index; where there is no such, the latest one. */
  find(index: unknown, ...kinds: readonly Kind[]): OpenBlock | undefined {
    const block = this.#blocks.get(index);
    if (block && kinds.includes(block.kind)) return block;
    const isOver = kinds.includes(this.#kinds.get(index)!);
    return isOver ? undefined : [...this.#blocks.values()].findLast(({ kind }) => kinds.includes(kind));
  }

  sign(index: unknown, signature: unknown): void {
    const block = this.find(index, "thinking");
    if (block?.kind === "thinking" && typeof signature === "string") block.signature = signature;
  }

  /** A delta of a kind that is not known belongs to a block that is not read. */
  addUnknown(index: unknown, delta: Fields): void {
    const block = this.#blocks.get(index);
    if (block?.kind === "opaque") block.block.add(delta);
  }
}
