import { ConfigurationError } from "../../../contracts/errors.js";
import type { JsonObject } from "../../../contracts/json.js";
import type { ProviderAdapter } from "../../../contracts/provider.js";
import { byDefault, checkOptions, numberFrom, type OptionTable, withMethods } from "../../../json/check-options.js";
import { isObject } from "../../../json/is-object.js";
import { parseJson } from "../../../json/parse-json.js";
import { LONGEST_TIMER_MS } from "../../../time/deadlines.js";
import type { CompatProfile } from "../compat-profiles.js";
import type { OpenAICompat, ReasoningControl } from "../options.js";
import { type ProbeAccess, probeAccessOf } from "./probe-access.js";
import { type ProbeBounds, type ProbeReply, sendProbe } from "./probe-request.js";

/** The limits of a probe. */
export interface ProbeOptions {
  /** Aborts the probe. */
  readonly signal?: AbortSignal | undefined;
  /** The time limit of one reply; a server that loads the model first may need long. Unit: milliseconds. Default: 120,000. */
  readonly timeoutMs?: number | undefined;
}

const OPTIONS = {
  signal: withMethods("throwIfAborted", "addEventListener"),
  timeoutMs: byDefault(120_000, numberFrom(1, "milliseconds", LONGEST_TIMER_MS)),
} satisfies OptionTable<ProbeOptions>;

/**
 * Finds out what a server that speaks chat completions takes, with about a dozen tiny requests, and returns the profile to
 * be committed: options to spread into `openai()`. It holds no key. `String(profile)` is its source text.
 *
 * `provider` is an `openai({ api: "chat", … })` that nothing has been put around. What the server accepts but does not
 * act on counts as not understood, where that shows. A busy server is asked again; aborting the signal ends it.
 *
 * @example
 * console.log(String(await probeProvider(openai({ id: "mine", model: "m", baseURL: "http://localhost:8080/v1" }))));
 *
 * @throws ConfigurationError `OPTION_INVALID` for another provider; ProviderError when a plain request fails
 */
export async function probeProvider(provider: ProviderAdapter, options: ProbeOptions = {}): Promise<CompatProfile> {
  const { signal = new AbortController().signal, timeoutMs } = checkOptions("probeProvider()", options, OPTIONS);
  const access = probeAccessOf(provider);
  if (!access) {
    throw new ConfigurationError("OPTION_INVALID", {
      message:
        'probeProvider() needs a provider made by openai({ api: "chat" }), with no client and nothing around it.',
      details: { option: "provider" },
    });
  }
  const compat = await new Prober(access, { signal, timeoutMs }).compat();
  const { id, baseURL, apiKeyEnv } = access;
  const profile: CompatProfile = { id, baseURL, apiKeyEnv, compat };
  return Object.defineProperty(profile, "toString", { value: () => sourceOf(profile) });
}

function sourceOf(profile: CompatProfile): string {
  return `${JSON.stringify(profile, null, 2).replace(/"(\w+)":/g, "$1:")} satisfies CompatProfile`;
}

const HELLO: JsonObject = { messages: [{ role: "user", content: "Reply with the word ok." }] };
const LONG: JsonObject = { messages: [{ role: "user", content: "Count from 1 to 300, with commas between." }] };

const TOOLS: JsonObject = {
  tools: [
    {
      type: "function",
      function: {
        name: "probe",
        description: "Says that you can call tools.",
        parameters: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
      },
    },
  ],
};

const SCHEMA = {
  type: "object",
  properties: { ok: { type: "boolean" } },
  required: ["ok"],
  additionalProperties: false,
} as const satisfies JsonObject;

/** Few enough that a list of 300 numbers does not fit. */
const FEW_TOKENS = 16;

/** Each method answers one question by one request or two. */
class Prober {
  /** Whether any reply came in pieces that hold all before them: one that is long enough shows it. */
  #isCumulative = false;

  constructor(
    private readonly access: ProbeAccess,
    private readonly bounds: ProbeBounds,
  ) {}

  async compat(): Promise<OpenAICompat> {
    const hello = await this.#ask(HELLO);
    if (hello.refusal) throw hello.refusal;
    const maxTokensField = await this.#maxTokensField();
    const history = await this.#history();
    const compat: OpenAICompat = {
      streamUsage: await this.#takesStreamUsage(),
      ...(maxTokensField && { maxTokensField }),
      toolChoice: await this.#obeysToolChoice(),
      ...history,
      jsonSchema: await this.#jsonSchema(),
      reasoningControl: await this.#reasoningControl(),
      ...(await this.#systemRole()),
      ...(hello.text.trimStart().startsWith("<think>") && { thinkTags: true }),
    };
    return this.#isCumulative ? { ...compat, cumulativeText: true } : compat;
  }

  async #ask(fields: JsonObject): Promise<ProbeReply> {
    const reply = await sendProbe(this.access, fields, this.bounds);
    this.#isCumulative ||= reply.isCumulative;
    return reply;
  }

