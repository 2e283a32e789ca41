/** The part of an agent that something is about. */
export type AgentPart = "settings" | "instructions" | "skills" | "subagents" | "mcp" | "plugins";

/** Something that could not be used as it was written. The agent works without it. */
export interface AgentProblem {
  readonly part: AgentPart;
  /** The file it stands in; for a server that is not connected, the server's name. */
  readonly source: string;
  /** 1-based, where there is one. */
  readonly line?: number | undefined;
  readonly message: string;
  /** The session in whose own workspace it is. */
  readonly sessionId?: string | undefined;
}

/** Something that does not count because its project, or its plugin, is not trusted. */
export interface UntrustedPart {
  readonly part: AgentPart;
  readonly source: string;
  /** Its name: of a skill or a plugin, the command of a server, or the key of a setting with its value. */
  readonly what: string;
  /** The session in whose own workspace it is. */
  readonly sessionId?: string | undefined;
}
