// The model the program talks to: the one that is asked for, or the first vendor's that has a key.
import type { ProviderAdapter } from "../../contracts/provider.js";
import { anthropic } from "../../providers/anthropic/anthropic.js";
import { google } from "../../providers/google/google.js";
import { compatProfiles } from "../../providers/openai/compat-profiles.js";
import { openai } from "../../providers/openai/openai.js";
import { listedModels } from "../../providers/shared/models/model-list.js";
import { nearestNames } from "../../text/nearest-names.js";
import { UsageError } from "../exit-codes.js";
import { isLoopback } from "./local-servers.js";
import { connectOwnModel, NO_OWN_MODELS, type OwnModels, ownModelNames } from "./own-models.js";

type Environment = Readonly<Record<string, string | undefined>>;

interface Vendor {
  /** Without a wish of the user's. */
  readonly model: string;
  /** Any of these in the environment makes the vendor usable. */
  readonly variables: readonly string[];
  /** Names of models that are known to be the vendor's without saying so. */
  readonly named: RegExp;
  connect(model: string): ProviderAdapter;
}

/** In the order in which keys are looked for. */
const VENDORS: Readonly<Record<string, Vendor>> = {
  anthropic: {
    model: "claude-sonnet-5",
    variables: ["ANTHROPIC_API_KEY"],
    named: /^claude-/,
    connect: (model) => anthropic({ model }),
  },
  openai: {
    model: "gpt-5.1",
    variables: ["OPENAI_API_KEY", "OPENAI_BASE_URL"],
    named: /^(gpt-|o\d|chatgpt-)/,
    connect: (model) => openai({ model }),
  },
  google: {
    model: "gemini-2.5-pro",
    variables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    named: /^gemini-/,
    connect: (model) => google({ model }),
  },
};

/** The names that settings files and agent files give models of Anthropic's. */
const NICKNAMES: Readonly<Record<string, string>> = {
  sonnet: "anthropic/claude-sonnet-5",
  opus: "anthropic/claude-opus-5-5",
  haiku: "anthropic/claude-haiku-4-5",
};

/** Servers that speak OpenAI's protocol, each with its own address and key. */
const SERVERS: Readonly<Record<string, { readonly apiKeyEnv: string; readonly baseURL: string }>> = compatProfiles;

/**
 * The model to use, as `vendor/model`: the first of these wishes that is one, then the first vendor's that has a key.
 *
 * @throws UsageError when there is neither
 */
export function chooseModel(wishes: readonly (string | undefined)[], env: Environment, own = NO_OWN_MODELS): string {
  const wish = wishes.find((each) => each !== undefined && each.trim() !== "");
  if (wish !== undefined) return fullName(wish.trim(), env, own);
  if (env.OPENAI_BASE_URL && !env.OPENAI_API_KEY && !env.ANTHROPIC_API_KEY) {
    throw new UsageError(
      `OPENAI_BASE_URL is set to a server of your own, and only you know its models. Name one: --model openai/<model>, or LOOPWRIGHT_MODEL=openai/<model>.`,
    );
  }
  const found = Object.entries(VENDORS).find(([, vendor]) => hasKey(vendor.variables, env));
  if (found) return `${found[0]}/${found[1].model}`;
  throw new UsageError(NO_MODEL);
}

const NO_MODEL = `There is no model to talk to. Set a key, for example:

  export ANTHROPIC_API_KEY=…     for Claude
  export OPENAI_API_KEY=…        for GPT
  export GEMINI_API_KEY=…        for Gemini

or point OPENAI_BASE_URL at a server of your own and name its model with --model openai/<model>.
To see the agent at work without a key, run: loopwright demo`;

/** @throws UsageError for a model whose vendor is not known, or has no key */
export function connectModel(name: string, env: Environment, own = NO_OWN_MODELS): ProviderAdapter {
  const [vendor = "", model] = partsOf(fullName(name, env, own));
  if (Object.hasOwn(own.providers, vendor)) return connectOwnModel(own, vendor, model, env);
  if (Object.hasOwn(VENDORS, vendor)) {
    const { variables, connect } = VENDORS[vendor]!;
    if (!hasKey(variables, env)) throw noKey(`${vendor}/${model}`, variables);
    return connect(model);
  }
  const profile = SERVERS[vendor]!;
  if (!isLoopback(profile.baseURL) && !env[profile.apiKeyEnv]) throw noKey(`${vendor}/${model}`, [profile.apiKeyEnv]);
  return openai({ ...profile, model });
}

/** The models that can be switched to with the keys that are there. */
export function modelNames(env: Environment, own = NO_OWN_MODELS): string[] {
  const usable = Object.entries(VENDORS).filter(([, { variables }]) => hasKey(variables, env));
  const known = usable.flatMap(([vendor, { model }]) => {
    const listed = listedModels(vendor).map(({ names }) => names[0]!);
    return [...new Set([model, ...listed])].map((name) => `${vendor}/${name}`);
  });
  return [...new Set([...ownModelNames(own), ...known])];
}

/** The provider for the model that an agent file names; `undefined` when there is not one. */
export function findModel(name: string, env: Environment, own = NO_OWN_MODELS): ProviderAdapter | undefined {
  try {
    return connectModel(name, env, own);
  } catch {
    return undefined;
  }
}

/** With its vendor in front. */
function fullName(name: string, env: Environment, own: OwnModels): string {
  // An alias names a model, never another alias.
  if (Object.hasOwn(own.aliases, name)) return fullName(own.aliases[name]!, env, { ...own, aliases: {} });
  if (Object.hasOwn(NICKNAMES, name)) return NICKNAMES[name]!;
  const [vendor, model] = partsOf(name);
  const known = [...Object.keys(own.providers), ...Object.keys(VENDORS), ...Object.keys(SERVERS)];
  if (vendor === "gemini" && model !== "") return `google/${model}`;
  if (known.includes(vendor) && model !== "") return name;
  const likely = Object.keys(VENDORS).find((each) => VENDORS[each]!.named.test(name));
  if (likely) return `${likely}/${name}`;
  // A server of the user's own may call its models anything.
  if (env.OPENAI_BASE_URL) return `openai/${name}`;
  const [nearest] = nearestNames(vendor, known, 1);
  const hint = nearest && model !== "" ? ` Did you mean ${nearest}/${model}?` : "";
  throw new UsageError(
    `"${name}" does not say whose model it is.${hint} Write vendor/model; vendors are ${known.join(", ")}.`,
  );
}

/** Vendor and model; a model's own name may hold slashes. */
function partsOf(name: string): readonly [vendor: string, model: string] {
  const at = name.indexOf("/");
  return at === -1 ? [name, ""] : [name.slice(0, at), name.slice(at + 1)];
}

function hasKey(variables: readonly string[], env: Environment): boolean {
  return variables.some((name) => (env[name] ?? "").trim() !== "");
}

function noKey(model: string, variables: readonly string[]): UsageError {
  return new UsageError(`The model ${model} needs a key: set ${variables.join(" or ")}.`);
}
