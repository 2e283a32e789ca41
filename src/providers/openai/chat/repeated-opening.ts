// Serves: proxies that lose the server behind them, ask again, and send the new answer behind the beginning of the old one.
// By the protocol every chunk of an answer has the same id, and nothing of it follows its finish reason: an opening delta
// under another id is another message, and one behind the end is not taken when it says what was said.
import { begunAgain } from "../../shared/failures/begun-again.js";
import type { Delta } from "./wire.js";

/** How much is compared; an answer that has not said as much by then is compared whole. Unit: characters. */
const COMPARED_CHARS = 40;

const NOTHING: readonly Delta[] = [];

/** Watches the deltas of one message for its beginning. */
export class RepeatedOpening {
  /** The first delta, as JSON; empty when it does not name the role. */
  #opening: string | undefined;
  /** What was said first behind it, and what is said since it came again. */
  #first = "";
  #again = "";
  /** Whether the role is named at the beginning alone. */
  #isRoleRare = false;
  /** The deltas since the opening came again behind the end, while they are what came before. */
  #held: Delta[] | undefined;
  /** Whether what comes is another message, behind the end of this one. */
  #isOver = false;
  /** The id of the chunks so far, and whether they all have it. */
  #id: unknown;
  #isOneId = true;

  constructor(private readonly provider: string) {}

  /**
   * Whether to wait with this delta of the chunk with this id: it may be the beginning again. `hasFinished`: whether the
   * message is whole; then what comes again is not taken.
   *
   * @throws ProviderError `STREAM_BROKEN` for the beginning of another message in the middle of this one
   */
  holds(delta: Delta, id: unknown, hasFinished: boolean): boolean {
    if (this.#isOver) return true;
    if (this.#held) return this.#goesOn(this.#held, delta);
    if (this.#opening === undefined) {
      this.#opening = typeof delta.role === "string" ? JSON.stringify(delta) : "";
      this.#id = id;
      return false;
    }
    if (this.#opening === "") return false;
    if ((this.#isRoleRare || hasFinished) && this.#first !== "" && this.#isOpening(delta)) {
      if (this.#isOneId && this.#id && id && id !== this.#id) {
        if (!hasFinished) throw begunAgain(this.provider);
        this.#isOver = true;
        return true;
      }
      if (hasFinished) {
        this.#held = [delta];
        this.#again = "";
        return true;
      }
    }
    this.#isOneId &&= id === this.#id;
    this.#isRoleRare ||= typeof delta.role !== "string";
    if (this.#first.length < COMPARED_CHARS) this.#first += saidIn(delta);
    return false;
  }

  /** The deltas that were waited with, when they are not the beginning again. */
  release(): readonly Delta[] {
    const held = this.#held ?? NOTHING;
    this.#held = undefined;
    return held;
  }

  #isOpening(delta: Delta): boolean {
    return typeof delta.role === "string" && this.#opening === JSON.stringify(delta);
  }

  #goesOn(held: Delta[], delta: Delta): boolean {
    this.#again += saidIn(delta);
    const [first, again] = [this.#first, this.#again];
    if (again === first || (first.length >= COMPARED_CHARS && again.startsWith(first))) {
      this.#isOver = true;
      this.#held = undefined;
      return true;
    }
    if (!first.startsWith(again)) return false;
    held.push(delta);
    return true;
  }
}

/** All that a delta says beside the role, however it is cut. */
function saidIn(delta: Delta): string {
  let said = "";
  for (const field in delta) {
    const value = delta[field as keyof Delta];
    if (field === "role" || value == null || (Array.isArray(value) && value.length === 0)) continue;
    said += typeof value === "string" ? value : JSON.stringify(value);
  }
  return said;
}
