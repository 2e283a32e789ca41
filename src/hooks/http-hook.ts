import type { Hook, HookPoint } from "../contracts/hook.js";
import {
  checkOptions,
  listOf,
  type OptionTable,
  optionOf,
  PATH,
  recordOf,
  required,
  secret,
  TEXT,
} from "../json/check-options.js";
import { FILTER_OPTIONS, type FilteredHookOptions, filteredHook } from "./filtered-hook.js";
import { toWire, WIRE_OPTIONS, type WireContext } from "./hook-input-json.js";
import { answerOfText, askedOf } from "./hook-output.js";

const DEFAULT_TIMEOUT_MS = 600_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Options of `httpHook()`. */
export interface HttpHookOptions extends WireContext, FilteredHookOptions {
  /** The address to which the event is posted as JSON. `http:` or `https:`, without a user name and a password. */
  readonly url: string;
  /** Sent with it. `$NAME` and `${NAME}` are filled in for the names in `allowedEnvVars`, and empty for others. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Names of the variables that `headers` may use. Default: none. */
  readonly allowedEnvVars?: readonly string[] | undefined;
  /** The source of their values. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Unit: milliseconds. Default: 600_000. */
  readonly timeoutMs?: number | undefined;
  /**
   * The meaning of a failed request or another status than 2xx. Default: `continue`; an answer that cannot be read blocks
   * at the points that guard.
   */
  readonly onFailure?: "block" | "continue" | undefined;
}

export const HOOK_URL = "an http or https address without a user name and a password, which belong in headers";

const OPTIONS = {
  url: required(secret(optionOf((value) => typeof value === "string" && isHookUrl(value), HOOK_URL))),
  headers: secret(recordOf(TEXT, "strings by name")),
  allowedEnvVars: listOf(TEXT, "names"),
  env: optionOf((value) => typeof value === "object" && value !== null, "an object of strings by name"),
  dir: required(PATH),
  ...WIRE_OPTIONS,
  ...FILTER_OPTIONS,
} satisfies OptionTable<HttpHookOptions>;

/**
 * A hook that is a web service: it gets the event by POST and answers 2xx with the same JSON as a command, or with
 * nothing. Redirects are not followed; at most 1 MiB of the answer is read.
 *
 * @throws ConfigurationError `OPTION_INVALID` for an address or a matcher that is not one
 */
export function httpHook<P extends HookPoint = HookPoint>(options: HttpHookOptions): Hook<P> {
  checkOptions("httpHook()", options, OPTIONS);
  const { timeoutMs = DEFAULT_TIMEOUT_MS, env = process.env, allowedEnvVars = [] } = options;
  const filled = (value: string) =>
    value.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_all, braced?: string, bare?: string) => {
      const variable = braced ?? bare ?? "";
      return allowedEnvVars.includes(variable) ? (env[variable] ?? "") : "";
    });
  const headers = new Headers();
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, asHeaderValue(filled(value)));
  headers.set("content-type", "application/json");
  // The way and the query of an address may be a secret, as those of many webhooks are.
  const { origin } = new URL(options.url);

  return filteredHook(options, { timeoutMs, onFailure: options.onFailure ?? "continue" }, async (input, signal) => {
    const body = JSON.stringify(toWire(input, options));
    const request = fetch(options.url, { method: "POST", headers, body, redirect: "manual", signal });
    const response = await request.catch((error: Error) => {
      throw new Error(`"${origin}" could not be asked`, { cause: codeOf(error) });
    });
    const text = await readBounded(response);
    if (!response.ok) throw new Error(`"${origin}" answered with status ${response.status}`);
    return answerOfText(text, askedOf(input));
  });
}

/** `fetch` names an address that it refuses in full, with its password: so it is not given such an address. */
export function isHookUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && username === "" && password === "";
}

/** `fetch` says why in its error's cause. */
function codeOf({ name, cause }: Error): string {
  return String((cause as { code?: unknown } | undefined)?.code ?? name);
}

/** A character that a header cannot hold is left out: a line break adds no header, and no error comes up that names the value. */
function asHeaderValue(value: string): string {
  return value.replace(/[^\t\u0020-\u007e\u0080-\u00ff]/g, "");
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
