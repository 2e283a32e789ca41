export { aiSdk } from "./ai-sdk.js";
export type { AiSdkLanguageModel } from "./language-model.js";
export type { AiSdkOptions } from "./options.js";
