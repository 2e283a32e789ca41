import type { BaseTool } from "loopwright";

const DEFINITION = { name: "work", description: "Works.", inputSchema: { type: "object" } };

/** A tool whose every call answers with a string of its own. */
export const workTool = (output: string): BaseTool => ({
  name: "work",
  permission: "none",
  definition: () => DEFINITION,
  execute: async ({ turn }: { turn: number }) => `${turn}\n${output}`,
});
