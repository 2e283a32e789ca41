// Content blocks under way.

import type { JsonObject } from "../../contracts/json.js";
import type { ToolCall } from "../../contracts/tool-call.js";
import type { Fields } from "../../json/is-object.js";
import { MAX_KEPT_CHARS } from "../shared/failures/too-many.js";
import { type ReadInput, ToolInput } from "../shared/tool-input.js";

/** A block under way. */
export type OpenBlock =
  | { readonly kind: "text" }
  | { readonly kind: "thinking"; signature: string | undefined }
  | { readonly kind: "call"; readonly call: OpenToolUse }
  | { readonly kind: "opaque"; readonly block: OpaqueBlock };

/** A call whose arguments arrive. */
export class OpenToolUse {
  readonly input = new ToolInput();
  isOver = false;
  #hasStub = false;

  constructor(
    readonly index: number,
    readonly id: string,
    readonly name: string,
    /** Arguments that came with the start of the block; they count when no deltas follow. */
    readonly start: ReadInput,
    /** The round-trip data of the program that has called. */
    readonly by: JsonObject | undefined,
  ) {}

  /**
   * Adds a piece of the arguments; says whether it counts. Some gateways send the empty object of the block's start as the
   * first piece, in front of the arguments.
   */
  add(json: string): boolean {
    if (this.input.isEmpty && /^\s*\{\s*\}\s*$/.test(json)) {
      this.#hasStub = true;
      return false;
    }
    this.input.add(json);
    return true;
  }

  get hasArguments(): boolean {
    const { arguments: given, malformed } = this.start;
    return !this.input.isEmpty || malformed !== undefined || JSON.stringify(given) !== "{}";
  }

  /** The arguments; without any, none were needed, unless `wasCut` says that they never came. */
  read(wasCut: boolean): ReadInput & Pick<ToolCall, "caller"> {
    const read = this.input.isEmpty && this.hasArguments ? this.start : this.input.read(wasCut && !this.#hasStub);
    return this.by ? { ...read, caller: "program" } : read;
  }
}

/** A block that only the vendor understands: it is kept whole, to go back unread. */
export class OpaqueBlock {
  readonly #input = new ToolInput();
  #block: JsonObject;
  #isWhole: boolean;

  constructor(block: Fields) {
    this.#block = block as JsonObject;
    this.#isWhole = JSON.stringify(block).length <= MAX_KEPT_CHARS;
  }

  addInput(json: string): void {
    this.#input.add(json);
  }

  /** A delta of another kind. That of a compaction holds the block's final fields; what another one adds is not known. */
  add({ type, ...fields }: Fields): void {
    if (type === `${String(this.#block.type)}_delta` && type === "compaction_delta") {
      this.#block = { ...this.#block, ...(fields as JsonObject) };
    } else this.#isWhole = false;
  }

  /** The block as it goes back; `undefined` when not all of it is known. */
  end(): JsonObject | undefined {
    const read = this.#input.read();
    if (!this.#isWhole || read.malformed !== undefined) return undefined;
    return this.#input.isEmpty ? this.#block : { ...this.#block, input: read.arguments };
  }
}
