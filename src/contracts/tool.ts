import type { Answer, SuspendRequest } from "./approval.js";
import type { ContentPart } from "./content.js";
import type { HookOutcome, HookPayloads, ToolNotice } from "./hook.js";
import type { JsonValue } from "./json.js";
import type { DeclaredFlow, Label, LabelHints } from "./label.js";
import type { DeliveryOrigin, Message } from "./message.js";
import type { GatedTool, PermissionResult, ToolPermission } from "./permission.js";
import type { RunResult } from "./run.js";
import type { SubagentDefinition, SubagentInfo } from "./subagent.js";
import type { DescribedCall, NestedCalls, RootCall, ToolCall, ToolDefinition, ToolResult } from "./tool-call.js";
import type { ArtifactRef, ArtifactStore } from "./workspace.js";

/**
 * A resource a call needs. Two claims conflict when their keys overlap and one of them writes; a call waits for every
 * earlier conflicting call of its message. `"*"` overlaps every key.
 */
export interface ResourceClaim {
  readonly mode: "read" | "write";
  readonly key: string;
}

/**
 * The return value of `execute`: a string, a string or content parts with a flag and details for the host, or any other JSON value,
 * which the model reads as JSON text.
 *
 * An object counts as the second form only if its `output` is a string or content parts, and it has no keys beside those below.
 */
export type ToolOutput =
  | string
  | JsonValue
  | {
      readonly output: string | readonly ContentPart[];
      readonly isError?: boolean;
      readonly details?: JsonValue;
      /**
       * The result as data, for programs and for a host that makes the call itself; the model never reads it. It may be a getter, which is
       * read when somebody wants it. Dropped when a hook replaces the output.
       */
      readonly value?: JsonValue;
      /** The place of the whole, when the tool itself has kept what it leaves out. Dropped when a hook replaces the output. */
      readonly artifact?: ArtifactRef;
      /** The source of this one result, joined with what `returns` says: it never makes a result more trusted. What is not understood is untrusted. */
      readonly label?: LabelHints;
    };

/**
 * Runs a child agent to its end, with a transcript of its own.
 *
 * The child shares the parent's gate, hooks, budgets, approver and abort. Resolves with how it ended, and a string that is
 * never empty; does not reject for what happened inside the child.
 *
 * A child that asks the host something nobody in this process answers suspends the call: `spawn` then throws to leave the
 * tool, once no other child of the call is at work. After the answer the tool is entered again, possibly in another
 * process, and its n-th `spawn` continues the child of the n-th `spawn` before, or returns how it ended. So a tool must
 * spawn the same children in the same order whenever it is entered for a call.
 *
 * @throws ToolError `SUBAGENT_DEPTH` when the child would be deeper than the tool's `spawns.maxDepth`
 */
export type SpawnSubagent = (
  definition: SubagentDefinition,
  prompt: string | readonly ContentPart[],
  options?: SpawnOptions,
) => Promise<RunResult>;

/** The options of a child run. */
export interface SpawnOptions {
  /** Take the place of the parent's tools of the same names, where the child may use those: the same work elsewhere. */
  readonly tools?: readonly BaseTool[] | undefined;
  /**
   * The `id` of a sub-agent of this session that has ended: the child begins with all that it said and read, and its label. In the
   * background, the newest goes on of one that was continued already. Default: the child begins with nothing.
   */
  readonly continues?: string | undefined;
}

/**
 * The sub-agents that an agent has in the background. They are not part of the call that started them: they go on when it
 * has its result, and end with the run at the latest.
 *
 * A run does not complete while one is at work: it waits, delivers each end as a message with origin `subagent`, and
 * takes another turn. Those that a run leaves unfinished go on when the session is used again.
 */
export interface BackgroundSubagents {
  /**
   * Starts one under the call. Resolves once that is recorded. The tool must have `spawns.find`, which gives the
   * definition to a later process. @throws ToolError `SUBAGENT_DEPTH`; `TOOL_FAILED` to continue one whose end is not delivered
   */
  start(...spawned: Parameters<SpawnSubagent>): Promise<SubagentInfo>;
  /** This agent's, oldest first, also those of earlier runs. */
  list(): readonly SubagentInfo[];
  /** The last text of one; empty if it has said nothing yet, or ended in an earlier run. @throws ToolError `SUBAGENT_UNKNOWN` */
  textOf(id: string): string;
  /** Resolves when it has ended, or waits for the host. @throws ToolError `SUBAGENT_UNKNOWN` */
  ended(id: string): Promise<void>;
  /** Sends it a message for its next turn. `false`: it has ended. @throws ToolError `SUBAGENT_UNKNOWN` */
  send(id: string, text: string): boolean;
  /** Aborts it; its end is delivered. `false`: it had ended. @throws ToolError `SUBAGENT_UNKNOWN` */
  stop(id: string): boolean;
}

/**
 * The context of a tool call beside its input. Its properties are getters: use or destructure them, do not spread.
 */
