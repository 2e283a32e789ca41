/*
 * An agent that is not ours as a sub-agent: it stands in the place of the model of a child run, one answer long. So what it uses is counted,
 * what it asks is a call that the gate decides and the approver sees, and it ends when its call does.
 *
 * Its work through its host are calls of this engine's tools, by `context.calls`. About its own work no gate decides.
 */

import { ProviderError, ToolError } from "../../contracts/errors.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { OwnToolsStance } from "../../contracts/permission.js";
import type { ProviderAdapter, ProviderEvent, ProviderRequest } from "../../contracts/provider.js";
import type { RunResult } from "../../contracts/run.js";
import type { SubagentDefinition } from "../../contracts/subagent.js";
import type { BaseTool, ToolContext, ToolOutput } from "../../contracts/tool.js";
import type { NestedCalls, ToolCall } from "../../contracts/tool-call.js";
import type { Usage } from "../../contracts/usage.js";
import { clip } from "../../text/cut.js";
import { textOrJson } from "../../text/describe-value.js";
import { LEAVING } from "../calls/leaving.js";
import { defineTool } from "../tools/define-tool.js";
import {
  agentGone,
  type ForeignAgent,
  type ForeignAnswer,
  type ForeignEnd,
  type ForeignHost,
  type ForeignQuestion,
  permissionName,
} from "./foreign-work.js";

/** The part of the agent's answer that the parent reads; the whole is an artifact. */
const MAX_TEXT_CHARS = 5_000;
/** Questions and restarts of one call. */
const MAX_TURNS = 1_000;
/** Between two signs of life of an agent that says nothing. Unit: milliseconds. */
const WAITING_MS = 5_000;
/** The reason why an agent is gone that had something done by its host. */
const LEFT = "its host was doing something for it, or its process died";
/** Its own calls use no model of ours. */
const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 };

export interface ForeignToolOptions {
  readonly name: string;
  readonly description: string;
  /** The word for what it speaks; recorded as the provider of its messages. */
  readonly protocol: string;
  readonly ownTools: OwnToolsStance;
  start(context: ToolContext): ForeignAgent;
}

const INPUT = {
  type: "object",
  properties: {
    prompt: {
      type: "string",
      minLength: 1,
      maxLength: 200_000,
      description:
        "The whole task. The agent sees nothing of this conversation: say what to do, where, and what to report.",
    },
  },
  required: ["prompt"],
  additionalProperties: false,
} as const;

/** The tool that gives an agent a task. Its name, with `_permission`, is that of the calls by which the agent asks. */
export function foreignAgentTool({ name, description, protocol, ownTools, start }: ForeignToolOptions): BaseTool {
  return defineTool<{ prompt: string }>({
    name,
    description,
    input: INPUT,
    permission: "execute",
    ownTools,
    describe: ({ prompt = "" }) => ({ title: `${name}: ${clip(prompt, 200)}`, kind: "think" }),
    spawns: { maxDepth: 1 },
    timeoutMs: null,
    replayable: false,
    onUnknown: "fail",
    maxResultChars: MAX_TEXT_CHARS,
    async execute({ prompt }, context) {
      if (!context.spawn) {
        const message = `"${name}" works within the run of an engine, and this call is outside of one.`;
        throw new ToolError("TOOL_FAILED", { message });
      }
      // Calls that were made before the call was left go first, and what was asked is carried out; the agent that made them is gone.
      const own = context.calls;
      const waves = (await own?.begin(null))?.waves ?? [];
      for (const { calls } of waves) await own!.run(calls);
      const agent = start(context);
      const model = new ForeignModel(agent, { name, protocol, prompt, context, own, wasCutOff: waves.length > 0 });
      try {
        const result = await context.spawn(definitionOf(name, description, model), prompt);
        if (model.gone) throw model.gone;
        return outputOf(name, result, model);
      } finally {
        await agent.close();
      }
    },
  });
}

function definitionOf(name: string, description: string, model: ForeignModel): SubagentDefinition {
  return {
    name,
    description,
    systemPrompt: "",
    tools: [],
    ownTools: () => [permissionTool(name)],
    model,
    maxTurns: MAX_TURNS,
  };
}

/** The agent's questions are calls, so that rules, modes, hooks and the approver have their say. */
function permissionTool(name: string): BaseTool {
  return defineTool<{ title: string }>({
    name: permissionName(name),
    description: `"${name}" asks whether it may do something with its own tools.`,
    input: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
    permission: "execute",
    polls: true,
    claims: () => [],
    describe: ({ title = "" }) => ({ title: clip(title, 200), kind: "execute" }),
    execute: () => "allowed",
  });
}

interface Pending {
  readonly id: string;
  readonly question: ForeignQuestion;
  answer(answer: ForeignAnswer): void;
}

interface ModelOptions {
  readonly name: string;
  readonly protocol: string;
  readonly prompt: string;
  readonly context: ToolContext;
  readonly own: NestedCalls | undefined;
  /** The call was left while the agent was at work. */
  readonly wasCutOff: boolean;
}

/** The agent in the place of a model: each of its answers goes up to what it asks next, or to its end. */
class ForeignModel implements ProviderAdapter {
  readonly id: string;
  readonly model: string;
  end: ForeignEnd | undefined;
  /** Set when the agent of an earlier process cannot be taken up. */
  gone: ToolError | undefined;
  readonly #pending: Pending[] = [];
  #work: Promise<ForeignEnd> | undefined;
  #asked = 0;
  #wake = () => {};

  constructor(
    private readonly agent: ForeignAgent,
    private readonly options: ModelOptions,
  ) {
    this.id = options.protocol;
    this.model = options.name;
  }

