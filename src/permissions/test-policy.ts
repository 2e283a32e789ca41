import type { JsonValue } from "../contracts/json.js";
import type { PermissionDecision, PermissionMode, PermissionRequest } from "../contracts/permission.js";
import type { PermissionChecker } from "./checker.js";
import type { Explanation } from "./explain.js";

/** What a policy is meant to say about one call. */
export interface PolicyCase {
  /** Shown when it fails. Default: the tool and its input. */
  readonly name?: string;
  /** The tool's name in either dialect, or the tool. */
  readonly tool: PermissionRequest["tool"];
  readonly input: JsonValue;
  readonly expect: PermissionDecision["behavior"];
  readonly mode?: PermissionMode;
}

/** A case a policy does not decide as expected. */
export interface PolicyFailure {
  readonly name: string;
  readonly expected: PermissionDecision["behavior"];
  readonly actual: PermissionDecision["behavior"];
  readonly explanation: Explanation;
}

/** Runs a policy's own tests, as `explain` answers. Resolves with the cases that fail; none is an empty list. */
export async function testPolicy(
  permissions: Pick<PermissionChecker, "explain">,
  cases: readonly PolicyCase[],
): Promise<PolicyFailure[]> {
  const failures: PolicyFailure[] = [];
  for (const { name, expect, ...request } of cases) {
    const explanation = await permissions.explain(request);
    const actual = explanation.decision.behavior;
    if (actual !== expect) failures.push({ name: name ?? nameOf(request), expected: expect, actual, explanation });
  }
  return failures;
}

function nameOf({ tool, input }: Pick<PolicyCase, "tool" | "input">): string {
  return `${typeof tool === "string" ? tool : tool.name} ${JSON.stringify(input)}`;
}
