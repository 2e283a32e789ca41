import type { JsonValue } from "../contracts/json.js";
import type { PermissionDecision, PermissionMode, PermissionRequest } from "../contracts/permission.js";
import {
  ANYTHING,
  checkOptions,
  eitherOf,
  listOf,
  type OptionTable,
  oneOf,
  optionOf,
  required,
  TEXT,
  tableOf,
} from "../json/check-options.js";
import type { PermissionChecker } from "./checker.js";
import { MODES } from "./decision.js";
import type { Explanation } from "./explain.js";

/** The decision that a policy is meant to give one call. */
export interface PolicyCase {
  /** Shown when it fails. Default: the tool and its input. */
  readonly name?: string | undefined;
  /** The tool's name in either dialect, or the tool. */
  readonly tool: PermissionRequest["tool"];
  readonly input: JsonValue;
  readonly expect: PermissionDecision["behavior"];
  readonly mode?: PermissionMode | undefined;
}

/** A case a policy does not decide as expected. */
export interface PolicyFailure {
  readonly name: string;
  readonly expected: PermissionDecision["behavior"];
  readonly actual: PermissionDecision["behavior"];
  readonly explanation: Explanation;
}

const CASE = {
  name: TEXT,
  tool: required(eitherOf(TEXT, optionOf(isTool, "a tool"))),
  input: ANYTHING,
  expect: required(oneOf("allow", "ask", "deny")),
  mode: oneOf(...MODES),
} satisfies OptionTable<PolicyCase>;

/** Runs a policy's own tests, as `explain` answers. Resolves with the cases that fail; none is an empty list. */
export async function testPolicy(
  permissions: Pick<PermissionChecker, "explain">,
  cases: readonly PolicyCase[],
): Promise<PolicyFailure[]> {
  checkOptions("testPolicy()", { cases }, { cases: listOf(tableOf(CASE), "cases") });
  const failures: PolicyFailure[] = [];
  for (const { name, expect, ...request } of cases) {
    const explanation = await permissions.explain(request);
    const actual = explanation.decision.behavior;
    if (actual !== expect) failures.push({ name: name ?? nameOf(request), expected: expect, actual, explanation });
  }
  return failures;
}

function isTool(value: unknown): boolean {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "name") === "string";
}

function nameOf({ tool, input }: Pick<PolicyCase, "tool" | "input">): string {
  return `${typeof tool === "string" ? tool : tool.name} ${JSON.stringify(input)}`;
}
