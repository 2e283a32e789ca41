import type { HookMap } from "../../contracts/hook.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { PermissionGate, ToolPermission } from "../../contracts/permission.js";
import type { BaseTool } from "../../contracts/tool.js";
import { ToolRegistry } from "../../engine/tools/tool-registry.js";
import { checkOptions, type OptionTable, oneOf, optionOf, required, STRING } from "../../json/check-options.js";
import { type ContractCase, claim, claimSame, show, within } from "../contract-case.js";
import { fakeToolContext } from "../tool/fake-tool-context.js";
import type { GatePath } from "./gate-drive.js";
import { GATE_PATHS } from "./gate-paths.js";

/** One tool the gate has an opinion on, and an input for each of its answers. The tool is a probe: nothing is really done. */
export interface GateContractSamples {
  /** The tool's name, as the gate knows it. */
  readonly tool: string;
  /** The declared permission of the probe. Default: `execute`. */
  readonly permission?: ToolPermission | undefined;
  /** An input that the gate allows. */
  readonly allowed: JsonObject;
  /** An input that the gate asks about. */
  readonly asked: JsonObject;
  /** An input that the gate denies. */
  readonly denied: JsonObject;
}

const INPUT = optionOf((value) => typeof value === "object" && value !== null, "an input of the tool");
const SAMPLES = {
  tool: required(STRING),
  permission: oneOf("none", "read_only", "read_write", "execute"),
  allowed: required(INPUT),
  asked: required(INPUT),
  denied: required(INPUT),
} satisfies OptionTable<GateContractSamples>;

/**
 * The promises of an engine with this gate: on every path by which a tool can run, what the gate denies and what a hook denies
 * does not run, whatever approves it; and what the gate allows does run.
 *
 * `makeGate` is called once for each case.
 *
 * @example
 * const samples = { tool: "bash", allowed: { command: "ls" }, asked: { command: "npm publish" }, denied: { command: "git push" } };
 * for (const c of gateContract(() => createPermissionChecker({ rules }), samples)) test(c.name, c.run);
 */
export function gateContract(
  makeGate: () => PermissionGate | Promise<PermissionGate>,
  samples: GateContractSamples,
): ContractCase[] {
  checkOptions("gateContract()", samples, SAMPLES);
  const named = (name: string, run: () => Promise<void>): ContractCase => ({
    name,
    run: () => within(CASE_TIMEOUT_MS, run(), name),
  });
  const onPaths = Object.entries(GATE_PATHS).flatMap(([path, drive]) => [
    named(`${path}: what the gate allows runs`, async () => {
      const ran = await driven(drive, await makeGate(), samples, samples.allowed, {});
      claim(wasRun(ran, samples.allowed), `the allowed call did not run; what ran: ${show(ran)}.`);
    }),
    named(`${path}: what the gate denies does not run, whatever approves it`, async () => {
      const ran = await driven(drive, await makeGate(), samples, samples.denied, YES_HOOKS);
      claim(!wasRun(ran, samples.denied), "the denied call was run.");
    }),
    named(`${path}: what a PreToolUse hook denies does not run`, async () => {
      const ran = await driven(drive, await makeGate(), samples, samples.allowed, NO_HOOKS);
      claimSame(ran, [], "what ran although a hook denied it");
    }),
  ]);
  const alone = Object.entries(GATE_CASES).map(([name, check]) =>
    named(name, async () => check(await makeGate(), samples)),
  );
  return [...onPaths, ...alone];
}

const CASE_TIMEOUT_MS = 60_000;
/** The tools that start sub-agents and call others are the suite's own. */
const OWN_TOOLS: readonly string[] = ["delegate", "compose", "compose_below"];
const YES_HOOKS: HookMap = {
  PreToolUse: [{ run: () => ({ permissionDecision: "allow" }) }],
  PermissionRequest: [{ run: () => ({ permissionDecision: "allow" }) }],
};

const NO_HOOKS: HookMap = {
  PreToolUse: [
    { run: ({ toolName }) => (OWN_TOOLS.includes(toolName) ? undefined : { permissionDecision: "deny" }) },
    { run: () => ({ permissionDecision: "allow" }) },
  ],
};

type Check = (gate: PermissionGate, samples: GateContractSamples) => Promise<void>;

const GATE_CASES: Readonly<Record<string, Check>> = {
  "Registry.execute: a tool's own deny and ask hold where there is no gate": async (_gate, samples) => {
    for (const behavior of ["deny", "ask"] as const) {
      const ran: JsonValue[] = [];
      const tool: BaseTool = { ...probe(samples, ran), checkPermission: () => ({ behavior }) };
      const call = { id: "call_1", name: tool.name, arguments: samples.allowed };
      const { status } = await new ToolRegistry().register(tool).execute(call, fakeToolContext());
      claimSame(status, "denied", `the status of a call whose tool says ${behavior}`);
      claimSame(ran, [], "what ran");
    }
  },

  "the gate answers the samples as they say, also when it is given the tool's name alone": async (gate, samples) => {
    for (const [behavior, input] of [
      ["allow", samples.allowed],
      ["ask", samples.asked],
      ["deny", samples.denied],
    ] as const) {
      for (const tool of [probe(samples, []), samples.tool]) {
        const decision = await gate.decide({ tool, input, sessionId: "session-1" });
        claimSame(decision.behavior, behavior, `the decision on ${show(input)}`);
      }
    }
  },

  "a hook's allow does not turn a deny around": async (gate, samples) => {
    const hook = { behavior: "allow" } as const;
    const decision = await gate.decide({ tool: probe(samples, []), input: samples.denied, hook });
    claimSame(decision.behavior, "deny", "the decision");
  },

  "no mode turns a deny around": async (gate, samples) => {
    for (const mode of ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const) {
      const decision = await gate.decide({ tool: probe(samples, []), input: samples.denied, mode });
      claimSame(decision.behavior, "deny", `the decision in mode "${mode}"`);
    }
  },
};

async function driven(
  path: GatePath,
  gate: PermissionGate,
  samples: GateContractSamples,
  input: JsonObject,
  hooks: HookMap,
): Promise<JsonValue[]> {
  const ran: JsonValue[] = [];
  const { allowed, asked } = samples;
  await path({ gate: openToOwn(gate), tool: probe(samples, ran), input, allowed, asked, hooks });
  return ran;
}

function openToOwn(gate: PermissionGate): PermissionGate {
  return {
    remember: gate.remember?.bind(gate),
    decide(request) {
      const tool = typeof request.tool === "string" ? request.tool : request.tool.name;
      return OWN_TOOLS.includes(tool) ? { behavior: "allow" } : gate.decide(request);
    },
  };
}

/** Keeps what it is run with, and does nothing. */
function probe({ tool: name, permission = "execute" }: GateContractSamples, ran: JsonValue[]): BaseTool {
  return {
    name,
    permission,
    definition: () => ({ name, description: "A probe.", inputSchema: { type: "object" } }),
    async execute(input: JsonValue) {
      ran.push(input);
      return "Probed.";
    },
  };
}

function wasRun(ran: readonly JsonValue[], input: JsonObject): boolean {
  return ran.some((each) => JSON.stringify(each) === JSON.stringify(input));
}
