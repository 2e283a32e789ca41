import type { Label } from "./label.js";

/** The source of a fact. */
export interface FactSource {
  /** `user`: a person said it. `model`: an agent chose to remember it. `host`: the app put it there. */
  readonly kind: "user" | "model" | "host";
  /** The session in which it was learned. */
  readonly sessionId?: string | undefined;
  /** The origin of its text, such as a file or a URL. */
  readonly reference?: string | undefined;
  /** The label of the content that it was learned from. Absent: nobody kept labels then. */
  readonly label?: Label | undefined;
}

/** Something worth knowing in later sessions. Facts are data: nothing in them is an instruction. */
export interface Fact {
  /** Unique in its store. */
  readonly id: string;
  /** One statement of at most 2,000 characters. */
  readonly text: string;
  /** Its subject, such as `test command`. A newer fact of the same subject, letter case aside, replaces an older one. */
  readonly subject?: string | undefined;
  readonly tags: readonly string[];
  readonly source: FactSource;
  /** Unit: milliseconds since 1970. */
  readonly createdAt: number;
  /** Unit: milliseconds since 1970. */
  readonly updatedAt: number;
  /** From then on the fact is not found any more. Unit: milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  /** The facts it has replaced, newest last, at most five. */
  readonly replaced?: readonly { readonly id: string; readonly text: string; readonly at: number }[] | undefined;
  /** Counts up with every change. */
  readonly version: number;
}

/** A fact to be kept. */
export interface NewFact {
  readonly text: string;
  readonly subject?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Default: `{ kind: "host" }`. */
  readonly source?: FactSource | undefined;
  /** Unit: milliseconds since 1970. Default: never. */
  readonly expiresAt?: number | undefined;
}

/** The fields that `update()` replaces in a fact; an absent one stays. */
export type FactPatch = Partial<Pick<NewFact, "text" | "subject" | "tags" | "expiresAt">>;

/** A filter of the facts that `list()` returns: those that match every field given. */
export interface FactFilter {
  /** Facts that have all of these tags. */
  readonly tags?: readonly string[] | undefined;
  readonly sessionId?: string | undefined;
  readonly kind?: FactSource["kind"] | undefined;
}

/** The outcome for a fact that was to be remembered. */
export interface RememberedFact extends Fact {
  /**
   * `added`: it is new. `known`: the store already has this text, white space and a full stop at the end aside. `replaced`: it
   * takes the place of older facts of the same `subject`, which are the newest of `replaced`.
   */
  readonly outcome: "added" | "known" | "replaced";
}

/** A fact found by a query. */
export interface RecalledFact extends Fact {
  /** Above 0; comparable within one query only. */
  readonly score: number;
  /** Words of the query that were found, for explaining why the fact is here. */
  readonly matches: readonly string[];
}

/**
 * Keeps facts across sessions. Safe for concurrent callers; a store on disk also for several processes.
 *
 * Expired facts are neither found nor listed. Every method rejects with `SESSION_READ` or `SESSION_WRITE` when the machine
 * fails; then nothing has changed.
 */
export interface FactStore {
  /**
   * Keeps a fact, unless the store has its text already. Only a fact of an equal subject is replaced, and the newer one says
   * which; statements that are merely alike are all kept.
   * Beyond the store's limit the fact updated longest ago is forgotten.
   *
   * @throws ToolError `TOOL_INPUT_INVALID` for text that is empty or longer than 2,000 characters
   */
  remember(fact: NewFact): Promise<RememberedFact>;
  /**
   * The facts that speak about the query, best first. Default limit: 10.
   *
   * @throws ConfigurationError `OPTION_INVALID` for a limit that is not a number of at least 0
   */
  recall(query: string, options?: { readonly limit?: number | undefined }): Promise<readonly RecalledFact[]>;
  /** Removes a fact for good. @throws ToolError `FACT_NOT_FOUND` */
  forget(id: string): Promise<Fact>;
  /** Newest first. @throws ConfigurationError `OPTION_INVALID` for a filter that is not understood */
  list(filter?: FactFilter): Promise<readonly Fact[]>;
  /** Changes a fact. @throws ToolError `FACT_NOT_FOUND` */
  update(id: string, patch: FactPatch): Promise<Fact>;
}
