// What a host would declare of the benchmark's tools. It reads `outside_text`, `effect`, `sends` and `roles` alone.
import type { JsonValue, Target, TargetKind, ToolOptions } from "../../../src/index.js";

export interface Facts {
  readonly outside_text: boolean;
  readonly effect: "read" | "write";
  readonly sends: boolean;
  readonly roles: { readonly [field: string]: "target" | "value" | "content" };
}

type Input = { readonly [field: string]: JsonValue };

/** The tool with its effects, its targets and the label of its results. */
export function declared(tool: ToolOptions<Input>, { outside_text, effect, sends, roles }: Facts): ToolOptions<Input> {
  return {
    ...tool,
    returns: { integrity: outside_text ? "untrusted" : "trusted" },
    effects: { writes: effect === "write", sends },
    // What acts on nothing that has a name acts by its values.
    targets(input) {
      const named = fieldsOf(input, roles, "target");
      return named.length > 0 ? named : fieldsOf(input, roles, "value");
    },
  };
}

function fieldsOf(input: Input, roles: Facts["roles"], role: "target" | "value"): Target[] {
  const fields = Object.entries(input).filter(([field]) => roles[field] === role);
  return fields.flatMap(([field, value]) => {
    return leavesOf(value).map((leaf) => ({ field, kind: kindOf(leaf, role), value: leaf }));
  });
}

const kindOf = (leaf: string, role: string): TargetKind =>
  role === "value" ? "amount" : /^(?:https?:\/\/|www\.)/.test(leaf) ? "url" : "id";

const leavesOf = (value: JsonValue): string[] =>
  typeof value === "object" && value !== null
    ? Object.values(value).flatMap(leavesOf)
    : value === null
      ? []
      : [`${value}`];
