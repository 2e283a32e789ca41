// Compatible servers and their quirks, as data: `openai({ ...compatProfiles.deepseek, model: "deepseek-v4-pro" })`.
// Sources: the API references of the vendors and the code of the servers, read 2026-11. What a profile leaves out is found
// out by the adapter; what it says saves a refused request.
import { isHostedBy } from "../shared/http/base-url.js";
import type { OpenAICompat } from "./options.js";

/** The known facts about a server: options of `openai()`, to be spread in front of one's own. */
export interface CompatProfile {
  /** The provider's name: recorded with messages, and looked up in price tables. */
  readonly id: string;
  readonly baseURL: string;
  /** The variable of the environment that holds the key. A server on your own machine may need none. */
  readonly apiKeyEnv: string;
  readonly compat: OpenAICompat;
}

/** Hosted services and servers to run yourself, by name. */
export const compatProfiles = {
  deepseek: {
    id: "deepseek",
    baseURL: "https://api.deepseek.com",
    apiKeyEnv: "DEEPSEEK_API_KEY",
    // Thinking of a turn that called tools has to come back; of schemas only json_object is known.
    compat: {
      maxTokensField: "max_tokens",
      reasoningField: "reasoning_content",
      reasoningControl: "thinking",
      jsonSchema: "object",
    },
  },
  kimi: {
    id: "kimi",
    baseURL: "https://api.moonshot.ai/v1",
    apiKeyEnv: "MOONSHOT_API_KEY",
    compat: { maxTokensField: "max_tokens", reasoningField: "reasoning_content", reasoningControl: "thinking" },
  },
  qwen: {
    id: "qwen",
    baseURL: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    apiKeyEnv: "DASHSCOPE_API_KEY",
    // "The content field is a required field", also beside calls.
    compat: {
      maxTokensField: "max_tokens",
      reasoningControl: "enable_thinking",
      nullContent: false,
      jsonSchema: "object",
      cumulativeText: true,
    },
  },
  glm: {
    id: "glm",
    baseURL: "https://api.z.ai/api/paas/v4",
    apiKeyEnv: "ZAI_API_KEY",
    // Only the tool choice "auto" is known.
    compat: { maxTokensField: "max_tokens", reasoningControl: "thinking", toolChoice: false, jsonSchema: "object" },
  },
  openrouter: {
    id: "openrouter",
    baseURL: "https://openrouter.ai/api/v1",
    apiKeyEnv: "OPENROUTER_API_KEY",
    compat: { maxTokensField: "max_tokens", reasoningControl: "object" },
  },
  groq: {
    id: "groq",
    baseURL: "https://api.groq.com/openai/v1",
    apiKeyEnv: "GROQ_API_KEY",
    // Unknown fields of messages are refused, and reasoning is one.
    compat: { maxTokensField: "max_completion_tokens", reasoningField: "none" },
  },
  together: {
    id: "together",
    baseURL: "https://api.together.xyz/v1",
    apiKeyEnv: "TOGETHER_API_KEY",
    compat: { maxTokensField: "max_tokens", thinkTags: true },
  },
  mistral: {
    id: "mistral",
    baseURL: "https://api.mistral.ai/v1",
    apiKeyEnv: "MISTRAL_API_KEY",
    // Unknown fields are refused; usage comes without being asked for.
    compat: { maxTokensField: "max_tokens", streamUsage: false, shortCallIds: true },
  },
  xai: {
    id: "xai",
    baseURL: "https://api.x.ai/v1",
    apiKeyEnv: "XAI_API_KEY",
    compat: { maxTokensField: "max_completion_tokens" },
  },
  ollama: {
    id: "ollama",
    baseURL: "http://localhost:11434/v1",
    apiKeyEnv: "OLLAMA_API_KEY",
    // Tool choice is ignored: tools that must not be called are left out.
    compat: { maxTokensField: "max_tokens", toolChoice: false, thinkTags: true },
  },
  vllm: {
    id: "vllm",
    baseURL: "http://localhost:8000/v1",
    apiKeyEnv: "VLLM_API_KEY",
    compat: { maxTokensField: "max_tokens", reasoningControl: "chat_template", thinkTags: true },
  },
  llamaCpp: {
    id: "llama.cpp",
    baseURL: "http://localhost:8080/v1",
    apiKeyEnv: "LLAMA_API_KEY",
    compat: { maxTokensField: "max_tokens", reasoningControl: "chat_template", thinkTags: true },
  },
  lmStudio: {
    id: "lmstudio",
    baseURL: "http://localhost:1234/v1",
    apiKeyEnv: "LM_API_TOKEN",
    compat: { maxTokensField: "max_tokens", thinkTags: true },
  },
} as const satisfies Readonly<Record<string, CompatProfile>>;

/** Hosts whose pieces may hold all of the text so far, whatever their profile is called. */
const CUMULATIVE_HOSTS = ["aliyuncs.com", "baidubce.com"] as const;

/** Whether the server at this address is known to send all of the text so far with each piece. */
export function isCumulativeHost(baseURL: string | undefined): boolean {
  return baseURL !== undefined && CUMULATIVE_HOSTS.some((host) => isHostedBy(baseURL, host));
}
