// Written by `npm run models` from @pydantic/genai-prices 0.1.8 (MIT License, in LICENSES.txt) and facts in the
// catalogue of @earendil-works/pi-ai 1.6.0. Do not edit.
// One row a model: its names, with commas between them; US dollars for a million tokens of input, output, input read
// from a cache, input written to one ("-": not said); behind "@" the window and behind "^" the longest output in tokens;
// behind "~" the least effort that it takes ("off": it does not reason); words for what it takes and others do not; behind
// ">" the prices of requests with more input than so many tokens.

/** The day whose prices these are. */
export const LIST_READ = "2026-11-29";

/** By vendor. */
export const GENERATED_LIST: Readonly<Record<string, string>> = {
  openai: `
chatgpt-4o-latest 5 15 @128000
codex-mini,codex-mini-latest 1.5 6 0.375 @200000
gpt-4-32k,gpt-4-32k-0314,gpt-4-32k-0613 60 120 @32000
gpt-4-turbo,gpt-4-turbo-2024-04-09 10 30 @128000 ^4096 ~off
gpt-4-turbo-0125-preview,gpt-4-0125-preview,gpt-4-1106-preview,gpt-4-turbo-preview 10 30 @128000
gpt-4-vision-preview,gpt-4-1106-vision-preview 10 30 @128000
gpt-4.1,gpt-4.1-2025-04-14 2 8 0.5 @1000000 ^32768 ~off
gpt-4.1-mini,gpt-4.1-mini-2025-04-14 0.4 1.6 0.1 @1000000 ^32768 ~off
gpt-4.1-nano,gpt-4.1-nano-2025-04-14 0.1 0.4 0.025 @1000000 ^32768 ~off
gpt-4o,gpt-4o-2024-08-06,gpt-4o-2024-11-20 2.5 10 1.25 @128000 ^16384 ~off
gpt-4o-2024-05-13 5 15 @128000 ^4096 ~off
gpt-4o-mini,gpt-4o-mini-2024-07-18 0.15 0.6 0.075 @128000 ^16384 ~off
gpt-4o-mini-search-preview,gpt-4o-mini-search-preview-2025-03-11 0.15 0.6 0.075 @128000
gpt-4o-search-preview,gpt-4o-search-preview-2025-03-11 2.5 10 @128000
gpt-5,gpt-5-2025-08-07 1.25 10 0.125 @400000 ^128000 ~minimal
gpt-5-chat,gpt-5-codex 1.25 10 0.125 @400000
gpt-5-chat-latest 1.25 10 0.125 @400000 ^16384 ~off
gpt-5-mini,gpt-5-mini-2025-08-07 0.25 2 0.025 @400000 ^128000 ~minimal
gpt-5-nano,gpt-5-nano-2025-08-07 0.05 0.4 0.005 @400000 ^128000 ~minimal
gpt-5-pro,gpt-5-pro-2025-10-06 15 120 @400000 ^128000 ~high
gpt-5.1,gpt-5.1-2025-11-13,gpt-5-1,gpt-5-1-2025-11-13 1.25 10 0.125 @400000 ^128000 ~none
gpt-5.1-codex,gpt-5.1-codex-max,gpt-5.1-chat,gpt-5.1-chat-latest,gpt-5-1-codex,gpt-5-1-codex-max,gpt-5-1-chat,gpt-5-1-chat-latest 1.25 10 0.125 @400000
gpt-5.1-codex-mini,gpt-5.1-mini,gpt-5-1-codex-mini,gpt-5-1-mini 0.25 2 0.025 @400000
gpt-5.2,gpt-5.2-2025-12-11,gpt-5-2,gpt-5-2-2025-12-11 1.75 14 0.175 @400000 ^128000 ~none
gpt-5.2-chat,gpt-5.2-chat-latest,gpt-5-2-chat,gpt-5-2-chat-latest,gpt-5.2-codex,gpt-5-2-codex 1.75 14 0.175 @400000
gpt-5.2-pro,gpt-5.2-pro-2025-12-11,gpt-5-2-pro-2025-12-11 21 168 @400000 ^128000 ~medium
gpt-5.3,gpt-5-3,gpt-5.3-chat,gpt-5.3-chat-latest,gpt-5-3-chat,gpt-5-3-chat-latest 1.75 14 0.175 @128000
gpt-5.3-codex,gpt-5-3-codex 1.75 14 0.175 @400000 ^128000 ~none
gpt-5.4,gpt-5.4-2026-03-05,gpt-5-4,gpt-5-4-2026-03-05 2.5 15 0.25 @1050000 ^128000 ~none >271999 5 22.5 0.5
gpt-5.4-mini,gpt-5.4-mini-2026-03-17,gpt-5-4-mini,gpt-5-4-mini-2026-03-17 0.75 4.5 0.075 @400000 ^128000 ~none
gpt-5.4-nano,gpt-5.4-nano-2026-03-17,gpt-5-4-nano,gpt-5-4-nano-2026-03-17 0.2 1.25 0.02 @400000 ^128000 ~none
gpt-5.4-pro,gpt-5.4-pro-2026-03-05,gpt-5-4-pro,gpt-5-4-pro-2026-03-05 30 180 @1050000 ^128000 ~medium >271999 60 270
gpt-5.5,gpt-5.5-2026-04-23,gpt-5.5-2026-04-24,gpt-5-5,gpt-5-5-2026-04-23,gpt-5-5-2026-04-24 5 30 0.5 @1000000 ^128000 ~none >271999 10 45 1
gpt-5.5-chat,gpt-5.5-chat-latest,gpt-5-5-chat,gpt-5-5-chat-latest,gpt-5.5-codex,gpt-5-5-codex 5 30 0.5 @1000000 >271999 10 45 1
gpt-5.5-pro,gpt-5.5-pro-2026-04-23,gpt-5-5-pro,gpt-5-5-pro-2026-04-23 30 180 @1000000 ^128000 ~medium >271999 60 270
gpt-5.6-luna,gpt-5-6-luna 0.2 1.2 0.02 0.25 @1050000 ^128000 ~none cache-marks >271999 0.4 1.8 0.04 0.5
gpt-5.6-sol,gpt-5-6-sol 4 20 0.4 5 @1050000 ^128000 ~none cache-marks >271999 8 30 0.8 10
gpt-5.6,gpt-5-6 4 20 0.4 5 @1050000 >271999 8 30 0.8 10
gpt-5.6-terra,gpt-5-6-terra 2 12 0.2 2.5 @1050000 ^128000 ~none cache-marks >271999 4 18 0.4 5
gpt-6-astra 10 50 1 12.5 @1050000 ^128000 ~low cache-marks >271999 20 75 2 25
gpt-6-luna 0.1 0.5 0.01 0.125 @1050000 ^128000 ~none cache-marks >272000 0.2 0.75 0.02 0.25
gpt-6-sol 2 10 0.2 2.5 @1050000 ^128000 ~none cache-marks >272000 4 15 0.4 5
gpt-oss-120b 0.039 0.18 @131072
gpt-oss-20b 0.029 0.14 @131072
gpt-oss-safeguard-20b 0.075 0.3 0.037 @131072
o1,o1-2024-12-17 15 60 7.5 @200000 ^100000 ~low
o1-mini,o1-mini-2024-09-12 1.1 4.4 0.55 @128000
o1-preview,o1-preview-2024-09-12 15 60 7.5 @128000
o1-pro,o1-pro-2025-03-19 150 600 @200000 ^100000 ~low
o3,o3-2025-04-16 2 8 0.5 @200000 ^100000 ~low
o3-deep-research,o3-deep-research-2025-06-26 10 40 2.5 @200000
o3-mini,o3-mini-2025-01-31 1.1 4.4 0.55 @200000 ^100000 ~low
o3-mini-high 1.1 4.4 0.55 @200000
o3-pro,o3-pro-2025-06-10 20 80 @200000 ^100000 ~low
o4-mini,o4-mini-2025-04-16 1.1 4.4 0.275 @200000 ^100000 ~low
o4-mini-high 1.1 4.4 0.275 @200000
o4-mini-deep-research,o4-mini-deep-research-2025-06-26 2 8 0.5 @200000
gpt-4 30 60 @8192 ~off
gpt-4-0613 30 60 @8192
gpt-3.5-turbo,gpt-3.5-turbo-0125 0.5 1.5 @16385
chat-latest 5 30 0.5 @400000 ^128000
gpt-5.3-codex-spark 1.75 14 0.175 @128000 ^32000 ~low
gpt-5.6-cyber 12.5 75 1.25 15.625 @400000 ^128000 ~low cache-marks
gpt-6-cyber 20 100 2 25 @1050000 ^128000 ~low cache-marks
gpt-6.1-sol 2 10 0.1 2.5 @272000 ^128000 ~low cache-marks >272000 4 15 0.2 5
gpt-6.1-terra 1 5 0.05 1.25 @272000 ^128000 ~none cache-marks >272000 2 7.5 0.1 2.5
gpt-6.2-astra 8 40 0.4 10 @272000 ^128000 ~low cache-marks >272000 16 60 0.8 20
gpt-6.2-sol 2 10 0.1 2.5 @272000 ^128000 ~low cache-marks >272000 4 15 0.2 5
gpt-daybreak-blue-latest 4 20 0.4 5 @1050000 ^128000 ~none cache-marks >272000 8 30 0.8 10
gpt-daybreak-red-latest 12.5 75 1.25 15.625 @400000 ^128000 ~none cache-marks`,
  anthropic: `
claude-2 8 24 @200000
claude-3-5-haiku-latest,claude-3-5-haiku,claude-3.5-haiku,claude-3-5-haiku-20241022 0.8 4 0.08 1 @200000
claude-3-5-sonnet,claude-3.5-sonnet,claude-3-5-sonnet-latest,claude-3-5-sonnet-20241022,claude-3-5-sonnet-20240620 3 15 0.3 3.75 @200000
claude-3-7-sonnet-latest,claude-3-7-sonnet,claude-3.7-sonnet,claude-sonnet-3.7,claude-sonnet-3-7,claude-3-7-sonnet-20250219 3 15 0.3 3.75 @200000
claude-3-haiku,claude-3-haiku-20240307 0.25 1.25 0.03 0.3 @200000
claude-3-opus-latest,claude-3-opus,claude-3-opus-20240229 15 75 1.5 18.75 @200000
claude-3-sonnet 3 15 0.3 3.75 @200000
claude-fable-5 10 50 1 12.5 @1000000 ^128000 adaptive
claude-fable-5-1 10 50 0.25 12.5 @1000000 ^128000 adaptive
claude-haiku-4-5,claude-haiku-4.5,claude-4-5-haiku,claude-4.5-haiku,claude-haiku-4-5-20251001 1 5 0.1 1.25 @200000 ^64000 budget
claude-opus-4-0,claude-4-opus,claude-opus-4,claude-opus-4-20250514 15 75 1.5 18.75 @200000
claude-opus-4-1,claude-opus-4.1,claude-opus-4-1-20250805 15 75 1.5 18.75 @200000
claude-opus-4-5,claude-opus-4.5,claude-4-5-opus,claude-4.5-opus,claude-opus-4-5-20251101 5 25 0.5 6.25 @200000 ^64000 budget
claude-opus-4-6,claude-opus-4.6,claude-4-6-opus,claude-4.6-opus 5 25 0.5 6.25 @1000000 ^128000 ~none adaptive
claude-opus-4-7,claude-opus-4.7,claude-4-7-opus,claude-4.7-opus 5 25 0.5 6.25 @1000000 ^128000 ~none adaptive no-temperature
claude-opus-4-8,claude-opus-4.8,claude-4-8-opus,claude-4.8-opus 5 25 0.5 6.25 @1000000 ^128000 ~none adaptive no-temperature
claude-opus-5,claude-5-opus 5 25 0.5 6.25 @1000000 ^128000 ~none adaptive no-temperature
claude-opus-5.0,claude-5.0-opus 5 25 0.5 6.25 @1000000
claude-opus-5-5,claude-opus-5.5,claude-5-5-opus,claude-5.5-opus 4 20 0.2 5 @1000000 ^128000 ~low adaptive no-temperature
claude-sonnet-4-0,claude-sonnet-4-2025,claude-sonnet-4@,claude-sonnet-4,claude-4-sonnet,claude-sonnet-4-20250514 3 15 0.3 3.75 @200000
claude-sonnet-4-5,claude-sonnet-4.5,claude-sonnet-4-5-20250929 3 15 0.3 3.75 @200000 ^64000 budget >200000 6 22.5 0.6 7.5
claude-sonnet-4-6,claude-sonnet-4.6 3 15 0.3 3.75 @1000000 ^128000 ~none adaptive
claude-sonnet-5,claude-5-sonnet 2 10 0.2 2.5 @1000000 ^128000 ~none adaptive no-temperature
claude-sonnet-5.0,claude-5.0-sonnet 2 10 0.2 2.5 @1000000
claude-sonnet-5-5 2 10 0.2 2.5 @1000000 ^128000 ~low adaptive no-temperature
claude-fable-5-2 8 40 0.2 10 @1000000 ^128000 adaptive
claude-haiku-5-5 0.1 0.5 0.01 0.125 @1000000 ^128000 ~none adaptive no-temperature >100000 0.5 2.5 0.05 0.625`,
  google: `
gemini-1.0-pro-vision-001 0.125 0.375 @32768
gemini-1.5-flash 0.075 0.3 0.01875 @1000000 >128000 0.15 0.6 0.0375
gemini-1.5-pro 1.25 5 @1000000 >128000 2.5 10
gemini-2.0-flash,gemini-2.0-flash-001 0.1 0.4 0.025 @1000000
gemini-2.0-flash-lite,gemini-2.0-flash-lite-001 0.075 0.3 @1000000
gemini-2.5-flash 0.3 2.5 0.03 @1048576 ^65536
gemini-2.5-flash-latest,gemini-2.5-flash-preview-09-2025 0.3 2.5 0.03 @1048576
gemini-2.5-flash-lite 0.1 0.4 0.01 @1000000 ^65536
gemini-2.5-flash-lite-preview,gemini-2.5-flash-lite-preview-09-2025 0.1 0.4 0.01 @1000000
gemini-3-flash-preview 0.5 3 0.05 @1000000 ^65536 ~minimal
gemini-3.1-flash-lite,gemini-3.1-flash-lite-preview 0.25 1.5 0.025 @1000000 ^65536 ~minimal
gemini-3.5-flash 1.5 9 0.15 @1000000 ^65536 ~minimal
gemini-3.5-flash-preview 1.5 9 0.15 @1000000
gemini-3.5-flash-lite 0.3 2.5 0.03 @1000000 ^65536 ~minimal
gemini-3.6-flash 0.75 3.75 0.075 @1000000 ^65536 ~minimal
gemini-3.7-flash 0.75 3.75 0.075 @1000000 ^65536 ~low
gemini-3.8-flash 0.75 3.75 0.075 @1000000 ^65536 ~low
gemini-flash-1.5-8b 0.0375 0.15 0.01 @1000000 >128000 0.075 0.3 0.02
gemini-pro,gemini-1.0-pro 0.125 0.375 @32768
gemini-pro-1.5 1.25 5 0.3125 @2000000 >128000 2.5 10 0.625
gemma-4-26b-a4b-it-maas 0.15 0.6 0.015 @262144
gemini-3.1-pro-preview 2 12 0.2 @1048576 ^65536 ~low >200000 4 18 0.4
gemini-3-pro-preview 2 12 0.2 >200000 4 18 0.4
gemini-2.5-pro 1.25 10 0.125 @1048576 ^65536 >200000 2.5 15 0.25
deep-research-max-preview-04-2026 2 12 0.2 @1048576 ^65536 >200000 4 18 0.4
deep-research-preview-04-2026 2 12 0.2 @1048576 ^65536 >200000 4 18 0.4
gemini-2.5-computer-use-preview-10-2025 1.25 10 @128000 ^64000
gemini-3.1-pro-preview-customtools 2 12 0.2 @1048576 ^65536 ~low >200000 4 18 0.4
gemini-4-argon 2 10 0.1 @1048576 ^32768 ~low
gemini-4-carbon 2 10 0.1 @1048576 ^32768 ~low
gemini-4-hydrogen 1.5 7.5 0.075 @1048576 ^65536 ~low
gemini-4-neon 3 15 0.15 @1048576 ^65536 ~low
gemini-flash-latest 1.5 9 0.15 @1048576 ^65536 ~minimal
gemini-flash-lite-latest 0.25 1.5 0.025 @1048576 ^65536 ~minimal
gemini-pro-latest 2 12 0.2 @1048576 ^65536 ~low >200000 4 18 0.4
gemini-robotics-er-2-preview 1 5 0.1 @131072 ^65536 ~minimal`,
  deepseek: `
deepseek-chat,deepseek-chat-v3-0324 0.27 1.1 0.07 @64000
deepseek-reasoner,deepseek-r1,deepseek-r1-0528 0.55 2.19 0.14 @64000
deepseek-v3.1-terminus 0.27 0.95 0.13 @128000
deepseek-v3.2 0.2288 0.3432 @128000
deepseek-v3.2-exp 0.27 0.41 @128000
deepseek-v4-flash 0.44 1.32 0.014 @1000000
deepseek-v4-pro 1.32 3.96 0.044 @1000000 ^384000 ~none
deepseek-flash 0.3 1.2 0.006 @1000000 ^384000 ~none`,
  mistral: `
codestral-latest 0.3 0.9 @256000 ~off
codestral-2501 0.3 0.9 @256000
codestral-2508 0.3 0.9 0.03 @256000 ~off
devstral-2512 0.4 2 0.04 @262144 ~off
ministral-14b-2512 0.2 0.2 0.02 @262144 ~off
ministral-3b-2512 0.1 0.1 0.01 @131072 ~off
ministral-8b-2512 0.15 0.15 0.015 @262144 ~off
mistral-large-2512 0.5 1.5 0.05 @262144 ~off
mistral-medium-3-5,mistral-medium-3.5 1.5 7.5 0.15 @262144 ~none
mistral-medium-3 1.5 7.5 0.15 @262144
mistral-small-2603 0.15 0.6 0.015 @262144 ~none
voxtral-small-24b-2507 0.1 0.4 0.01 @32768
voxtral-small-2507,voxtral-small-latest 0.1 0.4 0.01 @32768 ~off
mistral-large-latest 2 6 @1048576 ~low
mistral-medium-latest 1.5 7.5 0.15 @262144 ~none
mistral-medium-2508 0.4 2 0.04 @262144 ~off
mistral-medium-2505 0.4 2 0.04 @131072 ~off
magistral-medium-latest 2 5 @262144 ~none
magistral-medium-2509 2 5
ministral-8b-latest 0.15 0.15 0.015 @262144 ~off
deepseek-v4-1-flash-1017 0.3 1.2 0.007 @1048576 ~none
devstral-latest 0.4 2 0.04 @262144 ~off
devstral-medium-latest 0.4 2 0.04 @262144 ~off
glm-5-2 1.4 4.4 0.14 @1048576 ~none
ministral-3b-latest 0.1 0.1 0.01 @131072 ~off
mistral-large-4 0.7 2.1 0.07 @1048576 ~low
mistral-large-4-0-8 0.7 2.1 0.07 @1048576 ~low
mistral-medium-2604 1.5 7.5 0.15 @262144 ~none
mistral-small-2506 0.1 0.3 0.01 @128000 ~off
mistral-small-latest 0.15 0.6 0.015 @262144 ~none
open-mistral-nemo 0.15 0.15 0.015 @128000 ~off
pixtral-12b 0.15 0.15 0.015 @128000 ~off
zai-glm-5-2 1.4 4.4 0.14 @1048576 ~none
zai-glm-5-3 1.4 4.4 0.14 @1048576 ~low
zai-glm-5-3-flash 0.15 0.5 0.03 @1048576 ~low`,
  xai: `
grok-2-vision-1212,grok-2-vision,grok-2-vision-latest 2 10 @32768
grok-3,grok-3-latest,grok-3-beta 3 15 0.75 @131072
grok-3-fast,grok-3-fast-latest,grok-3-fast-beta 5 25 1.25 @131072
grok-3-mini,grok-3-mini-beta,grok-3-mini-latest 0.3 0.5 0.075 @131072
grok-3-mini-fast,grok-3-mini-fast-beta,grok-3-mini-fast-latest 0.6 4 0.15 @131072
grok-4-0709,grok-4,grok-4-latest 3 15 0.75 @256000
grok-4-1-fast-non-reasoning,grok-4-1-fast-non-reasoning-latest 0.2 0.5 0.05 @2000000
grok-4-1-fast-reasoning,grok-4-1-fast,grok-4-1-fast-reasoning-latest 0.2 0.5 0.05 @2000000
grok-4-fast-non-reasoning,grok-4-fast-non-reasoning-latest 0.2 0.5 0.05 @2000000
grok-4-fast-reasoning,grok-4-fast,grok-4-fast-reasoning-latest 0.2 0.5 0.05 @2000000
grok-4.20 1.25 2.5 0.2 @1000000 >199999 2.5 5 0.4
grok-4.20-multi-agent 2 6 0.2 @1000000
grok-4.3 1.25 2.5 0.2 @1000000 ~none >199999 2.5 5 0.4
x-ai/grok-4.3,grok-4.3-latest 1.25 2.5 0.2 @1000000 >199999 2.5 5 0.4
grok-4.5 2 6 0.3 @500000 ~low >199999 4 12 0.6
x-ai/grok-4.5,grok-4.5-latest,grok-latest 2 6 0.3 @500000 >199999 4 12 0.6
grok-4.6 2 6 0.5 @500000 ~low >199999 4 12 1
x-ai/grok-4.6,grok-4.6-latest 2 6 0.5 @500000 >199999 4 12 1
grok-build-0.1 1 2 0.2 @256000 >199999 2 4 0.4
grok-code-fast-1,grok-code-fast,grok-code-fast-1-0825 0.2 1.5 0.02 @256000
grok-4.7 2 6 0.5 @500000 ~low >200000 4 12 1`,
  kimi: `
kimi-k2.5 0.6 3 0.1 @262144
kimi-k2.6 0.95 4 0.16 @262144
kimi-k2.7-code 0.95 4 0.19 @262144
kimi-k2.7-code-highspeed 1.9 8 0.38 @262144
kimi-k3 3 15 0.3 @1048576 ~low
moonshot-v1-128k,moonshot-v1-128k-vision-preview 2 5 @131072
moonshot-v1-32k,moonshot-v1-32k-vision-preview 1 3 @32768
kimi-k2-thinking 0.6 2.5 0.15 @262144
kimi-k2-0905-preview 0.6 2.5 0.15 @262144
kimi-k2-turbo-preview 1.15 8 0.15 @262144
kimi-k2-thinking-turbo 1.15 8 0.15 @262144
kimi-k2-0711-preview 0.6 2.5 0.15 @131072
moonshot-v1-8k 0.2 2 @8192
kimi-k3.1-pro 2 10 0.2 @1048576 ~low
kimi-k3.1-pro-highspeed 4 20 0.2 @1048576 ~low`,
  groq: `
deepseek-r1-distill-llama-70b 0.75 0.99 @131072
meta-llama/llama-4-maverick-17b-128e-instruct 0.2 0.6 @131072
meta-llama/llama-guard-4-12b 0.2 0.2 @131072
moonshotai/kimi-k2-instruct,moonshotai/kimi-k2-instruct-0905 1 3 0.5 @131072
openai/gpt-oss-120b,openai/gpt-oss-safeguard-20b 0.15 0.6 0.075 @131072 ^65536 ~low
openai/gpt-oss-20b 0.075 0.3 0.0375 @131072 ^65536 ~low
qwen/qwen3-32b 0.29 0.59 @131072
llama-3.3-70b-versatile 0.59 0.79 @131072 ^32768 ~off
llama-3.1-8b-instant 0.05 0.08 @131072 ~off
meta-llama/llama-4-scout-17b-16e-instruct 0.11 0.34
qwen/qwen3.6-27b 0.6 3 0.3 @131072 ^16384 ~none
qwen/qwen3.8-27b 0.8 4 @131072 ^16384 ~none`,
  glm: `
GLM-5.2,glm-5.2 1.4 4.4 0.26 @1000000 ^131072 ~none
GLM-5.3,glm-5.3 1.4 4.4 0.26 @1000000 ^131072 ~low
GLM-5.3-Flash,glm-5.3-flash 0.075 0.25 0.015 @1000000 ^131072 ~low
glm-4.7 0.6 2.2 0.11 @204800 ^131072
glm-5-turbo 1.2 4 0.24 @200000 ^131072`,
};
