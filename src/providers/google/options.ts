import {
  byDefault,
  FLAG,
  numberFrom,
  type OptionTable,
  oneOf,
  optionOf,
  required,
  STRING,
  tableOf,
  withMethods,
} from "../../json/check-options.js";
import { isObject } from "../../json/is-object.js";
import { CONNECTION_OPTIONS, type ConnectionOptions } from "../shared/http/connection-options.js";
import type { GoogleClient, GoogleThinking } from "./wire.js";

/** Options of `google()`. */
export interface GoogleOptions extends ConnectionOptions {
  /** E.g. `"gemini-3-pro"`. */
  readonly model: string;
  /** Default: `GEMINI_API_KEY`, else `GOOGLE_API_KEY`. Not needed with a `baseURL` of your own, or an `authorization` header. */
  readonly apiKey?: string | undefined;
  /**
   * With or without its version (`/v1beta`). Default: `GOOGLE_GEMINI_BASE_URL`, else the Gemini API. For Vertex AI the
   * address up to `/publishers/google`, with an access token as `authorization` header.
   */
  readonly baseURL?: string | undefined;
  /** A ready client of the SDK; then `apiKey`, `baseURL` and `fetch` are its own business. */
  readonly client?: GoogleClient | undefined;
  /** Recorded with each message and looked up in price tables. Default: `"google"`. */
  readonly id?: string | undefined;
  /** The thinking of requests that say nothing about `reasoning`. Default: left out, and the model decides. */
  readonly thinking?: GoogleThinking | undefined;
}

const THINKING = {
  includeThoughts: FLAG,
  thinkingBudget: numberFrom(-1, "tokens"),
  thinkingLevel: oneOf("minimal", "low", "medium", "high"),
} satisfies OptionTable<GoogleThinking>;

/** The rules of the options, and their defaults. */
export const GOOGLE_OPTIONS = {
  ...CONNECTION_OPTIONS,
  id: byDefault("google", STRING),
  model: required(STRING),
  client: optionOf(isClient, "a client with models.generateContentStream()"),
  thinking: tableOf(THINKING),
} satisfies OptionTable<GoogleOptions>;

function isClient(value: unknown): boolean {
  return isObject(value) && withMethods("generateContentStream").accepts(value.models);
}
