import { ConfigurationError, ToolError } from "../../../contracts/errors.js";

interface ProgramOptions {
  readonly command: string;
  readonly workingDirectory?: string;
  readonly env?: Record<string, string>;
  readonly abortSignal?: AbortSignal;
}

/**
 * The part of a sandbox session of the AI SDK, its `Experimental_SandboxSession`, that workspaces use. The versions of the SDK differ in
 * what is optional here.
 */
export interface SandboxSessionLike {
  /** Names the session in messages, where it has one. */
  readonly id?: string;
  run(options: ProgramOptions): PromiseLike<{
    readonly exitCode: number;
    readonly stdout: string;
    readonly stderr: string;
  }>;
  spawn?(options: ProgramOptions & { readonly stdin: true }): PromiseLike<{
    readonly stdin?: WritableStream<Uint8Array>;
    readonly stdout: ReadableStream<Uint8Array>;
    readonly stderr: ReadableStream<Uint8Array>;
    wait(): PromiseLike<{ readonly exitCode: number }>;
    kill(): PromiseLike<void>;
  }>;
  /** `null` for a file that does not exist. */
  readFile(options: { readonly path: string }): PromiseLike<ReadableStream<Uint8Array> | null>;
  /** Makes missing parents. */
  writeBinaryFile(options: { readonly path: string; readonly content: Uint8Array }): PromiseLike<void>;
  /** `null` for a directory that does not exist. */
  listDirectory?(options: { readonly path: string }): PromiseLike<
    | readonly {
        readonly name: string;
        readonly type: "file" | "directory" | "symlink" | "other";
      }[]
    | null
  >;
}

/** @throws ConfigurationError `OPTION_INVALID` that names the methods that a session lacks */
export function assertSession(owner: string, session: unknown, methods: readonly (keyof SandboxSessionLike)[]): void {
  const missing = methods.filter((name) => typeof Object(session)[name] !== "function");
  if (missing.length > 0)
    throw unfit(owner, `it has no ${missing.map((name) => `"${name}"`).join(" and no ")}`, missing);
}

/** The error of a session that lacks something. */
export function unfit(owner: string, problem: string, missing: string[]): ConfigurationError {
  const other =
    owner === "sessionMachine()"
      ? "Use sessionFiles(session) and sessionShell(session) with createWorkspaceOver()."
      : "Pass a sandbox session of the AI SDK.";
  return new ConfigurationError("OPTION_INVALID", {
    message: `${owner}: the sandbox session cannot be used: ${problem}. ${other}`,
    details: { missing },
  });
}

/** @throws ToolError `TOOL_FAILED` with what the session says */
export async function asked<T>(answer: PromiseLike<T>, problem = "failed"): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("TOOL_FAILED", { message: `The sandbox session ${problem}: ${said}`, cause });
  }
}
