import type { JsonObject } from "../../contracts/json.js";
import { ANYTHING, checkOptions, numberFrom, type OptionTable, recordOf, STRING } from "../../json/check-options.js";
import { CONNECTION_OPTIONS } from "../shared/http/connection-options.js";

/** Options of `aiSdk()`. */
export interface AiSdkOptions {
  /** Recorded with each message and looked up in price tables. Default: the model's `provider`, such as `"openai.chat"`. */
  readonly id?: string | undefined;
  /** Unit: tokens. Default: from the table of well-known models, when it has this one. */
  readonly contextWindow?: number | undefined;
  /** The model's own limit. Unit: tokens. Default: from the table of well-known models, when it has this one. */
  readonly maxOutputTokens?: number | undefined;
  /** Sent with every request, where the provider sends headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Options by vendor, passed with every call; those of a run win. */
  readonly providerOptions?: Readonly<Record<string, JsonObject>> | undefined;
}

const OPTIONS = {
  id: STRING,
  contextWindow: numberFrom(1, "tokens"),
  maxOutputTokens: numberFrom(1, "tokens"),
  headers: CONNECTION_OPTIONS.headers,
  providerOptions: recordOf(recordOf(ANYTHING, "options"), "options by vendor"),
} satisfies OptionTable<AiSdkOptions>;

/** @throws ConfigurationError `OPTION_INVALID` that names the first wrong option */
export function checkAiSdkOptions(options: AiSdkOptions): void {
  checkOptions("aiSdk()", options, OPTIONS);
}
