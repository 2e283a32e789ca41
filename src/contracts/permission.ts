import type { JsonValue } from "./json.js";
import type { Effects, Label, LabelHints, Target, TracedTarget } from "./label.js";

/** The default stance of a gate towards calls no rule speaks about. */
export type PermissionMode = "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions";

/** The source of a rule, strongest first. */
export type RuleSource = "policy" | "flag" | "cliArg" | "command" | "session" | "local" | "project" | "user";

/** Names the rule that decided, for messages and audits. */
export interface RuleRef {
  readonly rule: string;
  readonly behavior: "allow" | "ask" | "deny";
  readonly source: RuleSource;
}

/** One opinion on a call. `passthrough` has none and leaves the decision to the next step. */
export interface PermissionResult {
  readonly behavior: "allow" | "deny" | "ask" | "passthrough";
  /** Read by the model when denied, by the approver when asked. */
  readonly reason?: string;
  /** With an allow: what is executed instead. */
  readonly updatedInput?: JsonValue;
  /** The rule that decided, if one did. */
  readonly rule?: RuleRef;
}

/**
 * The reach of a tool: `none` only the run itself, `read_only` reads the world, `read_write` changes files,
 * `execute` runs programs or reaches the network.
 */
export type ToolPermission = "none" | "read_only" | "read_write" | "execute";

/** The part of a tool that a gate sees. */
export interface GatedTool {
  readonly name: string;
  readonly permission: ToolPermission;
  /** The tool's own opinion on one call, at once or later; a gate waits for it and combines it with its rules. */
  checkPermission?(
    input: unknown,
    context: { readonly agentPath: readonly string[]; readonly sessionId: string },
  ): PermissionResult | Promise<PermissionResult>;
  /** The workspace that its calls work in, and in no other place: a gate lets what that one's machine keeps in count for them. */
  readonly worksIn?: object | undefined;
  /** The stance on the own tools of an agent that the tool starts. */
  readonly ownTools?: OwnToolsStance | undefined;
}

/**
 * The own tools of an agent that a tool starts: no gate decides about their calls. `refused`: where deny rules are about commands, files or
 * addresses, a gate refuses to start it. `accepted`: the host lets it be started all the same.
 */
export type OwnToolsStance = "refused" | "accepted";

/** "Always allow" as data: a rule change the host may apply to a session or write to its settings. */
export type PermissionUpdate =
  | {
      readonly type: "addRules" | "replaceRules" | "removeRules";
      readonly behavior: "allow" | "ask" | "deny";
      readonly rules: readonly string[];
      readonly destination: PermissionDestination;
    }
  | { readonly type: "setMode"; readonly mode: PermissionMode; readonly destination: PermissionDestination }
  | {
      readonly type: "addDirectories" | "removeDirectories";
      readonly directories: readonly string[];
      readonly destination: PermissionDestination;
    }
  /** Content of these sources counts as the user's own words until the user's next prompt: `web:docs.example.com`. */
  | { readonly type: "trustSources"; readonly sources: readonly string[]; readonly destination: "session" };

/** The place of a change of the rules: in a settings file, for the session, or for this process. */
export type PermissionDestination = "userSettings" | "projectSettings" | "localSettings" | "session" | "cliArg";

/** A final decision. `ask` goes to the approver, or suspends the run when there is not one. */
export interface PermissionDecision {
  readonly behavior: "allow" | "deny" | "ask";
  /** For people; the model reads that of a denial. */
  readonly reason?: string;
  /** With an allow: what is executed instead. It is checked again. */
  readonly updatedInput?: JsonValue;
  /** The rule that decided, if one did. */
  readonly rule?: RuleRef;
  readonly source?: RuleSource;
  /** With an ask: rules that would allow it the next time. */
  readonly suggestions?: readonly PermissionUpdate[];
  /** The label of the call's result, from a gate that uses labels, in place of the tool's own `returns`. */
  readonly label?: LabelHints | undefined;
  /**
   * The decision depends on what an earlier call of the same message may change, such as the shell's working directory. The engine
   * asks again right before such a call starts, if it had to wait for another.
   */
  readonly provisional?: boolean;
}

/** Rules that count for one request, beside those of the gate: those of the skills in use. Their source is `command`. */
export interface AddedRules {
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** A tool call that a gate decides. */
export interface PermissionRequest {
  /** The tool itself, so that its `checkPermission` is asked; or its name alone, as in a policy's own tests. */
  readonly tool: string | GatedTool;
  /** The input after parsing and hooks: what would be executed. */
  readonly input: JsonValue;
  /** The question is whether a vendor's server may make such calls by itself: their inputs are not known, and `input` is empty. */
  readonly isOffer?: boolean;
  readonly mode?: PermissionMode;
  /** Names from the main agent (`[]`) down to the sub-agent that calls. */
  readonly agentPath?: readonly string[];
  readonly sessionId?: string;
  /** The agent's own transcript: its shell's working directory is kept under this id. */
  readonly transcriptId?: string;
  /** Only for a gate that says it understands them. */
  readonly added?: AddedRules | undefined;
  /** The decision of the `PreToolUse` hooks. Never `deny`: that ends the call before the gate. */
  readonly hook?: { readonly behavior: "allow" | "ask"; readonly reason?: string };
  /** The effects of the call beside its answer, as its tool declares them; all of them for a tool that declares none. */
  readonly effects?: Required<Effects>;
  /** The targets that its tool declares, each with the place that its value came from; traced when they are read first. */
  readonly targets?: readonly TracedTarget[];
  /** The main agent's run, which is one task of the user's. */
  readonly task?: string;
  /** The label of the call: the join of all content that the model, or the program, had when it made the call. */
  readonly context?: Label;
  /** The source of a value of the input, for a gate that knows the call's targets better than its tool. */
  readonly origin?: (target: Target) => TracedTarget;
  /** The label of a result of this agent, or of one above, that was kept at this path; `undefined` for any other path. */
  readonly kept?: (path: string) => Label | undefined;
  /** Has work done right before the tool is entered, whoever allows the call; if it fails, the tool is not. Absent: nobody would do it. */
  readonly beforeStart?: (work: () => Promise<void>) => void;
}

/** The origin of an answer that a gate remembers. */
export interface RememberedAbout {
  readonly sessionId: string;
  /** The main agent's run that asked. */
  readonly task?: string | undefined;
}

/**
 * Decides one tool call. Asked for every call on every path, once for each input.
 *
 * Throwing, or returning something that is not understood, means deny.
 */
export interface PermissionGate {
  /** It decides by where content comes from: requests have `effects`, `targets`, `context` and `origin`, and results get labels. */
  readonly usesLabels?: boolean | undefined;
  /** It decides by `request.added`, too. */
  readonly understandsAddedRules?: boolean | undefined;
  /** The mode it takes where neither a run nor an answer sets one; for hosts that show it. */
  readonly mode?: PermissionMode | undefined;
  decide(request: PermissionRequest): PermissionDecision | Promise<PermissionDecision>;
  /** Keeps the rules that came with an approver's answer, for later calls. Without it such updates are only recorded. */
  remember?(updates: readonly PermissionUpdate[], about: RememberedAbout): void | Promise<void>;
}
