import { isHarnessError } from "../../contracts/errors.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { BaseTool, ToolContext, ToolOutput } from "../../contracts/tool.js";
import { isProgressing } from "../../engine/calls/execute-call.js";
import { describeCall } from "../../engine/transcript/describe-call.js";
import { isContentPart } from "../../engine/transcript/message-shape.js";
import {
  ANYTHING,
  checkOptions,
  listOf,
  numberFrom,
  type OptionTable,
  optionOf,
  required,
} from "../../json/check-options.js";
import { isEffects, isIn } from "../../labels/effects.js";
import { compileJsonSchema } from "../../schema/json-schema-validator.js";
import { type ContractCase, claim, claimSame, isJson, show, within } from "../contract-case.js";
import { FakeSuspension, type FakeToolContext, fakeToolContext } from "./fake-tool-context.js";
import { GARBAGE, HOSTILE, POLLUTED_KEY } from "./hostile-arguments.js";

/** The samples on which `toolContract()` tries a tool. */
export interface ToolContractSamples {
  /** Arguments the tool accepts. At least one; each is executed for real, several times, and must not fail. */
  readonly valid: readonly JsonObject[];
  /** Arguments its schema refuses, beside the garbage every tool must refuse. Never executed. */
  readonly invalid?: readonly JsonValue[] | undefined;
  /** Members of the tool's context beside the defaults of `fakeToolContext`. */
  readonly context?: Partial<ToolContext> | undefined;
  /** The time for one execution, and for its end after an abort. Unit: milliseconds. Default: 5_000. */
  readonly settleMs?: number | undefined;
}

const SAMPLES = {
  valid: required(listOf(ANYTHING, "arguments")),
  invalid: listOf(ANYTHING, "arguments"),
  context: optionOf((value) => typeof value === "object" && value !== null, "an object"),
  settleMs: numberFrom(1, "milliseconds", undefined, true),
} satisfies OptionTable<ToolContractSamples>;

/**
 * The promises of every `BaseTool`. `makeTool` is called once for each case.
 *
 * Only valid samples are executed; invalid and hostile arguments stop at `parse`, so the suite does no harm.
 *
 * @example
 * for (const c of toolContract(() => createGlobTool(workspace), { valid: [{ pattern: "*" }] })) test(c.name, c.run);
 */
export function toolContract(
  makeTool: () => BaseTool | Promise<BaseTool>,
  samples: ToolContractSamples,
): ContractCase[] {
  checkOptions("toolContract()", samples, SAMPLES);
  return Object.entries(checks).map(([name, check]) => ({
    name,
    run: async () => {
      claim(samples.valid.length > 0, "toolContract got no valid samples. Pass at least one.");
      const tool = await makeTool();
      await tool.ready?.();
      await check(tool, samples);
    },
  }));
}

type Check = (tool: BaseTool, samples: ToolContractSamples) => Promise<void>;

