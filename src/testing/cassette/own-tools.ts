// The tools that a sub-agent brings along come from somewhere, most often a server. The cassette says which there were, and
// what became of the arguments given to them, so that a replay asks nobody.
import type { JsonValue } from "../../contracts/json.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import type { CassettePlayer } from "./cassette-player.js";
import { asJson, type CassetteRecorder } from "./cassette-recorder.js";
import { overriding } from "./tool-wrapper.js";

type Supply = () => readonly unknown[] | Promise<readonly unknown[]>;

/** The static members of a tool, and which of its optional methods it has. */
const FACTS = ["name", "permission", "replayable", "timeoutMs", "maxResultChars", "onUnknown"] as const;
const METHODS = ["parse", "validate", "checkPermission", "claims"] as const;

interface RecordedTool {
  readonly facts: Pick<BaseTool, (typeof FACTS)[number]>;
  readonly definition: ToolDefinition;
  readonly methods: readonly string[];
  /** Whether it spawns sub-agents: it runs again in a replay, and has to be there. */
  readonly spawns: boolean;
}

/** The tools of a sub-agent of this name, as they were supplied. */
export async function recordOwnTools(agent: string, supply: Supply, recorder: CassetteRecorder): Promise<BaseTool[]> {
  const supplied = (async () => (await supply()) as readonly BaseTool[])();
  const described = supplied.then((tools) => Promise.all(tools.map(describe)));
  await recorder.outcome(keyOf(agent), described);
  return (await supplied).map((tool) => {
    const { parse } = tool;
    if (!parse) return tool;
    return overriding(tool, {
      parse: (args: JsonValue) => recorder.outcome(parseKey(tool.name, args), (async () => parse.call(tool, args))()),
    });
  });
}

/** The same tools out of the cassette; those that are supplied now where it says nothing of them. */
export async function replayOwnTools(agent: string, supply: Supply, player: CassettePlayer): Promise<BaseTool[]> {
  const outcome = player.take(keyOf(agent));
  const recorded = outcome && ((await player.settle(outcome)) as unknown as readonly RecordedTool[]);
  if (!recorded || recorded.some(({ spawns }) => spawns)) return [...((await supply()) as readonly BaseTool[])];
  return recorded.map((tool) => remembered(tool, player));
}

async function describe(tool: BaseTool): Promise<RecordedTool> {
  await tool.ready?.();
  const facts = Object.fromEntries(FACTS.flatMap((name) => (tool[name] === undefined ? [] : [[name, tool[name]]])));
  const methods = METHODS.filter((name) => tool[name] !== undefined);
  return {
    facts: facts as RecordedTool["facts"],
    definition: tool.definition(),
    methods,
    spawns: Boolean(tool.spawns),
  };
}

/** A tool that never runs: what it said and did is asked of the cassette. */
function remembered({ facts, definition, methods }: RecordedTool, player: CassettePlayer): BaseTool {
  const has = (name: string) => methods.includes(name);
  return {
    ...facts,
    definition: () => definition,
    execute: () => {
      throw new Error(`The tool "${facts.name}" is in a cassette alone and cannot be run.`);
    },
    ...(has("parse") && {
      parse: async (args: JsonValue) => {
        const outcome = player.take(parseKey(facts.name, args));
        return outcome ? await player.settle(outcome) : args;
      },
    }),
    ...(has("validate") && { validate: async () => {} }),
    ...(has("checkPermission") && { checkPermission: () => ({ behavior: "passthrough" as const }) }),
    ...(has("claims") && { claims: () => [] }),
  };
}

function keyOf(agent: string): string {
  return `tools of ${agent}`;
}

function parseKey(tool: string, args: JsonValue): string {
  return `parse ${tool} ${JSON.stringify(asJson(args))}`;
}
