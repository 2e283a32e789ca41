// Random tools that call others, the model that calls them, and what must hold of their effects, however often the process is killed.
import fc from "fast-check";
import {
  AgentEngine,
  type Answer,
  type BaseTool,
  type JsonValue,
  type NestedCall,
  type NestedResult,
  type PendingRequest,
  type RunResult,
  type SessionStore,
} from "../../src/index.js";
import { scripted, text, toolCall } from "../../src/providers/scripted/index.js";

/**
 * The tools, by what they do after a crash. `look` only reads, `once` fails, `many` is retried, `check` asks whether it is to run
 * again, `pay` asks the gate first, and `below` calls `once` and `many` itself.
 */
const TOOLS = ["look", "once", "many", "check", "pay", "below"] as const;
type ToolName = (typeof TOOLS)[number];

/** The waves of a tool that composes others. */
export type Composition = readonly (readonly ToolName[])[];

const wave = fc.array(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 3 });
export const composition: fc.Arbitrary<Composition> = fc.array(wave, { minLength: 1, maxLength: 4 });

/** What is outside the process: it stays when that is killed. */
export interface Outside {
  /** Something of the outside is about to happen: a process that is killed here does not come back from it. */
  moment(): Promise<void>;
  /** Keeps a line for good. */
  note(line: string): void;
}

export const SESSION = "composed";

export function toolNamed(name: string, execute: BaseTool["execute"], about: Partial<BaseTool>): BaseTool {
  const definition = () => ({ name, description: `The tool ${name}.`, inputSchema: { type: "object" as const } });
  return { name, permission: "none", definition, execute, timeoutMs: null, ...about };
}

export function toolsFor(waves: Composition, { moment, note }: Outside): BaseTool[] {
  const effect: BaseTool["execute"] = async (input, { toolCallId }) => {
    await moment();
    note(`did ${toolCallId}`);
    await moment();
    return { output: "Done.", value: { did: toolCallId, after: input.after as JsonValue } };
  };
  /** What a call is given depends on all results so far, so that replaying other results would be noticed. */
  const compose = (steps: readonly (readonly string[])[]): BaseTool["execute"] => {
    return async (_input, { calls, toolCallId }) => {
      let after: JsonValue = (await calls!.begin({ of: toolCallId })).data;
      for (const [at, names] of steps.entries()) {
        const made = names.map((name): NestedCall => ({ name, input: { after } }));
        const results = await calls!.run(made);
        note(`saw ${toolCallId}.${at + 1} ${JSON.stringify(results.map(shown))}`);
        after = results.map(({ status, value }) => [status, status === "success" ? Object(value).did : null]);
      }
      return { output: JSON.stringify(after) };
    };
  };
  const composing = { onUnknown: "retry" as const };
  return [
    toolNamed("compose", compose(waves), composing),
    toolNamed("below", compose([["once"], ["many"]]), composing),
    toolNamed("look", async () => ({ output: "Seen.", value: { did: "look" } }), { permission: "read_only" }),
    toolNamed("once", effect, {}),
    toolNamed("many", effect, { onUnknown: "retry" }),
    toolNamed("check", effect, { onUnknown: "ask" }),
    toolNamed("pay", effect, { permission: "execute" }),
  ];
}

function shown({ toolCallId, status, value, at }: NestedResult) {
  return [toolCallId, status, value, at];
}

/** Goes on with the session, or begins it, to its end or its next question. */
export async function live(waves: Composition, sessions: SessionStore, outside: Outside, answers: readonly Answer[]) {
  const provider = scripted(
    [
      ({ messages }) =>
        messages.some(({ role }) => role === "tool") ? text("Done.") : toolCall("compose", {}, { id: "c" }),
    ],
    { loop: true },
  );
  const engine = new AgentEngine({
    provider,
    sessions,
    tools: toolsFor(waves, outside),
    limits: { maxConcurrentTools: 2 },
  });
  let isNew = true;
  for await (const _entry of sessions.read(SESSION)) isNew = false;
  const result = isNew
    ? await engine.run("Go.", { sessionId: SESSION })
    : await engine.resume(SESSION, { answers: [...answers] }).result;
  await engine.close();
  return result;
}

/** Allows and denies by turns. */
export function answersTo(pending: readonly PendingRequest[], yes: number): Answer[] {
  return pending.map(({ id }, index) => ({ id, decision: (index + yes) % 3 === 0 ? "deny" : "allow" }));
}

/** The laws that were broken. `lines` is all that was noted, `result` the last life's. */
export function brokenLaws(waves: Composition, lines: readonly string[], result: RunResult): string[] {
  const problems: string[] = [];
  if (result.status !== "completed") problems.push(`the run ended as ${result.status}: ${result.error?.message}`);
  const times = (kind: string, id: string) => lines.filter((line) => line === `${kind} ${id}`).length;
  const seen = new Map<string, string>();
  for (const line of lines.filter((each) => each.startsWith("saw "))) {
    const [, at, what] = /^saw (\S+) (.*)$/.exec(line)!;
    if (seen.has(at!) && seen.get(at!) !== what) problems.push(`${at} was ${seen.get(at!)}, and then ${what}`);
    seen.set(at!, what!);
  }
  const results = [...seen.values()].flatMap((what) => JSON.parse(what) as [string, string, JsonValue][]);
  const statusOf = new Map(results.map(([id, status]) => [id, status]));
  const expected = waves.flatMap((names, at) => names.map((name, n) => [`c.${at + 1}.${n + 1}`, name] as const));
  const inner = expected.flatMap(([id, name]) =>
    name === "below"
      ? [
          [`${id}.1.1`, "once"],
          [`${id}.2.1`, "many"],
        ]
      : [],
  );
  for (const [id, name] of [...expected, ...inner] as [string, ToolName][]) {
    const did = times("did", id);
    const status = statusOf.get(id);
    const allowed = times("allow", id);
    const say = (what: string) => problems.push(`${name} ${id} (${status}, allowed ${allowed}): ${what}`);
    if (status === undefined) say("it has no result");
    if (name === "look" || name === "below") continue;
    if (status === "success" && did === 0) say("it says that it was done, and it was not");
    if (status === "denied" && name === "pay" && did > 0) say("it was denied, and it was done");
    if (name === "once" && did > 1) say(`it was done ${did} times`);
    if (name === "pay" && (did > 1 || (did > 0 && allowed === 0))) say(`it was done ${did} times`);
    if (name === "check" && did > 1 + allowed) say(`it was done ${did} times`);
    if (name === "many" && status !== "success") say("it was not done in the end");
    if (did > 0 && status !== "success" && status !== "unknown" && status !== "denied")
      say("its result does not say it");
  }
  return problems;
}
