import type { PromptCommand } from "../../project/prompt-commands.js";
import type { QuestionDesk } from "../questions/question-desk.js";
import type { RunView } from "../run-view.js";
import type { Screen } from "../screen/screen.js";
import type { TerminalSession } from "../session/terminal-session.js";
import type { TerminalSettings } from "../settings/terminal-settings.js";
import type { TerminalAgent, TerminalOptions } from "../terminal-agent.js";

/** The surroundings of a command. */
export interface CommandContext {
  readonly agent: TerminalAgent;
  readonly options: TerminalOptions;
  readonly screen: Screen;
  readonly desk: QuestionDesk;
  readonly conversation: TerminalSession;
  readonly view: RunView;
  readonly settings: TerminalSettings;
  /** The commands that are prompts in files. */
  readonly promptCommands: readonly PromptCommand[];
  /** Shows styled text in the conversation; the model does not see it. */
  say(text: string): void;
  /** Sends a prompt as if it had been typed; calls that `allow` rules match are allowed until its run is over. */
  submit(prompt: string, allow?: readonly string[]): void;
  /** Turns to a session and shows what was said in it. */
  open(sessionId: string): Promise<void>;
  leave(): void;
}

/** Something typed behind a slash. What it throws is shown. */
export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[] | undefined;
  readonly summary: string;
  /** As in `/model <name>`. */
  readonly argument?: string | undefined;
  /** It changes the session, so it waits for nobody: refused while a run is under way. */
  readonly needsIdle?: boolean | undefined;
  run(context: CommandContext, argument: string): void | Promise<void>;
}