export interface ToolContext {
  /** Aborts when the run is aborted or the call has timed out; `signal.reason` is a `HarnessError`. */
  readonly signal: AbortSignal;
  readonly toolCallId: string;
  readonly runId: string;
  readonly turn: number;
  /** Names from the main agent (`[]`) down to the sub-agent that made this call. */
  readonly agentPath: readonly string[];
  /** The root run's session. */
  readonly sessionId: string;
  /** This agent's own transcript; equals `sessionId` in the main agent. */
  readonly transcriptId: string;
  /** The main agent's call that this one is part of: itself, unless a sub-agent makes it. */
  readonly rootCall?: RootCall;
  /** The run option `context`, as it was passed. */
  readonly app: unknown;
  /** The label of the call: the join of all content that its maker had read. Absent where the gate uses no labels. */
  readonly label?: Label | undefined;
  /** Reports how far the call is, as a `tool-progress` event. Ignored once the call has its result. */
  progress(update: JsonValue): void;
  /**
   * The result of the call so far, for the model: asked for once, when a timeout or an abort ends the call before the
   * tool could return anything, and added to that result. At most 20,000 characters are kept. A later one replaces it.
   */
  whenCutOff?(soFar: () => string): void;
  /** Runs the hooks of a point for something the tool has done. Resolves with what they say; nobody needs to wait. */
  notify?<P extends ToolNotice>(point: P, payload: HookPayloads[P]): Promise<HookOutcome | null> | void;
  /**
   * Appends a message for the model at the next turn, recorded with its origin; also after the call has its result, for as
   * long as the run goes on. A run that would end takes another turn for it. Returns whether it was taken: `false`
   * once the run has ended.
   */
  deliver?(text: string, origin: DeliveryOrigin): boolean;
  /**
   * Records something in the main agent's session, as a `custom` entry. Resolves once it is kept; rejects when it cannot be,
   * or when the run has ended. Names that begin with `loopwright.` are the engine's own.
   */
  record?(name: string, data: JsonValue): Promise<void>;
  readonly artifacts?: ArtifactStore;
  /** Runs a child agent under this call: same gate, hooks, budgets and abort. */
  readonly spawn?: SpawnSubagent;
  /** The agent's sub-agents in the background. */
  readonly background?: BackgroundSubagents;
  /** Calls tools of this run from inside the call. Absent where there is no engine. */
  readonly calls?: NestedCalls;
  /** Asks for a compaction before the next model call. */
  requestCompaction?(focus?: string): void;
  /**
   * Leaves `execute` until the host has answered: `return context.suspend({ kind: "question", reason })`.
   *
   * Throws to leave the function; wins even if the tool catches it. `execute` is then entered again, possibly in
   * another process, with `resumed` set.
   */
  suspend(request: SuspendRequest, state?: JsonValue): never;
  /** Present when the call was suspended and has been answered. */
  readonly resumed?: { readonly answer: Answer; readonly state: JsonValue };
}

/** Before which model call a tool's `reminder` is asked. */
export interface ReminderMoment {
  readonly sessionId: string;
  readonly transcriptId: string;
  readonly turn: number;
  /** The agent's transcript so far. Read it when a process sees the agent for the first time, not in every turn. */
  messages?(): readonly Message[];
}

