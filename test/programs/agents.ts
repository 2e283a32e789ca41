// What the tests of programs share: an agent whose model writes programs, and tools whose values are data.
import type { BaseTool, EngineOptions, RunResult, ToolResult } from "../../src/index.js";
import { ToolRegistry } from "../../src/index.js";
import { type ProgramsOptions, withPrograms } from "../../src/programs/index.js";
import { text, toolCall } from "../../src/providers/scripted/index.js";
import { played, testEngine, tool } from "../engine/kit.js";

/** A tool without effects that gives back its input as data. */
export const look = tool("look", async (input) => ({ output: `looked at ${JSON.stringify(input)}`, value: input }), {
  permission: "read_only",
});

/** A tool with effects, which keeps them in `effects`. */
export function pay(effects: unknown[], about: Partial<BaseTool> = {}): BaseTool {
  const execute: BaseTool["execute"] = async (input) => {
    effects.push(input);
    return { output: "paid", value: { paid: input } };
  };
  return tool("pay", execute, about);
}

type ProgramEngineOptions = Partial<EngineOptions> & { readonly programs?: ProgramsOptions };

/** An engine whose model writes these programs, one a turn, as the calls `p0`, `p1`. */
export function programEngine(
  tools: readonly BaseTool[],
  programs: readonly string[],
  { programs: options, ...engine }: ProgramEngineOptions = {},
) {
  const turns = programs.map((program, index) => toolCall("run_program", { program }, { id: `p${index}` }));
  const registry = withPrograms(new ToolRegistry(tools), options);
  return testEngine([...turns, text("done")], { tools: registry, ...engine });
}

/** The result of one program, and of its run. */
export async function runOf(
  tools: readonly BaseTool[],
  program: string,
  options: ProgramEngineOptions = {},
): Promise<ToolResult & { readonly run: RunResult }> {
  const { engine } = programEngine(tools, [program], options);
  const { events, result: run } = await played(engine.stream("go"));
  const ended = events.flatMap((event) =>
    event.type === "tool-call-end" && event.result.toolCallId === "p0" ? [event.result] : [],
  );
  return { ...ended[0]!, run };
}

/** The turns of a model that writes these programs in one message, as the calls `p0`, `p1`, and is done. */
export const programTurns = (...programs: readonly string[]) => [
  programs.map((program, index) => toolCall("run_program", { program }, { id: `p${index}` })),
  text("done"),
];
