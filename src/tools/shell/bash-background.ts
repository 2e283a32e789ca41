import { ToolError } from "../../contracts/errors.js";
import type { ToolContext } from "../../contracts/tool.js";
import type { CommandRequest, CommandRunner, Workspace } from "../../contracts/workspace.js";
import { BackgroundCommand } from "./background-command.js";

/** At a time, in one session. */
const MAX_RUNNING = 16;
/** The ended commands of one session; older ones are forgotten. */
const MAX_ENDED = 32;

const byShell = new WeakMap<CommandRunner, BackgroundCommands>();

/** The background commands of a workspace: the same for every tool on it. */
export function backgroundCommands(workspace: Workspace): BackgroundCommands {
  const known = byShell.get(workspace.shell);
  if (known) return known;
  const commands = new BackgroundCommands(workspace);
  byShell.set(workspace.shell, commands);
  return commands;
}

/** Whether a session has a command that still runs. */
export function runsInBackground(workspace: Workspace, sessionId: string): boolean {
  return byShell.get(workspace.shell)?.isRunning(sessionId) ?? false;
}

interface Session {
  /** Numbers the commands; never goes back, so that an id means one command. */
  started: number;
  readonly commands: Map<string, BackgroundCommand>;
}

export class BackgroundCommands {
  readonly #sessions = new Map<string, Session>();

  constructor(private readonly workspace: Workspace) {}

  /** @throws ToolError `COMMAND_FAILED` when too many run already */
  start(
    { name, ...request }: CommandRequest & { readonly name: string },
    { sessionId, transcriptId, artifacts }: ToolContext,
  ): BackgroundCommand {
    const session = this.#session(sessionId);
    const commands = [...session.commands.values()];
    if (commands.filter(({ ended }) => !ended).length >= MAX_RUNNING) {
      throw new ToolError("COMMAND_FAILED", {
        message: `${MAX_RUNNING} commands run in the background already. End one with bash_kill first:\n${list(commands)}`,
      });
    }
    const over = commands.filter(({ ended }) => ended);
    for (const { id } of over.slice(0, Math.max(0, over.length - MAX_ENDED + 1))) session.commands.delete(id);

    const id = `bash_${++session.started}`;
    const about = { id, name, sessionId, transcriptId };
    const command = new BackgroundCommand(about, artifacts ?? this.workspace.artifacts);
    session.commands.set(id, command);
    command.start(this.workspace.shell, request);
    return command;
  }

  /** The remembered commands of a session, oldest first. */
  list(sessionId: string): readonly BackgroundCommand[] {
    return [...(this.#sessions.get(sessionId)?.commands.values() ?? [])];
  }

  isRunning(sessionId: string): boolean {
    return this.list(sessionId).some(({ ended }) => !ended);
  }

  /** @throws ToolError `COMMAND_NOT_FOUND` that lists what there is */
  get(sessionId: string, id: string): BackgroundCommand {
    const commands = this.#sessions.get(sessionId)?.commands;
    const command = commands?.get(id);
    if (command) return command;
    const known = commands?.size ? `There are:\n${list([...commands.values()])}` : "None was started in this session.";
    throw new ToolError("COMMAND_NOT_FOUND", {
      message: `There is no background command "${id}". ${known}`,
      details: { id },
    });
  }

  /** Reminds an agent which of its commands have ended, each once; the main agent also of those its sub-agents left. */
  reminder({ sessionId, transcriptId }: { readonly sessionId: string; readonly transcriptId: string }): string | null {
    const session = this.#sessions.get(sessionId);
    if (!session) return null;
    const ended = [...session.commands.values()].filter(
      (command) =>
        command.ended && !command.reported && (command.transcriptId === transcriptId || sessionId === transcriptId),
    );
    if (ended.length === 0) return null;
    for (const command of ended) command.reported = true;
    return `Ended in the background:\n${list(ended)}\nbash_output shows what they wrote.`;
  }

  /** Ends and forgets the commands of a session, or of all. Resolves when nothing of them is left. */
  async endSession(sessionId?: string): Promise<void> {
    const ids = sessionId === undefined ? [...this.#sessions.keys()] : [sessionId];
    const commands = ids.flatMap((id) => [...(this.#sessions.get(id)?.commands.values() ?? [])]);
    for (const id of ids) this.#sessions.delete(id);
    await Promise.all(commands.map((command) => command.discard()));
  }

  #session(id: string): Session {
    const session = this.#sessions.get(id) ?? { started: 0, commands: new Map() };
    this.#sessions.set(id, session);
    return session;
  }
}

function list(commands: readonly BackgroundCommand[]): string {
  return commands.map((command) => `- ${command.describe()}`).join("\n");
}
