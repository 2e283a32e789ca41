import type { AssistantMessage } from "../../../contracts/message.js";
import { portableCallId } from "../../shared/request/portable-names.js";

/** The ids that Mistral takes. */
const SHORT_ID = /^[a-zA-Z0-9]{9}$/;

/** Kimi numbers the calls of a conversation; the engine adds a suffix to an id that is used again. */
const NUMBERED_ID = /^(functions\.[\w.-]+:\d+)-\d+$/;

/** The call ids of a history: the server's own go back as they came, others in an alphabet that all accept. */
export class CallIds {
  /** The ids of this server's calls. */
  readonly #own = new Set<string>();

  constructor(private readonly wording: { readonly provider: string; readonly shortCallIds: boolean }) {}

  /** The id of a call in an assistant message. */
  announce(id: string, { provider }: AssistantMessage): string {
    if (provider === this.wording.provider) this.#own.add(id);
    return this.of(id);
  }

  /** The id of a result. */
  of(id: string): string {
    if (this.wording.shortCallIds) return SHORT_ID.test(id) ? id : shortId(id);
    return this.#own.has(id) ? id.replace(NUMBERED_ID, "$1") : portableCallId(id);
  }
}

/** Nine digits and letters that depend on the id alone. */
function shortId(id: string): string {
  let [a, b] = [0x811c9dc5, 0x9dc5811c];
  for (let i = 0; i < id.length; i++) {
    a = Math.imul(a ^ id.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ id.charCodeAt(i), 0x01000193);
  }
  return ((a >>> 0).toString(36) + (b >>> 0).toString(36)).padStart(9, "0").slice(-9);
}
