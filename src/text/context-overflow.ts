// The refusals which mean that the conversation no longer fits the model. Every vendor and server words it differently, and
// limits of rate and of output use the same words: those are distinguished first.

const CODES = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "exceed_context_size_error",
  "model_context_window_exceeded", // Anthropic
  "model_max_prompt_tokens_exceeded",
  "prompt_too_long",
  "request_too_large",
  "1261", // Zhipu
]);

const PHRASES = [
  /maximum (?:context|prompt|model) (?:length|window|size)/, // OpenAI, DeepSeek, vLLM, OpenRouter, Mistral, xAI
  /(?:exceed\w*|beyond|longer than|larger than|greater than|too (?:long|large) for|over) (?:the |this |its |this model's |the model's |your )?(?:\w+ ){0,3}?(?:context|prompt) ?(?:size|length|window|limit)/,
  /context (?:size|length|window|limit) (?:is |was |has been )?(?:exceed|only|too)/,
  /context window exceeds/, // MiniMax
  /ran out of room in the model's context window/, // Codex
  /(?:prompt|input|conversation|messages?)(?: token count| tokens?| length)?(?: is| are)? too long/, // Anthropic, Ollama, Bedrock, Fireworks
  /input (?:token length|length) too long/,
  /exceeded model token limit/, // Kimi
  /range of input length should be/, // Qwen
  /reduce the length of the (?:messages|prompt|input|either)/, // OpenAI, Groq, Cerebras, OpenRouter
  /(?:input|prompt) token count .{0,40}exceeds/, // Google, Copilot
  /prompt contains \d+ tokens .{0,60}too large/, // Mistral
  /(?:decoder )?prompt \(length \d+\) is longer than/, // vLLM
  /(?:exceeds?|longer than) (?:the )?(?:model's )?(?:maximum )?context/, // SGLang, vLLM
  /`?inputs`? (?:tokens \+ `?max_new_tokens`? must be|must have less than)/, // TGI
  /number of tokens to keep from the initial prompt/, // LM Studio
  /prompt exceeds max(?:imum)? length/, // Zhipu
  /input is too long for requested model/, // Bedrock
  /input tokens? exceed(?:s|ed)?\b/, // OpenAI, Bedrock
  /prompt[_-]too[_-]long|input[_-]too[_-]long/, // a code that stands in the message
  // Bedrock, Cohere; as a throttle it asks to wait
  /too many (?:input |prompt |context )?tokens\b(?!.{0,60}(?:wait|try again|retry|later|slow down|requests))/,
  /number of input tokens .{0,40}(?:exceed|limit|maximum)/, // Bedrock, watsonx, Databricks
  /input token count is \d+ but/, // Vertex
  /input length exceeds/, // Qwen
  /prompt (?:length exceeds|has \d+ tokens, which is above)|prompttoolong/, // AI21, Replicate
  /context the overflows/, // LM Studio
  /(?:prompt|input|request|conversation)\b.{0,40} too (?:long|large) (?:to fit|for)\b/, // vLLM with images
  /context_?(?:length|window)_?exceeded/, // a gateway that quotes the code of the model behind it
  /expected maxlength: \d+, actual: \d+/, // Bedrock
  /max_tokens must be at least 1, got -\d+/, // vLLM: what the prompt leaves of the window
  /(?:messages|input)\b(?!\S*\.(?:id|name)\b)\S*: string too long/, // OpenAI
  /\b(?:total|input|prompt)\b[^.]{0,40}\btokens?\b[^.]{0,60}\bexceeds?\b[^.]{0,40}\b(?:max|maximum|limit|context|allowed)\b/,
  /\b(?:input|prompt)\b.{0,20}\bexceeds?\b.{0,20}\btoken limit/,
  /tokens in (?:the |your )?request (?:is |are )?(?:more|greater|larger) than/,
  /prompt has [\d,]+ tokens?, but the configured context size/, // ds4-server
  /input length(?: of)? [\d,]+(?: tokens?)? exceeds (?:the )?(?:maximum|allowed)/, // Poolside, Volcengine, SGLang
  /input length \([\d,]+(?: tokens?)?\) exceeds/, // SGLang
  /(?:prompt_tokens|max_total_tokens) \([\d,]+\) must be less than/, // SiliconFlow
  /exceed(?:s|ed)? (?:the )?max(?:imum)? message tokens/, // Volcengine
  /total number of tokens .{0,60}exceed\w* the service limit|make the prompt shorter/, // Writer
  /request (?:payload |body )?size exceeds the limit/, // Google: a request with large files
  /supports? (?:at most|up to|only) \d[\d,]* tokens\b/,
  /exceeds? the maximum number of (?:input )?tokens/, // Vertex
  /(?:超过|超出).{0,12}上下文|上下文.{0,8}(?:超|过长)/, // Chinese gateways
  /\b(?:input|prompt|conversation)\b(?: \w+)? exceeds? (?:the |its |our )?(?:maximum|limit) of [\d,]+ tokens\b(?! ?\/| (?:per|a|each|every)\b)/,
  /(?:prompt|input|request|conversation) (?:has|contains|of|is) \d+ tokens.{0,60}(?:max|limit|allow|exceed|only)/,
];

const RATE =
  /tokens? per (?:minute|min|day|hour|second)|requests? per (?:minute|min|day|hour|second)|\b[rt]p[md]\b|rate.?limit/;

const OUTPUT_TOO_LARGE =
  /max_(?:completion_|output_)?tokens['"`]?(?: or ['"`]?max_completion_tokens['"`]?)?:? (?:is )?too large:? ?(\d*)/;
const OUTPUT_RANGE =
  /(?:valid )?range of ['"`]?max_(?:completion_|output_)?tokens|max_(?:completion_|output_)?tokens['"`]? (?:must|should|cannot|value)|invalid ['"`]?max_(?:completion_|output_)?tokens|maximum allowed number of output tokens|at most \d+ completion tokens/;

/** Whether a refusal with these vendor codes says that the request is larger than the model's context window. */
export function isContextOverflow(names: readonly string[], message: string): boolean {
  const text = message.toLowerCase();
  if (isRateLimit(text)) return false;
  if (names.some((name) => CODES.has(name.toLowerCase()))) return true;
  if (isOutputLimit(text)) return false;
  return PHRASES.some((phrase) => phrase.test(text));
}

/** Whether a refusal speaks of a quota per time: a smaller request would not be refused for its size alone. */
export function isRateLimit(text: string): boolean {
  return RATE.test(text.toLowerCase());
}

/**
 * "max_tokens is too large" is the host's setting, not the conversation. vLLM says the same when a sensible setting no
 * longer fits beside a long prompt: then the setting is smaller than the window that it names.
 */
function isOutputLimit(text: string): boolean {
  if (/max_tokens['"`]? must be at least 1, got -/.test(text)) return false;
  const tooLarge = OUTPUT_TOO_LARGE.exec(text);
  if (!tooLarge) return OUTPUT_RANGE.test(text) && !/context length is|reduce the length of the messages/.test(text);
  const [, window = "0"] = /context length (?:is|of) (?:only )?(\d+)/.exec(text) ?? [];
  const asked = Number(tooLarge[1]);
  return !(asked > 0 && asked < Number(window));
}
