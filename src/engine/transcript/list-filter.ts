// What a list of sessions may be asked for, the same in every store: a limit that is no number lists nothing, silently.
import { checkOptions, optionOf, TEXT } from "../../json/check-options.js";

const FILTER = {
  prefix: TEXT,
  limit: optionOf((value) => typeof value === "number" && !Number.isNaN(value), "a number of sessions to list at most"),
};

/** What `SessionStore.list` takes, with its defaults. */
export interface ListFilter {
  readonly prefix: string;
  /** Not negative. */
  readonly limit: number;
}

/** @throws ConfigurationError `OPTION_INVALID` for an unknown option, or another `prefix` or `limit` */
export function readListFilter(filter: { readonly prefix?: string; readonly limit?: number } = {}): ListFilter {
  checkOptions("sessions.list()", filter, FILTER);
  const { prefix = "", limit = Number.POSITIVE_INFINITY } = filter;
  return { prefix, limit: Math.max(0, limit) };
}
