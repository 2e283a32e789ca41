// The output limits of models that the generated list has without one, and windows that it rounds or leaves out. Sources: the
// vendors' pages on their models, read 2026-11-23.

/** Unit: tokens. A window only where it is not the list's. */
type Limits = readonly [models: string, maxOutputTokens: number | undefined, contextWindow?: number];

/** By vendor: how names begin, with commas between them. The longest beginning counts. */
const LIMITS: Readonly<Record<string, readonly Limits[]>> = {
  openai: [
    ["gpt-5", 128_000],
    ["gpt-5-chat,gpt-5.1-chat,gpt-5.2-chat,gpt-5.3-chat", 16_384, 128_000],
    ["gpt-4.1", 32_768, 1_047_576],
    ["gpt-4o,chatgpt-4o", 16_384],
    ["gpt-4-turbo,gpt-3.5-turbo", 4_096],
    ["gpt-4", 8_192],
    ["gpt-4-32k,gpt-4-vision", undefined],
    ["o1,o3,o4", 100_000],
    ["o1-mini", 65_536],
  ],
  anthropic: [
    ["claude-mythos,claude-opus-5,claude-sonnet-5", 128_000],
    ["claude-sonnet-4,claude-sonnet-3,claude-3-7,claude-3.7,claude-4-sonnet", 64_000],
    ["claude-opus-4,claude-4-opus", 32_000],
    ["claude-3-5", 8_192],
    ["claude-3-opus,claude-3-haiku", 4_096],
  ],
  google: [
    ["gemini-3,gemini-2.5", 65_536, 1_048_576],
    ["gemini-2.0-flash", 8_192, 1_048_576],
  ],
  deepseek: [
    ["deepseek-v4", 384_000],
    ["deepseek-chat", 8_192, 131_072],
    ["deepseek-reasoner", 65_536, 131_072],
  ],
  mistral: [["mistral-medium-25,magistral-medium", undefined, 131_072]],
  groq: [
    ["llama-3.1-8b-instant", 131_072, 131_072],
    ["meta-llama/llama-4", 8_192, 131_072],
    ["qwen/qwen3-32b", 40_960],
    ["moonshotai/kimi-k2", 16_384],
  ],
  glm: [
    ["glm-5,glm-4.6", 131_072],
    ["glm-4.5", 98_304],
  ],
  qwen: [
    ["qwen3-max,qwen3-coder-plus", 65_536],
    ["qwen-plus,qwen-flash", 32_768],
    ["qwen-max", 8_192],
    ["qwen-turbo", 16_384],
  ],
};

/** The limits of one model that the list does not have. */
export function limitsBeside(vendor: string, model: string): { maxOutputTokens?: number; contextWindow?: number } {
  const rows = Object.hasOwn(LIMITS, vendor) ? LIMITS[vendor]! : [];
  const beginnings = rows.flatMap(([names, ...limits]) => names.split(",").map((name) => ({ name, limits })));
  const fitting = beginnings.filter(({ name }) => model.startsWith(name)).sort((a, b) => b.name.length - a.name.length);
  const [maxOutputTokens, contextWindow] = fitting[0]?.limits ?? [];
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(contextWindow !== undefined && { contextWindow }),
  };
}
