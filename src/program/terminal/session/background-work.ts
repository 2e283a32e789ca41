// The work beside the conversation of a session: commands and sub-agents in the background.
import { backgroundCommands } from "../../../tools/shell/bash-background.js";
import type { TerminalAgent } from "../terminal-agent.js";
import { inSeconds } from "../transcript/quantities.js";
import { entriesOf } from "./session-history.js";
import { lastAnswer } from "./session-markdown.js";

/** One piece of it, under way or ended. */
export interface BackgroundTask {
  readonly name: string;
  readonly state: string;
  readonly isRunning: boolean;
  /** Its latest output. */
  log(): Promise<string>;
  /** Resolves when it has ended, or was told to. The agent is told, too. */
  stop(): Promise<void>;
}

type Work = Pick<TerminalAgent, "engine" | "sessions" | "workspace">;

/** The tasks of one session, commands first, each kind in the order in which it began. */
export function backgroundTasks({ engine, sessions, workspace }: Work, sessionId: string): readonly BackgroundTask[] {
  const commands = backgroundCommands(workspace).list(sessionId);
  const children = engine.subagents(sessionId).filter(({ kind }) => kind === "background");
  return [
    ...commands.map((command) => ({
      name: command.describe().slice(0, -command.state().length - 2),
      state: command.state(),
      isRunning: command.ended === undefined,
      log: async () => command.latest,
      stop: () => command.end("the user"),
    })),
    ...children.map(({ id, name, status, startedAt }) => ({
      name: `Sub-agent ${name}`,
      state: status === "running" ? `running for ${inSeconds(Date.now() - startedAt)}` : status,
      isRunning: status === "running",
      log: async () => lastAnswer(await entriesOf(sessions, id)) ?? "",
      stop: async () => void engine.stopSubagent(sessionId, id),
    })),
  ];
}

const LOOK_AGAIN_MS = 1_000;

/** Counts what is under way, and draws again while something is. */
export class BackgroundWatch {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly tasks: () => readonly BackgroundTask[],
    private readonly draw: () => void,
  ) {}

  get running(): number {
    const running = this.tasks().filter(({ isRunning }) => isRunning).length;
    if (running > 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.draw();
      }, LOOK_AGAIN_MS);
    }
    return running;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
