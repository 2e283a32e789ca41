// The sources of a call's arguments and of its result. Labels are kept for gates that use them, and made for nobody else.
import type { Label, LabelHints } from "../../contracts/label.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { frozenLabel, joinLabels, UNLABELLED } from "../../labels/join-labels.js";
import { labelOfTool, readHints } from "../../labels/read-label.js";
import type { RunState } from "../run/run-state.js";

/** The part of a call that its label depends on. */
interface LabelledCall {
  readonly run: RunState;
  readonly tool: BaseTool | undefined;
  readonly target: { readonly name: string };
  readonly input: unknown;
  readonly wasEntered: boolean;
  readonly children: { readonly label: Label } | undefined;
  readonly label: Label | undefined;
  readonly permission: { readonly decision: { readonly label?: LabelHints | undefined } | undefined };
}

/** The label of a run's newest calls: of all that its model had, or of a program's text and the results it was given. */
export function labelOfCalls(run: RunState): Label | undefined {
  return run.config.gate.usesLabels ? madeFrom(run) : undefined;
}

function madeFrom({ transcript, setup }: RunState): Label {
  const own = transcript.open?.label ?? transcript.label;
  return setup.nested ? joinLabels(madeFrom(setup.parent!), own) : own;
}

/** The label of everything that a run has read. */
export function labelOfRun({ config, transcript }: RunState): Label | undefined {
  return config.gate.usesLabels ? transcript.label : undefined;
}

/** The label of a call's result, for a gate that uses labels. */
export function labelOfResult(call: LabelledCall, result: ToolResult): Label {
  const { run, tool, children, wasEntered } = call;
  if (!wasEntered || !tool) return ENGINES_OWN;
  const bySource = labelBySource(call, result.output);
  const own = call.label ? joinLabels(bySource, call.label) : bySource;
  if (!children) return own;
  // A tool that makes calls or has sub-agents passes on what they have read, and what it was asked.
  return joinLabels(joinLabels(own, madeFrom(run)), cutOff(result) ? UNLABELLED : children.label);
}

/** The label of what a call's tool says to the model beside its result; `undefined` where nobody uses labels. */
export function labelOfDelivery(call: LabelledCall): Label | undefined {
  return call.run.config.gate.usesLabels ? labelBySource(call, "") : undefined;
}

/** The label of a result in the engine's own words; `undefined` where nobody uses labels. */
export function labelOfRefusal({ config }: RunState): Label | undefined {
  return config.gate.usesLabels ? ENGINES_OWN : undefined;
}

/** The labels of tools that say the same of all of their results. */
const FIXED = new WeakMap<BaseTool, Label>();

function labelBySource({ permission, tool, input, target }: LabelledCall, output: ToolResult["output"]): Label {
  const said = permission.decision?.label;
  if (said || typeof tool!.returns === "function")
    return labelOfTool(target.name, said ?? hintsOf(tool!, input, output));
  const label = FIXED.get(tool!) ?? labelOfTool(target.name, hintsOf(tool!, input, output));
  FIXED.set(tool!, label);
  return label;
}

/** A call that never entered its tool has a result of the engine's own words. */
const ENGINES_OWN = frozenLabel("trusted", "anyone", [{ kind: "host", name: "engine" }]);

/** Its sub-agents may not have ended, so what they have read is not known. */
function cutOff({ status }: ToolResult): boolean {
  return status !== "success" && status !== "failure";
}

/** A tool's hints about its own results; one that fails, or is not understood, gives none. */
function hintsOf({ returns }: BaseTool, input: unknown, output: ToolResult["output"]): LabelHints | undefined {
  try {
    return readHints(typeof returns === "function" ? returns(input, output) : returns);
  } catch {
    return undefined;
  }
}