/** A tool: a named function with an input schema that a model may ask for. `defineTool` makes one from a plain object. */
// biome-ignore lint/suspicious/noExplicitAny: a registry holds tools of every input type
export interface BaseTool<Input = any> extends GatedTool, DeclaredFlow<Input> {
  /** 1–64 characters of `a–z A–Z 0–9 _ -`: what every provider accepts. */
  readonly name: string;
  readonly permission: ToolPermission;
  definition(): ToolDefinition;
  /** Awaited once before `definition()` is first read, for schema converters that load on demand. */
  ready?(): Promise<void>;
  /**
   * Does the work. Returns the output, or yields progress and returns the output.
   *
   * Called only after parsing, validation, hooks and permission. A thrown error becomes an error result the model
   * can read. The input is this call's own copy.
   */
  execute(input: Input, context: ToolContext): ToolOutput | Promise<ToolOutput> | AsyncGenerator<JsonValue, ToolOutput>;
  /** Turns arguments into `Input`. @throws ToolError `TOOL_INPUT_INVALID` with `details.issues` */
  parse?(args: JsonValue): Input | Promise<Input>;
  /** Checks values beyond the schema. Throws to refuse the call with a message for the model. */
  validate?(input: Input, context: ToolContext): Promise<void>;
  /** The tool's own opinion on one call, at once or later; a gate waits for it and combines it with its rules. */
  checkPermission?(
    input: Input,
    context: { readonly agentPath: readonly string[]; readonly sessionId: string },
  ): PermissionResult | Promise<PermissionResult>;
  /**
   * The resources that the call needs, exclusively or shared. Not declared: `none` claims nothing, `read_only` reads `"*"`,
   * others write `"*"`. `about` names the root run's session.
   */
  claims?(input: Input, about?: { readonly sessionId: string }): readonly ResourceClaim[];
  /**
   * Present on tools that work with sub-agents: how deep those may be, 1 being the main agent's. A sub-agent at the
   * deepest level does not have the tool. A tool without it may spawn sub-agents of the main agent only.
   */
  readonly spawns?:
    | {
        readonly maxDepth: number;
        /** The definition of a sub-agent in the background, by name, when a session is used again. */
        find?(name: string): SubagentDefinition | undefined;
      }
    | undefined;
  /** Its callers; for all others there is no such tool. `program`: a tool, by `context.calls`, or the vendor's server. Default: both. */
  readonly callers?: readonly ("model" | "program")[] | undefined;
  /** Safe to start before the message is complete, and to run again. Default: `permission === "read_only"`. */
  readonly replayable?: boolean | undefined;
  /**
   * Whether it is called again and again to wait for something, as a tool for the status of a job is. Its repeated calls
   * are never taken for a runaway. Default: `false`.
   */
  readonly polls?: boolean | undefined;
  /** A hint for user interfaces, nothing else. */
  destructive?(input: Input): boolean;
  /**
   * The look of one call to a person: in an editor, a terminal, a page, notes on a session. Nothing else depends on it. Synchronous,
   * pure and cheap. It gets the arguments as the model sent them, not checked: any may be missing, or of another type. What it
   * throws, and what is not a `DescribedCall`, is dropped, and the call looks as it does without it: by the tool's name.
   */
  describe?(input: Partial<Input>): DescribedCall;
  /**
   * The time of `execute`; `null`: without a limit, for what waits for a person or another agent. A shorter
   * `limits.toolTimeoutMs` of the host caps it. Default: that limit, or 60_000. Unit: milliseconds.
   */
  readonly timeoutMs?: number | null | undefined;
  /** Larger results are offloaded. Unit: characters. Default: 20_000. `0` offloads everything. */
  readonly maxResultChars?: number | undefined;
  /**
   * The way code (a resume, a plan, `engine.execute`) treats a call that may have had effects already: one that had started
   * before a crash, timed out, was aborted, or says so itself by `details.outcome: "unknown"` in what it returns or throws.
   * Default: `retry` if replayable, else `fail`.
   */
  readonly onUnknown?: "retry" | "ask" | "fail" | undefined;
  /**
   * Asked before each model call of an agent that has the tool; `null` says nothing. A string is appended to the
   * transcript as a user message with origin `reminder`, each time it is returned. Synchronous and cheap.
   */
  reminder?(about: ReminderMoment): string | null;
  /**
   * Called when the hooks behind a call of the tool have run, before its result is recorded; not at all where there are
   * none. What it throws is dropped. After 60 seconds, or when the run aborts, nobody waits for it any longer.
   */
  afterHooks?(call: { readonly toolCallId: string; readonly sessionId: string }): Promise<void>;
  /**
   * Releases what the tool keeps for a call that was left open and is never entered again: a new prompt came instead of an
   * answer. Called before the run's first turn, which waits for it.
   */
  endCall?(call: {
    readonly toolCallId: string;
    readonly transcriptId: string;
    readonly sessionId: string;
  }): Promise<void>;
  /** Releases what the tool holds for a session that ends, or for all of them when the engine closes. */
  endSession?(sessionId?: string): Promise<void>;
}

/** The tools of an engine, by name. */
export interface Registry {
  /** @throws ConfigurationError `TOOL_DUPLICATE` for a name that is taken, `TOOL_INVALID` for a broken tool */
  register(tool: BaseTool): this;
  unregister(name: string): boolean;
  get(name: string): BaseTool | undefined;
  /** In order of registration. */
  list(): readonly BaseTool[];
  /** Awaits every tool's `ready()`, each once. Without it the engine awaits them itself, before each run. */
  ready?(): Promise<void>;
  /**
   * The call that one of this registry's tools is a way to make: what hooks, gate, claims, questions and audits see, and
   * what is run. The transcript and the result keep the original. Returns the call itself if it is not such a call. `others`
   * says which tools there are beside this registry's, such as those of one run.
   *
   * @throws ToolError for a call that cannot be resolved; the model reads its message
   */
  resolve?(call: ToolCall, others?: { has(name: string): boolean }): ToolCall;
  /**
   * The registry of a sub-agent, made from this one: for each tool the one that `pick` returns in its place, also for tools that are not
   * listed. `isDisallowed` says whether a name is forbidden. Without it a sub-agent gets a plain registry of listed tools.
   */
  narrow?(pick: (tool: BaseTool) => BaseTool | undefined, isDisallowed: (name: string) => boolean): Registry;
  /** The same array until the registry changes. */
  definitions(): readonly ToolDefinition[];
  /**
   * Runs one call through the same pipeline as an engine does; never throws.
   *
   * There is no gate here: a tool's own ask or deny gives status `denied` with code `PERMISSION_ASK` or
   * `PERMISSION_DENIED`.
   */
  execute(call: ToolCall, context: ToolContext): Promise<ToolResult>;
}
