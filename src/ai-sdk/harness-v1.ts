/*
 * `HarnessV1` of the AI SDK, as far as this adapter uses it. It is described here, and not imported: the package
 * `@ai-sdk/harness` needs Node 22, and an adapter needs nothing of it at run time. A test compares it with the original.
 *
 * See `@ai-sdk/harness` 1.0.122, src/v1 (read 2026-11).
 */
import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { SandboxSessionLike } from "../workspace/machines/session/sandbox-session.js";

/** A value that the AI SDK takes for a schema: a Standard Schema that can be shown as JSON Schema. */
export interface HarnessSchema {
  readonly "~standard": StandardSchemaV1.Props<unknown, unknown> & {
    readonly jsonSchema: StandardJSONSchemaV1.Converter;
  };
}

/** A tool of the engine, as the AI SDK's host sees it. */
export interface HarnessTool {
  readonly description: string;
  readonly inputSchema: HarnessSchema;
  /** The engine's name of a tool that the AI SDK has a common name for. */
  readonly nativeName?: string;
  readonly commonName?: HarnessCommonName;
  readonly toolUseKind?: "readonly" | "edit" | "bash";
}

/** The names that the AI SDK has for tools of every harness. */
export type HarnessCommonName = "read" | "write" | "edit" | "bash" | "grep" | "glob" | "webSearch" | "askUserQuestions";

/** The effects that built-in tools may have without a question. */
export type HarnessPermissionMode = "allow-reads" | "allow-edits" | "allow-all";

/** A skill of the host, for one turn. */
export interface HarnessSkill {
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly files?: readonly { readonly path: string; readonly content: string }[];
}

/** A tool that the host runs. */
export interface HostTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

/** Tokens, by kind. */
export type HarnessUsage = {
  inputTokens: Record<"total" | "noCache" | "cacheRead" | "cacheWrite", number | undefined>;
  outputTokens: Record<"total" | "text" | "reasoning", number | undefined>;
};

/** The reason why a step or a turn has ended; `raw` is the engine's word for it. */
export interface HarnessFinishReason {
  unified: "stop" | "length" | "content-filter" | "tool-calls" | "error" | "other";
  raw: string | undefined;
}

type Metadata = Record<string, Record<string, JsonValue>>;

/** A part of the stream that an adapter emits during a turn. */
export type HarnessPart =
  | { type: "stream-start"; modelId?: string }
  | { type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; id: string }
  | { type: "text-delta"; id: string; delta: string }
  | { type: "reasoning-delta"; id: string; delta: string }
  | { type: "tool-input-start"; id: string; toolName: string; providerExecuted?: boolean; dynamic?: boolean }
  | { type: "tool-input-delta"; id: string; delta: string }
  | { type: "tool-input-end"; id: string }
  | {
      type: "tool-call";
      toolCallId: string;
      toolName: string;
      input: string;
      providerExecuted?: boolean;
      dynamic?: boolean;
      nativeName?: string;
      stepToolCallCount?: number;
    }
  | { type: "tool-approval-request"; approvalId: string; toolCallId: string }
  | {
      type: "tool-result";
      toolCallId: string;
      toolName: string;
      result: NonNullable<JsonValue>;
      isError?: boolean;
      dynamic?: boolean;
    }
  | { type: "finish-step"; finishReason: HarnessFinishReason; usage: HarnessUsage; harnessMetadata?: Metadata }
  | { type: "finish"; finishReason: HarnessFinishReason; totalUsage: HarnessUsage; harnessMetadata?: Metadata }
  | { type: "file-change"; event: "create" | "modify" | "delete"; path: string }
  | { type: "compaction"; trigger: "manual" | "auto"; summary: string; tokensBefore?: number; tokensAfter?: number }
  | { type: "raw"; rawValue: unknown };

/** The state of a session between turns. JSON, and small: the transcript is in the store. */
export interface HarnessResumeState<Data = JsonValue> {
  readonly type: "resume-session";
  readonly harnessId: string;
  readonly specificationVersion: "harness-v1";
  readonly data: Data;
  readonly continueFrom?: HarnessContinueState<Data>;
}

/** The state of a session with an unfinished turn. */
export interface HarnessContinueState<Data = JsonValue> {
  readonly type: "continue-turn";
  readonly harnessId: string;
  readonly specificationVersion: "harness-v1";
  readonly data: Data;
}

/** The options of `doStart`. */
export interface HarnessStart {
  readonly sessionId: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly resumeFrom?: HarnessResumeState<unknown>;
  readonly continueFrom?: HarnessContinueState<unknown>;
  readonly permissionMode?: HarnessPermissionMode;
  readonly builtinToolFiltering?: { readonly mode: "allow" | "deny"; readonly toolNames: readonly string[] };
  readonly abortSignal?: AbortSignal;
  /** The sandbox of the host, which stays the host's: `sessionMachine` and `sessionFiles` make a workspace of it. */
  readonly sandboxSession?: SandboxSessionLike;
  /** The directory of this session in that sandbox. */
  readonly sessionWorkDir?: string;
}

/** The options of a turn that goes on. */
export interface HarnessTurnRequest {
  readonly model?: string;
  readonly skills?: readonly HarnessSkill[];
  readonly instructions?: string;
  readonly tools?: readonly HostTool[];
  readonly responseFormat?:
    | { readonly type: "text" }
    | { readonly type: "json"; readonly schema?: JsonObject | object };
  readonly abortSignal?: AbortSignal;
  readonly emit: (part: HarnessPart) => void;
}

/** A prompt of the AI SDK: text, or one message of a user. */
export type HarnessPrompt =
  | string
  | { readonly role: "user"; readonly content: string | readonly { readonly type: string }[] };

/** The result of a call that the host has made. */
export interface HostResult {
  readonly toolCallId: string;
  readonly output: unknown;
  readonly isError?: boolean;
  /** The same, as the model is to read it. */
  readonly toolResult?: { readonly output: unknown };
}

/** The host's control of a turn under way. */
export interface HarnessControl {
  submitToolResult(result: HostResult): Promise<void>;
  submitToolApproval(input: { approvalId: string; approved: boolean; reason?: string }): Promise<void>;
  submitUserMessage(text: string): Promise<void>;
  /** Resolves when the turn has ended or is suspended, or another control has taken over. Rejects when the turn fails. */
  readonly done: Promise<void>;
}

/** A session of a host, until it is detached, stopped or destroyed. */
export interface HarnessSession {
  readonly sessionId: string;
  readonly isResume: boolean;
  doPromptTurn(options: HarnessTurnRequest & { readonly prompt: HarnessPrompt }): Promise<HarnessControl>;
  doContinueTurn(options: HarnessTurnRequest): Promise<HarnessControl>;
  doCompact(customInstructions?: string): Promise<void>;
  doSuspendTurn(): Promise<HarnessContinueState>;
  doDetach(): Promise<HarnessResumeState>;
  doStop(): Promise<HarnessResumeState>;
  doDestroy(): Promise<void>;
}

/** An adapter: what `new HarnessAgent({ harness })` of the AI SDK takes. */
export interface Harness {
  readonly specificationVersion: "harness-v1";
  readonly harnessId: string;
  readonly builtinTools: Record<string, HarnessTool>;
  readonly supportsBuiltinToolApprovals: true;
  readonly supportsBuiltinToolFiltering: true;
  readonly lifecycleStateSchema: HarnessSchema;
  doStart(options: HarnessStart): Promise<HarnessSession>;
}
