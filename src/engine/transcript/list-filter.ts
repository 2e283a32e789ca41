// The filter of a list of sessions, the same in every store: a limit that is no number lists nothing, silently.
import { byDefault, checkOptions, optionOf, TEXT } from "../../json/check-options.js";

const FILTER = {
  prefix: byDefault("", TEXT),
  limit: byDefault(
    Number.POSITIVE_INFINITY,
    optionOf((value) => typeof value === "number" && !Number.isNaN(value), "a number of sessions to list at most"),
  ),
};

/** The filter that `SessionStore.list` takes, with its defaults. */
export interface ListFilter {
  readonly prefix: string;
  /** Not negative. */
  readonly limit: number;
}

/** @throws ConfigurationError `OPTION_INVALID` for an unknown option, or another `prefix` or `limit` */
export function readListFilter(filter: { readonly prefix?: string; readonly limit?: number } = {}): ListFilter {
  const { prefix, limit } = checkOptions("sessions.list()", filter, FILTER);
  return { prefix, limit: Math.max(0, limit) };
}
