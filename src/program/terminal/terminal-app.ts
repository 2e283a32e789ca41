// The interactive session: keys and lines from the person on one side, the conversation on the other, the screen between.
import type { PendingRequest } from "../../contracts/approval.js";
import type { PriceLookup } from "../../contracts/provider.js";
import type { RunResult } from "../../contracts/run.js";
import type { Approver } from "../../engine/calls/permission/approval.js";
import { describeThrown } from "../../text/describe-thrown.js";
import type { PromptCommand } from "../project/prompt-commands.js";
import { runCommand } from "./commands/all-commands.js";
import type { CommandContext } from "./commands/command.js";
import { nextMode } from "./commands/permissions-command.js";
import { imagesIn, mayNameImages } from "./input/attached-images.js";
import { Keyboard } from "./input/keyboard.js";
import { prepareEditor } from "./input/prepare-editor.js";
import { keepPrompt, readPromptHistory } from "./input/prompt-history.js";
import { readTypedLine } from "./input/typed-line.js";
import { Panels } from "./panel/panels.js";
import { todoBlock } from "./panel/todo-panel.js";
import { describeRequest } from "./questions/describe-request.js";
import { QuestionDesk } from "./questions/question-desk.js";
import { describeOutcome } from "./run-outcome.js";
import { RunView } from "./run-view.js";
import { safeLine } from "./screen/safe-text.js";
import type { Screen } from "./screen/screen.js";
import type { Theme } from "./screen/theme.js";
import { backgroundTasks } from "./session/background-work.js";
import { OwnCommands } from "./session/own-command.js";
import { branchIn, entriesOf, isUnfinished } from "./session/session-history.js";
import { readSpend } from "./session/session-spend.js";
import { showHistory } from "./session/show-history.js";
import { statusFacts } from "./session/status-facts.js";
import { TerminalSession } from "./session/terminal-session.js";
import type { TerminalSettings } from "./settings/terminal-settings.js";
import type { TerminalAgent, TerminalOptions } from "./terminal-agent.js";
import { TextBlock } from "./transcript/block.js";
import { greeting, sayNotInUse } from "./transcript/greeting.js";
import { namedBlock } from "./transcript/media-block.js";
import { PromptBlock } from "./transcript/prompt-block.js";

export class TerminalApp {
  readonly approver: Approver;
  readonly #desk: QuestionDesk;
  readonly #panels: Panels;
  readonly #view: RunView;
  readonly keyboard: Keyboard;
  readonly #ownCommands = new OwnCommands((command) => this.#view.showOwn(command));
  #agent!: TerminalAgent;
  #conversation: TerminalSession | undefined;
  #promptCommands: readonly PromptCommand[] = [];
  /** Oldest first. */
  #prompts: string[] = [];
  #waiting = 0;
  #hasPrompts = false;
  #onLeave: () => void = () => {};

