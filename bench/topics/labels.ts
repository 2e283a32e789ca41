// The cost of a turn whose content has labels: the same run under the same rules, with `flow` and without.
import { AgentEngine, type BaseTool } from "loopwright";
import { createPermissionChecker, type FlowOptions } from "loopwright/permissions";
import { noop, repeatingModel } from "../floors.js";
import { interleave } from "../measure.js";
import { mustComplete } from "../ours.js";
import { isQuick, report } from "../row.js";

const TURNS = 200;

/** Each call sends and names its target, and each result is somebody else's text. */
const sending: BaseTool<{ readonly to: string }> = {
  ...noop,
  permission: "execute",
  effects: { sends: true },
  targets: ({ to }) => [{ field: "to", kind: "recipient", value: to }],
  returns: { integrity: "untrusted", sources: [{ kind: "web", name: "x.example" }] },
};

const run = (flow: FlowOptions | "off") => async () => {
  const permissions = createPermissionChecker({ rules: { allow: ["noop"] }, flow });
  const limits = { maxTurns: 2 * TURNS };
  const provider = repeatingModel(TURNS, undefined, { to: "ann@x.example" });
  const engine = new AgentEngine({ provider, tools: [sending], permissions, limits });
  mustComplete(await engine.run("Write to ann@x.example."));
};

const times = await interleave({ without: run("off"), labels: run({}) }, { rounds: isQuick ? 30 : 60, warmups: 20 });
report([
  {
    what: `a turn with labels (floor: without), ${TURNS} turns, warm`,
    unit: "µs",
    floor: (times.without * 1000) / TURNS,
    ours: (times.labels * 1000) / TURNS,
    budgets: [{ max: 1.25, times: "floor" }],
  },
]);
