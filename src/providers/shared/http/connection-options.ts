// The options that every adapter over HTTP shares: key, address, `fetch`, headers, windows.
import { ConfigurationError } from "../../../contracts/errors.js";
import { FUNCTION, numberFrom, type OptionTable, optionOf, STRING, secret } from "../../../json/check-options.js";
import { HTTP_URL, isHttpUrl } from "./base-url.js";
import type { Fetch } from "./connection.js";
import { readEnvironment } from "./read-environment.js";

/** The options that all adapters share. */
export interface ConnectionOptions {
  readonly apiKey?: string | undefined;
  readonly baseURL?: string | undefined;
  /** Used instead of the platform's `fetch`, or of what stands in for it on Node: a proxy, a recorder, a browser extension's. */
  readonly fetch?: Fetch | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Recorded with each message and looked up in price tables. */
  readonly id?: string | undefined;
  /** Unit: tokens. Default: from the table of well-known models, when it has this one. */
  readonly contextWindow?: number | undefined;
  /** The model's own limit. Unit: tokens. Default: from the table of well-known models, when it has this one. */
  readonly maxOutputTokens?: number | undefined;
}

/** For `checkOptions`: spread it into an adapter's own table. */
export const CONNECTION_OPTIONS = {
  apiKey: secret(optionOf(isHeaderValue, "a key: characters that fit into an HTTP header")),
  baseURL: secret(optionOf(isHttpUrl, HTTP_URL)),
  fetch: FUNCTION,
  headers: secret(optionOf(areHeaders, "strings by header name, which fit into an HTTP header")),
  id: STRING,
  contextWindow: numberFrom(1, "tokens"),
  maxOutputTokens: numberFrom(1, "tokens"),
} satisfies OptionTable<ConnectionOptions>;

/**
 * The variable's address, checked; `undefined` when it is not set.
 *
 * @throws ConfigurationError `OPTION_INVALID` when it is not an http(s) URL; its value is not repeated
 */
export function readEnvironmentURL(variable: string): string | undefined {
  const value = readEnvironment(variable);
  if (value === undefined || isHttpUrl(value)) return value;
  const message = `The variable ${variable} is not usable; expected ${HTTP_URL}.`;
  throw new ConfigurationError("OPTION_INVALID", { message, details: { option: "baseURL" } });
}

/**
 * The key of the first variable that is set; `undefined` when none is.
 *
 * @throws ConfigurationError `OPTION_INVALID` when it cannot be a header; its value is not repeated
 */
export function readEnvironmentKey(...variables: readonly string[]): string | undefined {
  for (const variable of variables) {
    const value = readEnvironment(variable);
    if (value === undefined) continue;
    if (isHeaderValue(value)) return value;
    const message = `The variable ${variable} holds characters that do not fit into an HTTP header. Check for line breaks and quotes that are not plain.`;
    throw new ConfigurationError("OPTION_INVALID", { message, details: { option: "apiKey" } });
  }
  return undefined;
}

/** The headers with names in lower case: a host's `Authorization` replaces ours, however it is written. */
export function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The values among the headers that must not appear in messages. */
export function secretsIn(headers: Readonly<Record<string, string>> = {}): string[] {
  const isSecret = (name: string) => /auth|key|token|secret|cookie/i.test(name);
  return Object.entries(headers).flatMap(([name, value]) => (isSecret(name) ? [value, value.split(" ").at(-1)!] : []));
}

/** Printable ASCII: `fetch` refuses the rest with a message that quotes it. */
function isHeaderValue(value: unknown): boolean {
  return typeof value === "string" && /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(value);
}

function areHeaders(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([name, one]) =>
      /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && typeof one === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(one),
  );
}
