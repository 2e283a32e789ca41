// A proxy that loses the server behind it may ask again and send the new answer behind the beginning of the old one. What
// tells it from an answer that repeats itself: the delta that opened the message comes again, from a server that names the
// role once, and either the chunks have another id than all before, or what follows is what followed before.
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
  /** The deltas since the opening came again, while they are what came before. */
  #held: Delta[] | undefined;
  /** Whether the whole message comes again. */
  #isOver = false;
  /** The id of the chunks so far, and whether they all have it. */
  #id: unknown;
  #isOneId = true;

  constructor(private readonly provider: string) {}

  /**
   * Whether to wait with this delta of the chunk with this id: it may be the beginning again. `hasFinished`: whether the
   * message is whole; then what comes again is not taken.
   *
   * @throws ProviderError `STREAM_BROKEN` once it is the beginning, in the middle of the message
   */
  holds(delta: Delta, id: unknown, hasFinished: boolean): boolean {
    if (this.#isOver) return true;
    if (this.#held) return this.#goesOn(this.#held, delta, hasFinished);
    if (this.#opening === undefined) {
      this.#opening = typeof delta.role === "string" ? JSON.stringify(delta) : "";
      this.#id = id;
      return false;
    }
    if (this.#opening === "") return false;
    if ((this.#isRoleRare || hasFinished) && this.#first !== "" && this.#isOpening(delta)) {
      if (this.#isOneId && this.#id && id && id !== this.#id) return this.#begin(hasFinished);
      this.#held = [delta];
      this.#again = "";
      return true;
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

  /** It is the beginning of a message, behind this one or in it. */
  #begin(hasFinished: boolean): boolean {
    if (!hasFinished) throw begunAgain(this.provider);
    this.#isOver = true;
    this.#held = undefined;
    return true;
  }

  #goesOn(held: Delta[], delta: Delta, hasFinished: boolean): boolean {
    this.#again += saidIn(delta);
    const [first, again] = [this.#first, this.#again];
    const isSame = again === first || (first.length >= COMPARED_CHARS && again.startsWith(first));
    if (isSame) return this.#begin(hasFinished);
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
