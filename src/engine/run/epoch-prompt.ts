import type { PromptSection, ProviderRequest } from "../../contracts/provider.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";

/** What every request of the current epoch begins with. */
export class EpochPrompt {
  system: readonly PromptSection[] = [];
  tools: readonly ToolDefinition[] = [];
  /** Those of the tools that may have something to remind the model of. */
  remindingTools: readonly BaseTool[] = [];
  /** The same object for every request of the epoch, since its arrays grow by themselves; made when first needed. */
  request: ProviderRequest | null = null;
}
