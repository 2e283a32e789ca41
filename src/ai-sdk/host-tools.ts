// A host's additions for one turn: its tools, its skills and its instructions.
import type { Answer } from "../contracts/approval.js";
import type { ContentPart } from "../contracts/content.js";
import type { ContextSource } from "../contracts/context.js";
import { ToolError } from "../contracts/errors.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { BaseTool, ToolOutput } from "../contracts/tool.js";
import type { RunOptions } from "../engine/options/options.js";
import { defineTool } from "../engine/tools/define-tool.js";
import type { HarnessSkill, HarnessTurnRequest, HostResult, HostTool } from "./harness-v1.js";

const SKILL_TOOL = "host_skill";

/** The options of a run that make the host's tools, skills and instructions part of it. */
export function hostOptions({ tools = [], skills = [], instructions }: HarnessTurnRequest): RunOptions {
  const extraTools = [...tools.map(hostTool), ...(skills.length > 0 ? [skillTool(skills)] : [])];
  const sources = [
    ...(instructions ? [source("host-instructions", instructions)] : []),
    ...(skills.length > 0 ? [source("host-skills", describeSkills(skills))] : []),
  ];
  return {
    ...(extraTools.length > 0 && { extraTools }),
    ...(sources.length > 0 && { contextSources: sources }),
  };
}

function source(id: string, text: string): ContextSource {
  return { id, load: async () => ({ id, text }) };
}

/**
 * A tool that the host runs. Its call waits in the session, as any question does, until the host has its result: in this
 * process, or in another one.
 */
function hostTool({ name, description = name, inputSchema }: HostTool): BaseTool {
  return defineTool({
    name,
    description,
    // As JSON: a schema that was stored and one that was not are the same, and an answer belongs to both.
    input: JSON.parse(JSON.stringify(inputSchema ?? { type: "object" })) as JsonObject,
    permission: "none",
    replayable: false,
    timeoutMs: null,
    // Nothing has happened here yet: the host is asked again.
    onUnknown: "retry",
    execute(_, context) {
      if (!context.resumed) return context.suspend({ kind: "question", reason: "The host runs this tool." });
      return outputOf(context.resumed.answer);
    },
  });
}

/** The result that a host submits, as the answer to its call's question. */
export function answerOfResult(id: string, result: HostResult): Answer {
  const { output, isError = false, toolResult } = result;
  const shaped = Object(toolResult?.output ?? output) as { type?: unknown; value?: unknown; reason?: unknown };
  if (shaped.type === "execution-denied") {
    return { id, decision: "deny", ...(typeof shaped.reason === "string" && { reason: shaped.reason }) };
  }
  const isShaped = toolResult !== undefined && typeof shaped.type === "string";
  const value = isShaped ? shaped.value : output;
  const content = shaped.type === "content" && Array.isArray(value) ? value.map(partOf) : textOf(value);
  const failed = isError || (isShaped && String(shaped.type).startsWith("error-"));
  return { id, value: { output: content as unknown as JsonValue, isError: failed } };
}

/** @throws ToolError `PERMISSION_DENIED` for a call that the host has refused, `TOOL_FAILED` for one that has failed there */
function outputOf(answer: Answer): ToolOutput {
  if ("decision" in answer) {
    const why = answer.reason ?? "The host gave no reason.";
    throw new ToolError("PERMISSION_DENIED", { message: `The host has refused this call. ${why}` });
  }
  const { output, isError } = Object(answer.value) as { output: string | readonly ContentPart[]; isError: boolean };
  if (!isError) return { output };
  const message = typeof output === "string" ? output : JSON.stringify(output);
  throw new ToolError("TOOL_FAILED", { message });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** One part of a result with pictures and files; what is neither text nor data stays visible as JSON. */
function partOf(part: Record<string, unknown>): ContentPart {
  const { type, text, mediaType } = part;
  if (type === "text") return { type, text: String(text) };
  const { data } = Object(part.data) as { data?: unknown };
  const base64 = typeof part.data === "string" ? part.data : data;
  if (typeof base64 !== "string" || typeof mediaType !== "string") return { type: "text", text: JSON.stringify(part) };
  return { type: mediaType.startsWith("image/") ? "image" : "file", mediaType, data: base64 };
}

// ── skills ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function describeSkills(skills: readonly HarnessSkill[]): string {
  const list = skills.map(({ name, description }) => `- ${name}: ${description}`).join("\n");
  return `# Skills of this task\n\nRead one with ${SKILL_TOOL} before you do what it is for.\n\n${list}`;
}

function skillTool(skills: readonly HarnessSkill[]): BaseTool {
  return defineTool<{ skill: string; file?: string }>({
    name: SKILL_TOOL,
    description: "Reads a skill of this task, or one of its files.",
    input: {
      type: "object",
      properties: { skill: { type: "string" }, file: { type: "string", description: "A file that the skill names." } },
      required: ["skill"],
      additionalProperties: false,
    },
    permission: "none",
    replayable: true,
    maxResultChars: 100_000,
    execute: ({ skill: name, file }) => readSkill(skills, name, file),
  });
}

/** @throws ToolError `TOOL_FAILED` for a skill or a file that is not there */
function readSkill(skills: readonly HarnessSkill[], name: string, file: string | undefined): string {
  const skill = skills.find((one) => one.name === name);
  if (!skill) throw noSuch("skill", name, skills);
  const files = skill.files ?? [];
  if (file === undefined) {
    const list = files.map(({ path }) => `- ${path}`).join("\n");
    return list === "" ? skill.content : `${skill.content}\n\nFiles of this skill:\n${list}`;
  }
  const found = files.find(({ path }) => path === file);
  if (found) return found.content;
  throw noSuch(
    "file of this skill",
    file,
    files.map(({ path }) => ({ name: path })),
  );
}

function noSuch(what: string, name: string, known: readonly { readonly name: string }[]): ToolError {
  const names = known.map((one) => one.name).join(", ") || "none";
  return new ToolError("TOOL_FAILED", { message: `There is no ${what} "${name}". There is: ${names}.` });
}
