import type { ToolDefinition } from "../../../contracts/tool-call.js";
import { RUN_PROGRAM } from "../../../json/program-source.js";

/**
 * The callers of a tool, in the vendor's words: the model itself is `direct`, and `hosted` are the programs on its server, where the
 * request offers them. A run with programs of its own has no others, whatever the host has `given`. `undefined`: the model alone, and
 * nothing needs to be said; empty: nobody, so the tool is left out.
 */
export function callersFor(
  { callers }: ToolDefinition,
  tools: readonly ToolDefinition[],
  hosted: string | undefined,
  given: readonly string[] | undefined,
): readonly string[] | undefined {
  const isHosted = hosted !== undefined && !tools.some(({ name }) => name === RUN_PROGRAM);
  if (given) return isHosted ? given : given.filter((caller) => caller === "direct");
  const isDirect = callers?.includes("model") ?? true;
  if (isHosted && callers?.includes("program")) return isDirect ? ["direct", hosted] : [hosted];
  return isDirect ? undefined : [];
}