  constructor(
    readonly screen: Screen,
    private readonly options: TerminalOptions,
    private readonly settings: TerminalSettings,
  ) {
    this.#panels = new Panels(this.theme, {
      settings,
      state: () => this.keyboard.state,
      statusFacts: () => statusFacts(this.#agent, this.#live, options.version),
      provider: options.provider,
      conversation: () => this.#conversation,
      background: () => (this.#conversation ? backgroundTasks(this.#agent, this.#live.sessionId) : []),
      draw: () => screen.draw(),
    });
    this.#view = new RunView(screen, this.#panels);
    this.#desk = new QuestionDesk({
      screen,
      describe: (request) => describeRequest(request, this.#context),
      isOwn: ({ toolCallId }) => this.#ownCommands.isAbout(toolCallId),
      onCancel: () => this.#interrupt(),
      onWaiting: (request, isWaiting) => this.#noteWaiting(request, isWaiting),
    });
    this.keyboard = new Keyboard({
      screen,
      settings,
      desk: this.#desk,
      hint: this.#panels.hint,
      env: options.env ?? process.env,
      isRunning: () => this.isRunning,
      interrupt: () => this.#interrupt(),
      leave: () => this.leave(),
      takeBack: () => this.#live.takeBack(),
      cycleMode: () => this.#agent.checker && this.#live.setMode(nextMode(this.#live.mode)),
      view: this.#view,
      say: (text) => this.#say(text),
      command: (line) => void runCommand(line, this.#context),
      earlierPrompts: () => [...new Set([...this.#prompts].reverse())],
    });
    this.approver = this.#desk.approver;
  }

  /** The session to go on with later; `undefined` when nothing was said in it. */
  get sessionId(): string | undefined {
    return this.#hasPrompts ? this.#conversation?.sessionId : undefined;
  }

  get isRunning(): boolean {
    return this.#ownCommands.isRunning || (this.#conversation?.isRunning ?? false);
  }

  /** Talks until the person leaves. `takeOver` is called once keys are read; it returns the lines that were sent before. */
  async run(agent: TerminalAgent, takeOver: () => readonly string[]): Promise<void> {
    this.#agent = agent;
    const { sessionId = globalThis.crypto.randomUUID(), prompt, ...start } = this.options;
    const conversation = new TerminalSession(
      agent,
      { ...start, sessionId },
      {
        onEvent: (event) => this.#view.show(event),
        onStart: () => this.#onStart(),
        onDelivered: (prompts) => {
          for (const text of prompts) this.screen.add(new PromptBlock(this.theme, text));
        },
        onEnd: (result, error, undelivered) => this.#onEnd(result, error, undelivered),
        onChange: () => this.#panels.changed(),
      },
    );
    this.#conversation = conversation;
    const left = new Promise<void>((resolve) => {
      this.#onLeave = resolve;
    });
    sayNotInUse(this.screen, agent);
    this.#prompts = [...(await readPromptHistory(this.options.historyFile))];
    await this.#readCommands();
    prepareEditor(this.screen.editor, { agent, commands: this.#promptCommands, history: this.#prompts });
    this.screen.editor.onSubmit = (text) => this.#onLine(text);
    const sent = takeOver();
    this.screen.parts = this.#panels;
    this.screen.onKey((data) => this.keyboard.press(data));
    if (this.options.sessionId !== undefined) await this.#open(sessionId);
    else void conversation.measure();
    if (prompt !== undefined && prompt !== "") await this.#submit(prompt);
    for (const line of sent) this.#onLine(line);
    await left;
  }

  /** Ends what is under way and everything that waits for an answer. */
  async end(): Promise<void> {
    this.#conversation?.interrupt();
    this.#desk.close();
    await this.#conversation?.idle;
    this.#panels.stop();
  }

  leave(): void {
    this.#onLeave();
  }

  get #live(): TerminalSession {
    return this.#conversation!;
  }

  private get theme(): Theme {
    return this.screen.theme;
  }

  #onLine(line: string): void {
    const text = line.trim();
    if (text === "") return;
    this.screen.editor.addToHistory(text);
    this.#prompts.push(text);
    void keepPrompt(this.options.historyFile, text);
    const typed = readTypedLine(text);
    if (typed.kind === "prompt") void this.#submit(text);
    else if (typed.kind === "own-command") void this.#runOwn(typed.command);
    else {
      this.screen.add(new TextBlock(this.theme.dim(safeLine(text)), "  ", this.theme.dim("❯ ")));
      void runCommand(typed.line, this.#context);
    }
  }

  async #submit(text: string, allow?: readonly string[]): Promise<void> {
    const named = mayNameImages(text) ? await imagesIn(text) : [];
    this.screen.trim();
    this.#hasPrompts = true;
    const images = named.flatMap(({ part }) => part ?? []);
    // One that has to wait is shown beside the activity until the model reads it.
    if (this.#live.send(text, { allow, images }) !== "started") return;
    this.screen.add(new PromptBlock(this.theme, text));
    for (const image of named) this.screen.add(namedBlock(this.theme, image));
  }

  async #runOwn(command = this.#ownCommands.waiting.shift()): Promise<void> {
    if (command === undefined) return;
    if (this.isRunning) {
      this.#ownCommands.waiting.push(command);
      return this.#say(this.theme.yellow(`! ${safeLine(command)}: runs once the agent is done`));
    }
    this.#hasPrompts = true;
    const failed = (error: unknown) => this.#say(this.theme.red(describeThrown(error)));
    await this.#ownCommands.run(this.#agent, this.#live.sessionId, command).catch(failed);
    void this.#live.measure();
    if (!this.isRunning) void this.#runOwn();
  }

  async #readCommands(): Promise<void> {
    const read = await this.options.promptCommands?.();
    this.#promptCommands = read?.commands ?? [];
    for (const { source, message } of read?.problems ?? [])
      this.#say(this.theme.yellow(`! ${safeLine(source)}: ${safeLine(message)}`));
  }

  #interrupt(): void {
    if (!this.isRunning) return;
    this.#ownCommands.interrupt();
    this.#live.interrupt();
    this.#panels.activity.activity = "Stopping";
    this.screen.draw();
  }

  /** Calls the person, who may be looking elsewhere. */
  #call(text: string): void {
    if (this.settings.notify !== "off") this.screen.device.call(this.settings.notify, text);
  }