const checks: Record<string, Check> = {
  "name and permission are valid": async (tool) => {
    claim(/^[A-Za-z0-9_-]{1,64}$/.test(tool.name), `name ${show(tool.name)}: expected 1-64 of a-z A-Z 0-9 _ -.`);
    claim(
      ["none", "read_only", "read_write", "execute"].includes(tool.permission),
      `permission ${show(tool.permission)}: expected none, read_only, read_write or execute.`,
    );
  },

  "optional settings are valid": async ({ timeoutMs, maxResultChars, onUnknown, replayable }) => {
    claim(timeoutMs == null || timeoutMs > 0, `timeoutMs ${show(timeoutMs)}: expected a positive number or null.`);
    claim(
      maxResultChars === undefined || maxResultChars >= 0,
      `maxResultChars ${show(maxResultChars)}: expected 0 or more.`,
    );
    claim(
      onUnknown === undefined || ["retry", "ask", "fail"].includes(onUnknown),
      `onUnknown ${show(onUnknown)}: expected retry, ask or fail.`,
    );
    claim(
      replayable === undefined || typeof replayable === "boolean",
      `replayable ${show(replayable)}: expected a boolean.`,
    );
  },

  "the definition describes the tool and is JSON": async (tool) => {
    const definition = tool.definition();

    claim(
      definition.name === tool.name,
      `the definition is named ${show(definition.name)}, the tool ${show(tool.name)}.`,
    );
    claim(
      typeof definition.description === "string" && definition.description.trim() !== "",
      `the description is ${show(definition.description)}; expected text.`,
    );
    claim(
      definition.inputSchema?.type === "object",
      `the inputSchema is ${show(definition.inputSchema)}; expected type "object".`,
    );
    claim(isJson(definition), "the definition is not plain JSON.");
  },

  "the definition is frozen and never changes": async (tool) => {
    const before = JSON.stringify(tool.definition());

    claim(isDeepFrozen(tool.definition()), "the definition, or something in it, is not frozen.");
    claim(JSON.stringify(tool.definition()) === before, "the definition differs from one call to the next.");
  },

  "valid arguments are parsed, and left as they were": async (tool, { valid }) => {
    for (const sample of valid) {
      const args = structuredClone(sample);

      await parse(tool, args);

      claimSame(args, sample, "arguments after parse");
    }
  },

  "valid arguments fit the schema that the model is shown": async (tool, { valid }) => {
    const validate = await compileJsonSchema(tool.definition().inputSchema);
    for (const sample of valid) {
      const { issues = [] } = await validate(sample);
      const why = issues.map(({ path = [], message }) => `${path.join(".")} ${message}`).join("; ");
      claim(issues.length === 0, `the inputSchema refuses the valid sample ${show(sample)}: ${why}`);
    }
  },

  "garbage and invalid arguments are refused with TOOL_INPUT_INVALID": async (tool, { invalid = [] }) => {
    if (tool.parse === undefined) return;
    for (const args of [...GARBAGE, ...invalid]) {
      const refusal = await refusalOf(tool, args);
      claim(refusal !== undefined, `the arguments ${show(args)} were accepted.`);
    }
  },

  "hostile arguments are parsed or refused, and change nothing else": async (tool, { valid }) => {
    for (const hostile of HOSTILE.map((make) => make(valid[0]!))) {
      const refusal = await refusalOf(tool, hostile);
      if (refusal === undefined) await askAll(tool, await parse(tool, hostile));
      const isPolluted = Reflect.has({}, POLLUTED_KEY);
      Reflect.deleteProperty(Object.prototype, POLLUTED_KEY);
      claim(!isPolluted, `the arguments ${show(hostile)} changed Object.prototype.`);
    }
  },

  "claims, permission and hints are well-formed and repeatable": async (tool, { valid }) => {
    for (const sample of valid) {
      const input = await parse(tool, structuredClone(sample));

      claimSame(await askAll(tool, input), await askAll(tool, input), "claims, permission and hints asked twice");
    }
  },

  "describe says how a call looks, also of no arguments, and leaves them as they were": async (tool, { valid }) => {
    if (!tool.describe) return;
    for (const sample of [...valid, {}]) {
      const args = structuredClone(sample);
      const [first, second] = [describeCall(tool, args), describeCall(tool, args)];
      claim(first !== undefined, `describe failed for ${show(sample)}, or its title or kind is not one.`);
      claimSame(second, first, "describe asked twice");
      claimSame(args, sample, "arguments after describe");
    }
  },

  "valid arguments are executed to a well-formed output": async (tool, samples) => {
    for (const sample of samples.valid) {
      const context = fakeToolContext(samples.context);

      const execution = execute(tool, sample, context).catch((error: unknown) => {
        if (error instanceof FakeSuspension) return "";
        throw new Error(`executing ${show(sample)} failed: ${show(error)}`, { cause: error });
      });
      const output = await inTime(execution, samples, `an execution of ${show(sample)}`);

      claimOutput(output);
      for (const update of context.updates) claim(isJson(update), `the progress ${show(update)} is not JSON.`);
    }
  },

  "an execution that is aborted settles": async (tool, samples) => {
    for (const sample of samples.valid) {
      const context = fakeToolContext(samples.context);

      const execution = execute(tool, sample, context, () => context.abort()).catch(ignore);

      await inTime(execution, samples, `an execution of ${show(sample)} that was aborted`);
    }
  },

  "an execution that begins aborted settles": async (tool, samples) => {
    for (const sample of samples.valid) {
      const context = fakeToolContext(samples.context);
      context.abort();

      const execution = execute(tool, sample, context).catch(ignore);

      await inTime(execution, samples, `an execution of ${show(sample)} that began aborted`);
    }
  },
};

