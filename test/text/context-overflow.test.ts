import { expect, test } from "vitest";
import { isContextOverflow } from "../../src/text/context-overflow.js";

/** Refusals as servers word them, with the codes they send. */
const TOO_LONG: readonly (readonly [who: string, message: string, ...codes: string[]])[] = [
  [
    "OpenAI",
    "Your input exceeds the context window of this model.",
    "context_length_exceeded",
    "invalid_request_error",
  ],
  [
    "OpenAI, without a code",
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
  ],
  [
    "OpenAI, array of inputs",
    "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens.",
  ],
  [
    "Azure",
    "This model's maximum context length is 16384 tokens, however you requested 17000 tokens",
    "context_length_exceeded",
  ],
  ["Anthropic", "prompt is too long: 215014 tokens > 200000 maximum", "invalid_request_error"],
  [
    "Anthropic, with output",
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
  ],
  ["Anthropic, by bytes", "Request exceeds the maximum size", "request_too_large"],
  ["ds4-server", "Prompt has 256468 tokens, but the configured context size is 256000 tokens"],
  ["ds4-server, grouped", "Prompt has 5,958,968 tokens, but the configured context size is 256,000 tokens"],
  ["Poolside", "Input length 131393 exceeds the maximum allowed input length of 131040 tokens."],
  ["a server of one's own", "Input exceeds the limit of 7,500 tokens (yours: 8,397)."],
  ["SiliconFlow", "length of prompt_tokens (57535) must be less than max_seq_len (32768).", "20015"],
  ["SiliconFlow, in total", "max_total_tokens (33802) must be less than or equal to max_seq_len (32768)"],
  ["Volcengine", "Total tokens of image and text exceed max message tokens. Request id: 0217", "InvalidParameter"],
  ["Volcengine, newer", "Input length 203743 exceeds the maximum length 202752", "InvalidParameter"],
  [
    "Volcengine, older",
    "Query or prefix prompt is too long, you can reduce the prefix prompt, or shrink the max token",
  ],
  [
    "Writer",
    "Total number of tokens (prompt+generation) exceeded the service limit of 2048 tokens. Please make the prompt shorter or reduce the number of tokens to generate.",
  ],
  ["SGLang", "Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens)."],
  ["LiteLLM", "Input length (265330) exceeds model's maximum context length (262144)."],
  [
    "a gateway, in its own words",
    "litellm.ServiceUnavailableError: OpenAIException - Requested token count exceeds the model's maximum context length of 131072 tokens.",
  ],
  ["Anthropic, on stop", "", "model_context_window_exceeded"],
  [
    "Google",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "INVALID_ARGUMENT",
  ],
  [
    "Vertex",
    "Unable to submit request because the input token count is 40000 but model only supports up to 32768. Reduce the input token count and try again.",
  ],
  ["Bedrock", "Input is too long for requested model.", "ValidationException"],
  ["Bedrock, Converse", "The model returned the following errors: input is too long for requested model"],
  [
    "Bedrock, Titan",
    "Validation error: Too many input tokens. Max input tokens: 8192, request input token count: 9022",
  ],
  [
    "Bedrock, Nova",
    "Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.",
  ],
  [
    "DeepSeek",
    "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages, 4000 in the completion).",
  ],
  [
    "Qwen",
    "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
    "invalid_parameter_error",
  ],
  ["Google, files", "Request payload size exceeds the limit: 20971520 bytes."],
  ["Qwen, newer", "Input length exceeds the maximum length limit of 1000000 tokens"],
  ["Kimi", "Invalid request: Your request exceeded model token limit: 131072", "invalid_request_error"],
  ["Zhipu", "Prompt exceeds max length", "1261"],
  ["MiniMax", "invalid params, context window exceeds limit (2013)"],
  ["Ollama", "prompt too long; exceeded max context length by 512 tokens"],
  ["Ollama, embedded", "the input length exceeds the context length"],
  [
    "vLLM",
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages.",
  ],
  ["vLLM, newer", "The decoder prompt (length 9000) is longer than the maximum model length of 4096."],
  [
    "llama.cpp",
    "the request exceeds the available context size. try increasing the context size or enable context shift",
    "exceed_context_size_error",
  ],
  ["llama.cpp, older", "context size exceeded"],
  [
    "LM Studio",
    "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
  ],
  ["TGI", "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4200 `inputs` tokens and 100 `max_new_tokens`"],
  ["SGLang", "The input (10000 tokens) is longer than the model's context length (8192 tokens)."],
  ["Mistral", "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length"],
  [
    "Cohere",
    "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 6000. Try using a shorter prompt",
  ],
  [
    "Cohere, newer",
    "too many tokens: size limit exceeded by 11326 tokens. Try using shorter or fewer inputs, or setting prompt_truncation='AUTO'.",
  ],
  ["Groq", "Please reduce the length of the messages or completion.", "context_length_exceeded"],
  ["xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  [
    "OpenRouter",
    "This endpoint's maximum context length is 200000 tokens. However, you requested about 250000 tokens.",
  ],
  ["Together", "Input validation error: `inputs` must have less than 8192 tokens. Given: 9000"],
  ["Fireworks", "The prompt is too long: 200000, model maximum context length: 131071"],
  ["Cerebras", "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192"],
  [
    "Cloudflare",
    "The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (8192).",
  ],
  ["watsonx", "the number of input tokens 9000 cannot exceed the total tokens limit 8192 for this model"],
  ["GitHub Copilot", "prompt token count of 140000 exceeds the limit of 128000", "model_max_prompt_tokens_exceeded"],
  ["Databricks", "Input is too long. The number of input tokens 9000 exceeds the model's limit of 8192."],
  ["AI21", "Prompt has 300000 tokens, which is above the maximum of 262144 tokens"],
  ["Replicate", "E1002 PromptTooLong: Prompt length exceeds maximum input length"],
  [
    "Bedrock, by characters",
    "Malformed input request: expected maxLength: 300000, actual: 312000, please reformat your input.",
  ],
  ["vLLM, no room for an answer", "max_tokens must be at least 1, got -2048"],
  [
    "OpenAI, one long message",
    "Invalid 'messages[3].content': string too long. Expected a string with maximum length 10485760.",
  ],
  ["a gateway that quotes a code", "upstream said: context_length_exceeded"],
  ["in total", "The total number of tokens (prompt + completion) 140000 exceeds the maximum allowed 131072"],
  ["by text", "Input text exceeds maximum token limit of 512"],
  ["a code in the message", "400 prompt_too_long"],
  ["no more than that", "Too many tokens."],
  ["counted", "too many tokens: 210000 > 200000"],
  ["at most", "This model supports at most 32768 tokens, but the request has 40000 tokens"],
];