  #onStart(): void {
    this.#panels.todos.todos = [];
    this.#panels.agents.clear();
    this.#view.begin();
    this.#panels.activity.start();
  }

  #onEnd(result: RunResult | undefined, error: unknown, undelivered: readonly string[]): void {
    const { activity, agents, todos } = this.#panels;
    const { elapsedMs } = activity;
    activity.stop();
    agents.clear();
    if (todos.todos.length > 0) this.screen.add(todoBlock(todos.todos, this.theme));
    todos.todos = [];
    const isDone = result?.status === "completed";
    const isSentNext = isDone && undelivered.length > 0;
    const { editor } = this.screen;
    const kept = isDone ? [] : [...undelivered, ...this.#ownCommands.takeWaiting()];
    if (kept.length > 0) editor.setText([...kept, editor.getText()].join("\n").trimEnd());
    const outcome = describeOutcome(this.theme, { result, error, elapsedMs });
    if (outcome !== undefined) this.#say(outcome);
    if (!isSentNext) this.#call("loopwright is done");
    // It came when the model had said its last word: the next run begins with it.
    if (isSentNext) void this.#submit(undelivered.join("\n"));
    else void this.#runOwn();
    this.screen.draw();
  }

  async #open(sessionId: string): Promise<void> {
    const { screen } = this;
    const { sessions } = this.#agent;
    const entries = await entriesOf(sessions, sessionId);
    const branch = branchIn(entries);
    const mode = this.#agent.checker && !this.options.mode ? await this.options.modes?.of(sessionId) : undefined;
    const spent = await readSpend(sessions, sessionId, entries, this.#prices);
    // A repeated notice of the same session stays where it is in the scrollback.
    if (sessionId === this.#live.sessionId) screen.transcript.clear();
    else screen.clear();
    this.#live.switchTo(sessionId, spent, mode);
    this.#hasPrompts = branch.length > 0;
    screen.transcript.add(greeting(this.theme, this.#agent.workspace.root, this.options.version));
    sayNotInUse(screen, this.#agent);
    showHistory(screen, branch);
    screen.redraw();
    if (!isUnfinished(branch)) return;
    this.#say(this.theme.dim("This session was left in the middle. Going on."));
    this.#live.resume();
  }

  #say(text: string): void {
    this.screen.add(new TextBlock(text));
  }

  get #context(): CommandContext {
    return {
      agent: this.#agent,
      options: this.options,
      screen: this.screen,
      desk: this.#desk,
      conversation: this.#live,
      view: this.#view,
      settings: this.settings,
      say: (text) => this.#say(text),
      promptCommands: this.#promptCommands,
      submit: (prompt, allow) => void this.#submit(prompt, allow),
      open: (sessionId) => this.#open(sessionId),
      leave: () => this.leave(),
    };
  }

  #noteWaiting(request: PendingRequest, isWaiting: boolean): void {
    this.#waiting += isWaiting ? 1 : -1;
    if (isWaiting) this.#call("loopwright waits for you");
    this.#panels.activity.isPaused = this.#waiting > 0;
    this.#view.wait(request, isWaiting);
    this.screen.draw();
  }

  readonly #prices: PriceLookup = (model, usage) =>
    this.#live.provider.prices?.(model, usage) ?? this.options.prices?.(model, usage) ?? null;
}
