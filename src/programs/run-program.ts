// The tool `run_program`: what the model reads about it, and of its results.
import { ToolError, type ToolErrorCode } from "../contracts/errors.js";
import type { BaseTool, ToolOutput } from "../contracts/tool.js";
import type { ToolDefinition } from "../contracts/tool-call.js";
import { defineTool } from "../engine/tools/define-tool.js";
import { RUN_PROGRAM } from "../json/program-source.js";
import { OWN_WORDS } from "../labels/join-labels.js";
import { clip } from "../text/cut.js";
import { type CallableTools, declarations } from "./callable-tools.js";
import { namesWithCounts, type ProgramProgress, type ProgramReport, runInIsolate } from "./program-run.js";
import type { ProgramSettings } from "./program-settings.js";

/** The tools at the moment they are asked for. */
export interface ToolsOfPrograms {
  callable(): CallableTools;
  mayCall(name: string): boolean;
  /** The tools that the description declares. */
  declared(): readonly BaseTool[];
}

const DESCRIPTION = `Runs a JavaScript program that calls tools, for work that needs several calls: loops, many files, results that are filtered or joined before you read them. It is the body of an async function: \`await tools.name(input)\` gives the tool's result, and a call that fails throws a \`ToolError\` with \`message\` and \`code\`. Run independent calls together with \`Promise.all\`. Only what you \`return\` or \`console.log\` comes back. The program itself has no files, network, timers or modules. It may be interrupted and run again from its start; calls that were finished are not repeated.`;
const SEARCH = `Find more tools with \`await searchTools("words")\`, which returns declarations; \`await describeTool("name")\` returns a whole definition.`;

const CODES: Readonly<Record<ProgramReport["end"]["end"], ToolErrorCode | null>> = {
  returned: null,
  threw: "PROGRAM_FAILED",
  stuck: "PROGRAM_FAILED",
  invalid: "PROGRAM_INVALID",
  limit: "PROGRAM_LIMIT",
};

export function createRunProgram({ limits, isolate }: ProgramSettings, tools: ToolsOfPrograms): BaseTool {
  const tool = defineTool<{ readonly program: string }>({
    name: RUN_PROGRAM,
    description: DESCRIPTION,
    input: {
      type: "object",
      properties: { program: { type: "string", minLength: 1, description: "JavaScript, not TypeScript." } },
      required: ["program"],
      additionalProperties: false,
    },
    describe: ({ program = "" }) => ({ title: titleOf(program), kind: "execute", command: program }),
    permission: "none",
    returns: OWN_WORDS,
    replayable: false,
    onUnknown: "retry",
    callers: ["model"],
    claims: () => [{ mode: "write", key: "*" }],
    timeoutMs: limits.timeoutMs,
    maxResultChars: limits.outputChars,
    async execute({ program: source }, { calls, signal, whenCutOff }) {
      if (!calls) throw new ToolError("TOOL_FAILED", { message: `${RUN_PROGRAM} works only in a run of an engine.` });
      if (source.length > limits.sourceChars) {
        const message = `The program has ${source.length} characters; at most ${limits.sourceChars} are taken. Nothing was run.`;
        throw new ToolError("PROGRAM_LIMIT", { message });
      }
      const callable = tools.callable();
      const mayCall = (name: string) => tools.mayCall(name);
      const progress: ProgramProgress = { made: [], underWay: [] };
      whenCutOff?.(() => progressText(progress));
      return outputOf(await runInIsolate({ source, calls, callable, mayCall, isolate, limits, progress, signal }));
    },
  });
  return { ...tool, definition: () => described(tool.definition(), tools) };
}

function described(definition: ToolDefinition, tools: ToolsOfPrograms): ToolDefinition {
  const declared = tools.declared().map((tool) => tool.definition());
  const list = declared.length === 0 ? "" : `\n\nMembers of \`tools\`:\n${declarations(declared)}`;
  return { ...definition, description: `${definition.description} ${SEARCH}${list}` };
}

/** The model's result: the logs, the value or the error, and then the facts it needs to go on. */
function outputOf({ end, made, waves, replayed }: ProgramReport): ToolOutput {
  const code = CODES[end.end];
  const logs = end.logs === "" ? [] : [end.isLogCut ? `${end.logs}… (more was logged)` : end.logs.replace(/\n$/, "")];
  const ending = code === null ? returnedText(end.text) : failureText(end);
  const text = [...logs, ...ending, ...noteOf(end, made)].join("\n");
  const details = {
    ...(code !== null && { code }),
    calls: made.map((call) => ({ ...call })),
    cpuMs: end.cpuMs,
    waves,
    replayed,
  };
  if (code !== null) return { output: text, isError: true, details };
  const output = text === "" ? "The program ended without a value. Return what you want to read." : text;
  return {
    output,
    details,
    get value() {
      return end.text === "" ? null : JSON.parse(end.text);
    },
  };
}

/** A text is shown as it is. */
function returnedText(json: string): readonly string[] {
  if (json === "") return [];
  return [json.startsWith('"') ? (JSON.parse(json) as string) : json];
}

function failureText({ end, text }: ProgramReport["end"]): readonly string[] {
  if (end === "invalid")
    return [`The program does not compile: ${text}. It must be JavaScript, not TypeScript. Nothing was run.`];
  return [end === "threw" ? `The program failed. ${text}` : `The program was ended. ${text}`];
}

/** After a failure, what has been done; and calls that were lost. */
function noteOf({ end, unmade }: ProgramReport["end"], made: ProgramReport["made"]): readonly string[] {
  const lost =
    unmade === 0
      ? []
      : [`${unmade} ${unmade === 1 ? "call was" : "calls were"} not made, since the program did not await them`];
  const last = made.at(-1);
  const done = countedCalls(made);
  const ended = last && last.status !== "success" ? [`the last one ended as ${last.status}`] : [];
  const said = end === "returned" || !last ? lost : [done, ...ended, ...lost];
  return said.length === 0 ? [] : [`[${said.join("; ")}]`];
}

/** The text that the model reads where a program is cut off. */
function progressText({ made, underWay }: ProgramProgress): string {
  const waiting = underWay.length === 0 ? [] : [`under way: ${countedCalls(underWay)}`];
  const parts = [...(made.length === 0 ? [] : [countedCalls(made)]), ...waiting];
  return parts.length === 0 ? "" : `[${parts.join("; ")}]`;
}

function countedCalls(calls: ProgramProgress["underWay"]): string {
  return `${calls.length} ${calls.length === 1 ? "call" : "calls"}: ${namesWithCounts(calls.map(({ name }) => name))}`;
}

/** A comment at the beginning says what the program is for. */
function titleOf(program: string): string {
  const comment = /^\s*\/\/\s*(\S.*)/.exec(program)?.[1];
  return comment ? `Program: ${clip(comment.trim(), 150)}` : "Run a program";
}
