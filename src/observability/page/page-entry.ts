// The data of a session page. The library makes it, the page's own script reads it: plain JSON, cleaned and bounded.
import type { JsonValue } from "../../contracts/json.js";

/** One session on a page. */
export interface PageSession {
  readonly v: 1;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
  readonly entries: readonly PageEntry[];
  /** Sessions of sub-agents, of a plan's tasks and of calls that tools have made, by id. */
  readonly agents: { readonly [id: string]: PageAgent };
  /** The records of an audit trail. */
  readonly notes: readonly PageNote[];
  /** The address of new entries. Absent on a page that is a file. */
  readonly live?: PageLive | undefined;
}

export interface PageAgent {
  readonly entries: readonly PageEntry[];
  /** The call it works for, where it is known from the sub-agent's side alone. */
  readonly callId?: string | undefined;
}

export interface PageLive {
  readonly url: string;
  readonly everyMs: number;
}

export type PagePart =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  | { readonly type: "image"; readonly mediaType: string; readonly data: string }
  | { readonly type: "file"; readonly mediaType: string; readonly name: string; readonly chars: number }
  | {
      readonly type: "call";
      readonly id: string;
      readonly name: string;
      readonly input: JsonValue;
      /** The title of the call, where its tool gives one. */
      readonly title?: string | undefined;
    }
  /** Any other entry, as JSON. */
  | { readonly type: "unknown"; readonly text: string };

export interface PageUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

export interface PageArtifact {
  readonly path: string;
  readonly bytes: number;
  /** The whole output, when it could be read. */
  readonly text?: string | undefined;
}

/** The content of one entry. */
export type PageRecord =
  | { readonly type: "user"; readonly origin: string; readonly parts: readonly PagePart[] }
  | {
      readonly type: "assistant";
      readonly parts: readonly PagePart[];
      readonly finish: string;
      readonly model: string;
      readonly usage: PageUsage | null;
      readonly costUsd: number | null;
      /** Calls that a tool has made, and no model. */
      readonly isOfTool?: true | undefined;
    }
  | { readonly type: "tool-start"; readonly callId: string }
  | {
      readonly type: "tool-result";
      readonly callId: string;
      readonly name: string;
      readonly status: string;
      readonly isError: boolean;
      readonly durationMs: number;
      readonly parts: readonly PagePart[];
      readonly details: JsonValue;
      /** A unified diff of what the tool has changed. */
      readonly diff?: string | undefined;
      readonly artifact?: PageArtifact | undefined;
      /** The sub-agent's session. */
      readonly agent?: string | undefined;
      /** The session of the calls that the tool has made. */
      readonly calls?: string | undefined;
      /** The source of untrusted content in it, as `web:example.com`. Absent where it is trusted, or the session has no labels. */
      readonly outside?: readonly string[] | undefined;
    }
  | {
      readonly type: "pending";
      readonly requestId: string;
      readonly callId: string;
      readonly kind: string;
      readonly tool: string;
      readonly reason: string;
      /** The places whose content made it ask, as `web:example.com`. */
      readonly because: readonly string[];
      readonly input: JsonValue;
      /** Names down to the sub-agent that asks. */
      readonly agentPath: string;
    }
  | {
      readonly type: "answer";
      readonly requestId: string;
      readonly by: string;
      readonly decision: string;
      readonly reason: string;
      readonly value?: JsonValue | undefined;
    }
  | {
      readonly type: "compaction";
      readonly stage: string;
      readonly before: number;
      readonly after: number;
      readonly removedTurns: number;
      readonly durationMs: number;
      readonly costUsd: number | null;
      readonly replacement: readonly { readonly role: string; readonly parts: readonly PagePart[] }[];
    }
  | {
      readonly type: "epoch";
      readonly cause: string;
      readonly system: readonly { readonly id: string; readonly text: string }[];
      readonly tools: readonly { readonly name: string; readonly description: string }[];
    }
  | { readonly type: "run-start" }
  | { readonly type: "run-end"; readonly status: string; readonly usage: PageUsage | null }
  | { readonly type: "custom"; readonly name: string; readonly data: JsonValue; readonly agent?: string | undefined }
  /** Not an entry, or of a type that this version does not know. */
  | { readonly type: "unknown"; readonly name: string; readonly text: string };

/** One entry of a session. Its numbers are numbers and its strings are strings, whatever the session held. */
export type PageEntry = {
  readonly id: string;
  readonly parent: string | null;
  /** Milliseconds since the epoch; 0 where it is not known. */
  readonly at: number;
  readonly run: string;
  readonly turn: number;
} & PageRecord;

/** One record of an audit trail: a decision, a hook, a restart or a notice. */
export interface PageNote {
  readonly kind: "decision" | "hook" | "restart" | "notice";
  readonly at: number;
  readonly run: string;
  readonly turn: number;
  readonly callId: string;
  readonly tool: string;
  /** `allow`, `ask` or `deny`; `ok`, `blocked` or `failed`; a code. */
  readonly outcome: string;
  /** The hook point, the rule, or what is said. */
  readonly about: string;
  readonly reason: string;
  readonly by: string;
  readonly durationMs: number;
}
