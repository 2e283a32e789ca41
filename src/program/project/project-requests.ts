import { findUntrusted } from "../../presets/project/read-project.js";
import { loadPromptCommands } from "./prompt-commands.js";

/** Something of a project that does not count without trust. */
export interface ProjectRequest {
  readonly part: string;
  readonly what: string;
  /** Its file. */
  readonly source?: string;
}

/** The requests of the project, its own commands included. Nothing of it is started. */
export async function projectRequests(root: string): Promise<readonly ProjectRequest[]> {
  const { commands } = await loadPromptCommands(root, null);
  return [
    ...(await findUntrusted(root)),
    ...commands.map(({ name, allowedTools }) => ({
      part: "commands",
      what: `/${name}${allowedTools.length === 0 ? "" : `: allowed-tools: ${allowedTools.join(", ")}`}`,
    })),
  ];
}
