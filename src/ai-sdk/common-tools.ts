// The engine's tools as the AI SDK names them: those with a common name get it, and its names of their arguments.
import type { JsonObject, JsonSchema, JsonValue } from "../contracts/json.js";
import type { BaseTool } from "../contracts/tool.js";
import type { ToolDefinition } from "../contracts/tool-call.js";
import { type Fields, isObject } from "../json/is-object.js";
import type { HarnessCommonName, HarnessSchema, HarnessTool } from "./harness-v1.js";

interface CommonTool {
  readonly commonName: HarnessCommonName;
  /** Our names of arguments, with those of the common tool. */
  readonly renamed?: Readonly<Record<string, string>>;
}

const COMMON: Readonly<Record<string, CommonTool>> = {
  read_file: { commonName: "read", renamed: { path: "file_path" } },
  write_file: { commonName: "write", renamed: { path: "file_path" } },
  edit_file: {
    commonName: "edit",
    renamed: { path: "file_path", old_text: "old_string", new_text: "new_string" },
  },
  bash: { commonName: "bash" },
  grep: { commonName: "grep" },
  glob: { commonName: "glob" },
  web_search: { commonName: "webSearch" },
  ask_user: { commonName: "askUserQuestions" },
};

const USE_KIND = { none: "readonly", read_only: "readonly", read_write: "edit", execute: "bash" } as const;

/** The common tool of questions, which the host answers itself. */
export const ASK = "askUserQuestions";
const ASK_INPUT: JsonSchema = {
  type: "object",
  properties: { allowPartialAnswers: { type: "boolean" }, questions: { type: "array", items: { type: "object" } } },
  required: ["allowPartialAnswers", "questions"],
};

/** A tool as calls of it are shown to the host. */
export interface ShownTool {
  readonly toolName: string;
  readonly nativeName?: string;
}

/** The names under which a host sees the tools of an engine. */
export class ShownNames {
  readonly #taken: ReadonlySet<string>;

  /** `taken`: names of the host's own tools and of the engine's, which no common name replaces. */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  shown(name: string): ShownTool {
    const common = this.#commonOf(name);
    return common ? { toolName: common.commonName, nativeName: name } : { toolName: name };
  }

  /** Whether the arguments that the model streams are those of the call that the host sees. */
  isVerbatim(name: string): boolean {
    return this.#commonOf(name)?.renamed === undefined;
  }

  input(name: string, args: JsonValue): JsonValue {
    const renamed = this.#commonOf(name)?.renamed;
    return renamed && isObject(args) ? rename(args, renamed) : args;
  }

  /** The tool, as a member of the harness's `builtinTools`, by its name there. */
  builtin(tool: BaseTool): readonly [string, HarnessTool] {
    const { toolName, nativeName } = this.shown(tool.name);
    const { description, inputSchema } = definitionOf(tool);
    const renamed = this.#commonOf(tool.name)?.renamed ?? {};
    const common = nativeName === undefined ? {} : { nativeName, commonName: toolName as HarnessCommonName };
    const schema = anyValue(renameFields(inputSchema, renamed));
    return [toolName, { description, inputSchema: schema, toolUseKind: USE_KIND[tool.permission], ...common }];
  }

  #commonOf(name: string): CommonTool | undefined {
    const common = Object.hasOwn(COMMON, name) ? COMMON[name] : undefined;
    const isShadowed = common && common.commonName !== name && this.#taken.has(common.commonName);
    return isShadowed ? undefined : common;
  }
}

/** The questions of the engine to the user, as the AI SDK's hosts know them. */
export const ASK_TOOL: HarnessTool = {
  description: "Ask the user one or more questions",
  inputSchema: anyValue(ASK_INPUT),
  nativeName: "ask_user",
  commonName: ASK,
  toolUseKind: "readonly",
};

/** A schema that describes values and refuses none: the engine checks its own tools' arguments. */
function anyValue(json: JsonSchema): HarnessSchema {
  const converter = { input: () => json, output: () => json };
  return { "~standard": { version: 1, vendor: "loopwright", validate: (value) => ({ value }), jsonSchema: converter } };
}

/** A tool whose schema is converted later is shown without it. */
function definitionOf(tool: BaseTool): Pick<ToolDefinition, "description" | "inputSchema"> {
  try {
    return tool.definition();
  } catch {
    return { description: tool.name, inputSchema: { type: "object" } };
  }
}

function renameFields(schema: JsonSchema, renamed: Readonly<Record<string, string>>): JsonSchema {
  const { properties, required } = schema;
  return {
    ...schema,
    ...(isObject(properties) && { properties: rename(properties, renamed) }),
    ...(Array.isArray(required) && { required: required.map((name) => renamed[String(name)] ?? name) }),
  };
}

function rename(value: Fields, renamed: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [renamed[name] ?? name, one as JsonValue]));
}