  /** Whether the server accepts a request for usage. */
  async #takesStreamUsage(): Promise<boolean> {
    const { refusal } = await this.#ask({ ...HELLO, stream_options: { include_usage: true } });
    return refusal === undefined;
  }

  /** The name that shortens the reply; servers ignore the other one, or refuse it. */
  async #maxTokensField(): Promise<OpenAICompat["maxTokensField"]> {
    const taken: NonNullable<OpenAICompat["maxTokensField"]>[] = [];
    for (const field of ["max_tokens", "max_completion_tokens"] as const) {
      const { refusal, finishReason, usage } = await this.#ask({ ...LONG, [field]: FEW_TOKENS });
      if (refusal) continue;
      if (finishReason === "length" || (usage && usage.outputTokens <= FEW_TOKENS)) return field;
      taken.push(field);
    }
    return taken.length === 1 ? taken[0] : undefined;
  }

  async #obeysToolChoice(): Promise<boolean> {
    const { refusal, calls } = await this.#ask({ ...HELLO, ...TOOLS, tool_choice: "required" });
    return refusal === undefined && calls.length > 0;
  }

  /** The form that a history with a call has to have. The plainest one is tried first. */
  async #history(): Promise<OpenAICompat> {
    const found: { nullContent?: false; shortCallIds?: true; reasoningField?: OpenAICompat["reasoningField"] } = {};
    const refused = async (extra: JsonObject = {}) => {
      const id = found.shortCallIds ? "a1b2c3d4e" : "call_a1b2c3d4e5f6";
      const content = found.nullContent === false ? "" : null;
      const { refusal } = await this.#ask(historyWith(id, { content, ...extra }));
      return refusal?.message.toLowerCase();
    };
    // One thing at a time: what it refuses first may hide the rest.
    for (let said = await refused(); said !== undefined; said = await refused()) {
      if (found.reasoningField === undefined && said.includes("reasoning")) {
        found.reasoningField = "reasoning_content";
        if ((await refused({ reasoning_content: "Hm." })) === undefined) break;
      } else if (!found.shortCallIds && /\bid\b/.test(said)) found.shortCallIds = true;
      else if (found.nullContent === undefined && /content|null|none/.test(said)) found.nullContent = false;
      else break;
    }
    if (found.reasoningField === undefined && (await refused({ reasoning_content: "Hm." })) !== undefined) {
      found.reasoningField = "none";
    }
    return found;
  }

  async #jsonSchema(): Promise<boolean | "object"> {
    const fits = (reply: ProbeReply) => reply.refusal === undefined && isJsonObject(reply.text);
    const json_schema = { name: "probe", schema: SCHEMA, strict: true };
    const ask = { messages: [{ role: "user", content: 'Say in JSON that all is well: {"ok": true}.' }] };
    if (fits(await this.#ask({ ...ask, response_format: { type: "json_schema", json_schema } }))) return true;
    return fits(await this.#ask({ ...ask, response_format: { type: "json_object" } })) ? "object" : false;
  }

  /** The first form that is not refused. Servers that ignore what they do not know take the first one. */
  async #reasoningControl(): Promise<ReasoningControl> {
    const forms: readonly (readonly [ReasoningControl, JsonObject])[] = [
      ["effort", { reasoning_effort: "low" }],
      ["object", { reasoning: { effort: "low" } }],
      ["thinking", { thinking: { type: "enabled" } }],
      ["enable_thinking", { enable_thinking: true }],
    ];
    for (const [form, fields] of forms) if (!(await this.#ask({ ...HELLO, ...fields })).refusal) return form;
    return "none";
  }

  /** The first role that is taken; what the user says always is. */
  async #systemRole(): Promise<Pick<OpenAICompat, "systemRole">> {
    for (const role of ["system", "developer"] as const) {
      const messages = [{ role, content: "Be brief." }, ...(HELLO.messages as JsonObject[])];
      const { refusal } = await this.#ask({ messages });
      if (!refusal) return role === "system" ? {} : { systemRole: role };
    }
    return { systemRole: "user" };
  }
}

function historyWith(id: string, fields: JsonObject): JsonObject {
  const call = { id, type: "function", function: { name: "probe", arguments: '{"word":"ok"}' } };
  return {
    ...TOOLS,
    messages: [
      { role: "user", content: "Call the tool." },
      { role: "assistant", ...fields, tool_calls: [call] },
      { role: "tool", tool_call_id: id, content: "ok" },
    ],
  };
}

function isJsonObject(text: string): boolean {
  return isObject(parseJson(text.replace(/^\s*<think>[\s\S]*<\/think>/, "")));
}