async function parse(tool: BaseTool, args: JsonValue): Promise<unknown> {
  return tool.parse === undefined ? args : await tool.parse(args);
}

/** The refusal of the arguments; nothing when they are accepted. @throws Error for a failure of any other kind */
async function refusalOf(tool: BaseTool, args: JsonValue): Promise<Error | undefined> {
  try {
    await parse(tool, args);
  } catch (error) {
    claim(
      isHarnessError(error, "TOOL_INPUT_INVALID"),
      `refusing ${show(args)} failed with ${show(error)}; expected a ToolError TOOL_INPUT_INVALID.`,
    );
    const details = error.details as { issues?: unknown } | undefined;
    claim(Array.isArray(details?.issues), `refusing ${show(args)} named no details.issues.`);
    return error;
  }
  return undefined;
}

/** Everything a tool may be asked about an input before it is executed. */
async function askAll(tool: BaseTool, input: unknown): Promise<unknown> {
  const claims = tool.claims?.(input);
  for (const { mode, key } of claims ?? []) {
    const isValid = (mode === "read" || mode === "write") && typeof key === "string" && key !== "";
    claim(isValid, `the claim ${show({ mode, key })} is not { mode: "read" | "write", key }.`);
  }
  const permission = await tool.checkPermission?.(input, { agentPath: [], sessionId: "session-1" });
  if (permission !== undefined) {
    claim(
      ["allow", "deny", "ask", "passthrough"].includes(permission.behavior),
      `checkPermission answered ${show(permission)}; expected a behavior of allow, deny, ask or passthrough.`,
    );
  }
  for (const { field, value } of tool.targets?.(input) ?? []) {
    claim(
      isIn({ field, value }, input),
      `the target ${show({ field, value })} is not a value of that field of the input.`,
    );
  }
  const effects: unknown = typeof tool.effects === "function" ? tool.effects(input) : tool.effects;
  claim(effects === undefined || isEffects(effects), `effects answered ${show(effects)}.`);
  const destructive = tool.destructive?.(input);
  claim(destructive === undefined || typeof destructive === "boolean", `destructive answered ${show(destructive)}.`);
  return { claims, permission, destructive };
}

function inTime<T>(execution: Promise<T>, { settleMs = 5_000 }: ToolContractSamples, what: string): Promise<T> {
  return within(settleMs, execution, what);
}

/** `onStarted` is called as soon as the tool runs up to its first wait. */
async function execute(
  tool: BaseTool,
  sample: JsonObject,
  context: FakeToolContext,
  onStarted = ignore,
): Promise<ToolOutput> {
  const input = await parse(tool, structuredClone(sample));
  await tool.validate?.(input, context);
  const execution: unknown = tool.execute(input, context);
  if (!isProgressing(execution)) {
    onStarted();
    return execution as ToolOutput | Promise<ToolOutput>;
  }
  let next = execution.next();
  onStarted();
  for (;;) {
    const step = await next;
    if (step.done) return step.value;
    context.progress(step.value);
    next = execution.next();
  }
}

/** After an abort any outcome is fine, except that there is not one. */
function ignore(): void {}

function claimOutput(output: ToolOutput): void {
  if (typeof output === "string") return;
  const { output: parts, details } = Object(output) as { readonly output?: unknown; readonly details?: unknown };
  const isEnvelope = typeof parts === "string" || (Array.isArray(parts) && parts.every(isContentPart));
  claim(isEnvelope || isJson(output), `the output ${show(output)} is neither a string, content parts nor JSON.`);
  if (isEnvelope) claim(details === undefined || isJson(details), `the details ${show(details)} are not JSON.`);
}

function isDeepFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeepFrozen);
}