const SOMETHING_ELSE: readonly (readonly [what: string, message: string, ...codes: string[]])[] = [
  [
    "a rate per minute",
    "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 45000.",
    "rate_limit_exceeded",
  ],
  ["too many requests", "Number of request tokens has exceeded your per-minute rate limit"],
  ["a limit each minute", "Your input exceeds the limit of 30,000 tokens a minute."],
  ["Bedrock, when it throttles", "Too many tokens, please wait before trying again."],
  ["a daily quota", "You exceeded your current quota of tokens per day"],
  ["too much output asked for", "max_tokens is too large: 40000. This model supports at most 16384 completion tokens"],
  ["an output range", "Range of max_tokens should be [1, 8192]"],
  ["a file", "The file exceeds the maximum size of 20 MB"],
  ["a tool's name", "tools.0.name: string is too long, expected at most 64 characters"],
  ["an image", "image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes"],
  ["too many messages", "array too long. Expected an array with maximum length 2048, but got 2100"],
  ["an answer that was cut", "The response was stopped at the maximum number of output tokens"],
  ["a field", "metadata.user_id: String should have at most 256 characters"],
  ["nothing said", ""],
  ["a broken key", "Incorrect API key provided", "invalid_api_key"],
];

test.each(TOO_LONG)("%s says that the request is too long", (_who, message, ...codes) => {
  expect(isContextOverflow(codes, message)).toBe(true);
});

test.each(SOMETHING_ELSE)("%s is not an overflow", (_what, message, ...codes) => {
  expect(isContextOverflow(codes, message)).toBe(false);
});
