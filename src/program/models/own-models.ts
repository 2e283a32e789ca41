// `~/.loopwright/models.json`: servers and models of the user's own, without a key in the file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ProviderAdapter } from "../../contracts/provider.js";
import { anthropic } from "../../providers/anthropic/anthropic.js";
import { openai } from "../../providers/openai/openai.js";
import type { OpenAIOptions } from "../../providers/openai/options.js";
import type { ModelPrice } from "../../providers/shared/models/model-list.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { UsageError } from "../exit-codes.js";
import { programHome } from "../project/program-home.js";

const NAME = z.string().regex(/^[\w.-]+$/, "is not a name of letters, digits, '.', '_' and '-'");
const TOKENS = z.int().positive();
const PRICE = z.number().min(0);

const MODEL = z.strictObject({
  contextWindow: TOKENS.optional(),
  maxOutputTokens: TOKENS.optional(),
  price: z
    .strictObject({
      inputUsd: PRICE,
      outputUsd: PRICE,
      cacheReadUsd: PRICE.optional(),
      cacheWriteUsd: PRICE.optional(),
    })
    .optional(),
});

const PROVIDER = z.strictObject({
  /** The protocol that the server speaks. */
  api: z.enum(["chat", "responses", "anthropic"]).default("chat"),
  baseURL: z.url({ protocol: /^https?$/ }),
  /** The variable of the environment that holds the key. */
  apiKeyEnv: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  compat: z.record(z.string(), z.json()).optional(),
  models: z.record(z.string(), MODEL).default({}),
});

const FILE = z.strictObject({
  $schema: z.string().optional(),
  providers: z.record(NAME, PROVIDER).default({}),
  aliases: z.record(z.string(), z.string()).default({}),
});

type Environment = Readonly<Record<string, string | undefined>>;

/** The user's own servers, models and names for models. */
export type OwnModels = z.output<typeof FILE>;

export const NO_OWN_MODELS: OwnModels = { providers: {}, aliases: {} };

/** @throws UsageError for a file that is not as it should be, with the place in it */
export function readOwnModels(env: Environment): OwnModels {
  const file = join(programHome(env), "models.json");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return NO_OWN_MODELS;
  }
  const parsed = FILE.safeParse(parseJson(text, file));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const { message } = (issue?.code === "invalid_key" && issue.issues[0]) || issue!;
  throw new UsageError(`"${file}" cannot be used: ${issue!.path.join(".") || "the file"}: ${message}.`);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`"${file}" is not JSON: ${describeThrown(error)}.`);
  }
}

/** @throws UsageError when the server's key is not set; ConfigurationError for options its adapter does not know */
export function connectOwnModel(own: OwnModels, vendor: string, model: string, env: Environment): ProviderAdapter {
  const { api, models, apiKeyEnv, compat, ...connection } = own.providers[vendor]!;
  const { price: _, ...limits } = Object.hasOwn(models, model) ? models[model]! : {};
  const apiKey = apiKeyEnv === undefined ? undefined : env[apiKeyEnv];
  if (apiKeyEnv !== undefined && !apiKey)
    throw new UsageError(`The model ${vendor}/${model} needs a key: set ${apiKeyEnv}.`);
  // A key of another server is none of this one's.
  const common = { id: vendor, model, ...connection, ...limits, apiKey: apiKey ?? "none" };
  if (api === "anthropic") return anthropic(common);
  return openai({ ...common, api, compat: compat as OpenAIOptions["compat"] });
}

/** The models that the file lists, as `vendor/model`. */
export function ownModelNames({ providers, aliases }: OwnModels): string[] {
  const listed = Object.entries(providers).flatMap(([vendor, { models }]) =>
    Object.keys(models).map((model) => `${vendor}/${model}`),
  );
  return [...Object.keys(aliases), ...listed];
}

/** For `createPrices`. */
export function ownPrices({ providers }: OwnModels): Record<string, ModelPrice> {
  const priced = Object.entries(providers).flatMap(([vendor, { models }]) =>
    Object.entries(models).flatMap(([model, { price }]) => (price ? [[`${vendor}/${model}`, price] as const] : [])),
  );
  return Object.fromEntries(priced);
}