  readonly prices = (): number | null => this.end?.costUsd ?? null;

  async *stream({ messages, signal }: ProviderRequest): AsyncGenerator<ProviderEvent> {
    const over = signal ?? this.options.context.signal;
    if (this.#work) this.#takeAnswers(messages);
    else this.#work = this.#begin(messages, over);
    this.#work.catch(() => {});
    const asked = yield* this.#next(this.#work, over);
    yield { type: "message-start" };
    for (const [index, { id, question }] of asked.entries()) {
      const { title, about = {}, session } = question;
      const args = { ...about, title, ...(session !== undefined && { session }) };
      yield { type: "tool-call-end", index, call: { id, name: permissionName(this.model), arguments: args } };
    }
    if (asked.length > 0) {
      yield { type: "message-end", finishReason: "tool-calls", usage: NO_USAGE };
      return;
    }
    const { text, usage } = this.end!;
    yield { type: "text-delta", text: text === "" ? "[It has said nothing.]" : text };
    yield { type: "message-end", finishReason: "stop", ...(usage && { usage }) };
  }

  /** Waits, and says so, until the agent asks something or has come to its end. */
  async *#next(work: Promise<ForeignEnd>, over: AbortSignal): AsyncGenerator<ProviderEvent, readonly Pending[]> {
    over.addEventListener("abort", () => this.#wake(), { once: true });
    for (;;) {
      over.throwIfAborted();
      if (this.#pending.length > 0) return [...this.#pending];
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = await Promise.race([
        work,
        new Promise<undefined>((resolve) => {
          this.#wake = () => resolve(undefined);
          timer = setTimeout(() => resolve(undefined), WAITING_MS);
        }),
      ]).finally(() => clearTimeout(timer));
      this.end = end;
      if (end) return [];
      if (this.#pending.length === 0) yield { type: "waiting" };
    }
  }

  #begin(messages: ProviderRequest["messages"], signal: AbortSignal): Promise<ForeignEnd> {
    const { prompt, context, own, wasCutOff } = this.options;
    const host: ForeignHost = {
      signal,
      ask: (question) => this.#ask(question),
      calls: own ? (calls) => own.run(calls) : null,
      progress: (update) => context.progress(update),
    };
    const left = messages.findLast(({ role }) => role === "assistant");
    // A call that waits for somebody elsewhere is answered once this agent is gone.
    const isLeft = own && LEAVING.get(own)?.then(() => Promise.reject(this.#isGone(LEFT)));
    const orLeft = (work: Promise<ForeignEnd>) => (isLeft ? Promise.race([work, isLeft]) : work);
    if (!left && !wasCutOff) return orLeft(this.agent.work(prompt, host));
    const calls = left?.content.filter((part): part is ToolCall & { type: "tool-call" } => part.type === "tool-call");
    const { session } = Object(calls?.[0]?.arguments) as { session?: unknown };
    if (typeof session !== "string" || !this.agent.takeUp) {
      const { missing } = this.agent;
      throw calls?.length
        ? this.#isGone(`that needs ${missing}, which it does not have`, { missing })
        : this.#isGone(LEFT);
    }
    const said = answersIn(messages, (id) => calls!.find((call) => call.id === id)?.arguments);
    return orLeft(this.agent.takeUp(session, said.join("\n"), host));
  }

  #isGone(why: string, details?: JsonObject): ProviderError {
    this.gone = agentGone(this.model, why, details);
    return new ProviderError("PROVIDER_FAILED", { message: this.gone.message, retryable: false });
  }

  #ask(question: ForeignQuestion): Promise<ForeignAnswer> {
    return new Promise((answer) => {
      this.#pending.push({ id: `${this.options.context.toolCallId}_${++this.#asked}`, question, answer });
      this.#wake();
    });
  }

  #takeAnswers(messages: ProviderRequest["messages"]): void {
    const results = messages.findLast(({ role }) => role === "tool")?.content ?? [];
    for (const { id, answer } of this.#pending.splice(0)) {
      const result = results.find((part) => part.type === "tool-result" && part.toolCallId === id);
      answer(answerOf(result));
    }
  }
}

function answerOf(result: ProviderRequest["messages"][number]["content"][number] | undefined): ForeignAnswer {
  if (result?.type !== "tool-result") return { isAllowed: false, reason: "Nobody has answered." };
  return result.isError ? { isAllowed: false, reason: textOrJson(result.output) } : { isAllowed: true };
}

function answersIn(
  messages: ProviderRequest["messages"],
  argumentsOf: (id: string) => JsonValue | undefined,
): string[] {
  const results = messages.findLast(({ role }) => role === "tool")?.content ?? [];
  return results.flatMap((part) => {
    if (part.type !== "tool-result") return [];
    const { title = "what you asked" } = Object(argumentsOf(part.toolCallId)) as { title?: string };
    const answer = answerOf(part);
    return `You were started again. ${title}: ${answer.isAllowed ? "allowed. Go on with it." : `refused. ${answer.reason}`}`;
  });
}

function outputOf(
  name: string,
  { status, text, usage, costUsd, sessionId, error }: RunResult,
  model: ForeignModel,
): ToolOutput {
  const details = { subagent: name, id: sessionId, status, usage: { ...usage }, costUsd };
  const why = model.end?.unfinished ?? (status === "completed" ? undefined : (error?.message ?? status));
  if (why === undefined) return { output: text, details };
  const output = `[Agent "${name}" did not finish: ${clip(why, 500).replace(/\.$/, "")}. Its last message follows.]\n\n${text}`;
  return { output, isError: true, details: { ...details, code: error?.code ?? "TOOL_FAILED" } };
}
