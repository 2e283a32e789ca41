// The interactive session: keys and lines from the person on one side, the conversation on the other, the screen between.
import { matchesKey } from "@earendil-works/pi-tui";
import type { PendingRequest } from "../../contracts/approval.js";
import type { PermissionMode } from "../../contracts/permission.js";
import type { PriceLookup } from "../../contracts/provider.js";
import type { RunResult } from "../../contracts/run.js";
import type { Approver } from "../../engine/calls/permission/approval.js";
import { isCommand, runCommand } from "./commands/all-commands.js";
import type { CommandContext } from "./commands/command.js";
import { prepareEditor } from "./input/prepare-editor.js";
import { keepPrompt } from "./input/prompt-history.js";
import { ActivityLine } from "./panel/activity-line.js";
import { AgentTree } from "./panel/agent-tree.js";
import { Footer } from "./panel/footer.js";
import { PassingHint } from "./panel/passing-hint.js";
import { QueuedPrompts } from "./panel/queued-prompts.js";
import { TodoPanel, todoLines } from "./panel/todo-panel.js";
import { describeRequest } from "./questions/describe-request.js";
import { QuestionDesk } from "./questions/question-desk.js";
import { describeOutcome } from "./run-outcome.js";
import { RunView } from "./run-view.js";
import { safeLine } from "./screen/safe-text.js";
import { Screen } from "./screen/screen.js";
import type { TerminalDevice } from "./screen/terminal-device.js";
import type { Theme } from "./screen/theme.js";
import { branchIn, entriesOf, isUnfinished } from "./session/session-history.js";
import { readSpend } from "./session/session-spend.js";
import { showHistory } from "./session/show-history.js";
import { TerminalSession } from "./session/terminal-session.js";
import type { TerminalAgent, TerminalOptions } from "./terminal-agent.js";
import { TextBlock } from "./transcript/block.js";
import { greeting } from "./transcript/greeting.js";
import { PromptBlock } from "./transcript/prompt-block.js";

/** A second Ctrl+C within this time leaves. Unit: milliseconds. */
const TWICE_MS = 2_000;
/** Shift+Tab goes through these. */
const MODE_CYCLE: readonly PermissionMode[] = ["default", "acceptEdits", "plan"];

export class TerminalApp {
  readonly screen: Screen;
  readonly approver: Approver;
  readonly #desk: QuestionDesk;
  readonly #activity: ActivityLine;
  readonly #todos: TodoPanel;
  readonly #agents: AgentTree;
  readonly #view: RunView;
  readonly #hint: PassingHint;
  #agent!: TerminalAgent;
  #conversation: TerminalSession | undefined;
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #waiting = 0;
  #hasPrompts = false;
  #onLeave: () => void = () => {};

  constructor(
    device: TerminalDevice,
    private readonly theme: Theme,
    private readonly options: TerminalOptions,
  ) {
    const draw = () => this.screen.draw();
    this.#activity = new ActivityLine(theme, draw);
    this.#todos = new TodoPanel(theme);
    this.#agents = new AgentTree(theme);
    this.#hint = new PassingHint(draw);
    const queued = new QueuedPrompts(theme, () => this.#conversation?.queued ?? []);
    const footer = new Footer(theme, () => this.#footerFacts());
    this.screen = new Screen(device, theme, { panels: [this.#agents, this.#todos, this.#activity, queued], footer });
    this.#view = new RunView(this.screen, { activity: this.#activity, todos: this.#todos, agents: this.#agents });
    this.#desk = new QuestionDesk({
      screen: this.screen,
      describe: (request) => describeRequest(request, this.#context),
      onCancel: () => this.#interrupt(),
      onWaiting: (request, isWaiting) => this.#noteWaiting(request, isWaiting),
    });
    this.approver = this.#desk.approver;
  }

  /** The session to go on with later; `undefined` when nothing was said in it. */
  get sessionId(): string | undefined {
    return this.#hasPrompts ? this.#conversation?.sessionId : undefined;
  }

  get isRunning(): boolean {
    return this.#conversation?.isRunning ?? false;
  }

  /** Shows the screen and goes on until the person leaves. */
  async run(agent: TerminalAgent): Promise<void> {
    this.#agent = agent;
    const { provider, mode, sessionId = globalThis.crypto.randomUUID(), savedRules, prompt } = this.options;
    const conversation = new TerminalSession(
      agent,
      { provider, mode, sessionId, savedRules },
      {
        onEvent: (event) => this.#view.show(event),
        onStart: () => this.#onStart(),
        onDelivered: (prompts) => {
          for (const text of prompts) this.#showPrompt(text);
        },
        onEnd: (result, error, undelivered) => this.#onEnd(result, error, undelivered),
        onChange: () => this.screen.draw(),
      },
    );
    this.#conversation = conversation;
    const left = new Promise<void>((resolve) => {
      this.#onLeave = resolve;
    });
    this.#greet();
    await prepareEditor(this.screen.editor, agent.workspace, this.options.historyFile);
    this.screen.editor.onSubmit = (text) => this.#onLine(text);
    this.screen.onKey((data) => this.#onKey(data));
    this.screen.start();
    if (this.options.sessionId !== undefined) await this.#open(sessionId);
    if (prompt !== undefined && prompt !== "") this.#submit(prompt);
    await left;
  }

  /** Ends what is under way and everything that waits for an answer. */
  async end(): Promise<void> {
    this.#conversation?.interrupt();
    this.#desk.close();
    await this.#conversation?.idle;
    this.#activity.stop();
    this.#hint.clear();
  }

  leave(): void {
    this.#onLeave();
  }

  /** Ctrl+C, from the keyboard or as a signal: interrupts, and leaves the second time. */
  pressInterrupt(): void {
    const now = performance.now();
    const isSecond = now - this.#interruptedAt < TWICE_MS;
    this.#interruptedAt = now;
    if (isSecond) {
      this.leave();
      return;
    }
    if (this.isRunning) this.#interrupt();
    else if (this.#desk.isAsking) this.#desk.close();
    else this.screen.editor.setText("");
    this.#hint.show("press ctrl+c again to leave", TWICE_MS);
  }

  get #live(): TerminalSession {
    return this.#conversation!;
  }

  #greet(): void {
    this.screen.transcript.add(greeting(this.theme, this.#agent, this.options.version));
  }

  #onLine(line: string): void {
    const text = line.trim();
    if (text === "") return;
    this.screen.editor.addToHistory(text);
    void keepPrompt(this.options.historyFile, text);
    if (!isCommand(text)) {
      this.#submit(text);
      return;
    }
    this.screen.add(new TextBlock(this.theme.dim(safeLine(text)), "  ", this.theme.dim("❯ ")));
    void runCommand(text, this.#context);
  }

  #submit(text: string): void {
    this.screen.trim();
    this.#hasPrompts = true;
    // One that has to wait is shown beside the activity until the model reads it.
    if (this.#live.send(text) === "started") this.#showPrompt(text);
  }

  #showPrompt(text: string): void {
    this.screen.add(new PromptBlock(this.theme, text));
  }

  #onKey(data: string): boolean {
    if (matchesKey(data, "ctrl+c")) {
      this.pressInterrupt();
      return true;
    }
    this.#interruptedAt = Number.NEGATIVE_INFINITY;
    this.#hint.clear();
    if (matchesKey(data, "ctrl+d") && this.screen.editor.getText() === "" && !this.screen.dialog) this.leave();
    else if (matchesKey(data, "ctrl+l")) this.screen.redraw();
    else if (matchesKey(data, "ctrl+z")) this.screen.suspend();
    else if (matchesKey(data, "ctrl+o") && this.#desk.isAsking) this.#say(this.#desk.body.join("\n"));
    else if (this.screen.isAnswering) return false;
    else if (matchesKey(data, "shift+tab")) this.#cycleMode();
    else if (matchesKey(data, "escape") && this.isRunning && !this.screen.editor.isShowingAutocomplete())
      this.#interrupt();
    else return false;
    return true;
  }

  #interrupt(): void {
    if (!this.isRunning) return;
    this.#live.interrupt();
    this.#activity.activity = "Stopping";
    this.screen.draw();
  }

  #cycleMode(): void {
    if (!this.#agent.checker) return;
    const next = MODE_CYCLE[(MODE_CYCLE.indexOf(this.#live.mode) + 1) % MODE_CYCLE.length]!;
    this.#live.setMode(next);
  }

  #onStart(): void {
    this.#todos.todos = [];
    this.#agents.clear();
    this.#activity.start();
  }

  #onEnd(result: RunResult | undefined, error: unknown, undelivered: readonly string[]): void {
    const elapsedMs = this.#activity.elapsedMs;
    this.#activity.stop();
    this.#agents.clear();
    if (this.#todos.todos.length > 0)
      this.screen.add(new TextBlock(todoLines(this.#todos.todos, this.theme).join("\n"), ""));
    this.#todos.todos = [];
    const late = undelivered.join("\n");
    const isSentNext = late !== "" && result?.status === "completed";
    if (late !== "" && !isSentNext) {
      const { editor } = this.screen;
      editor.setText(editor.getText() === "" ? late : `${late}\n${editor.getText()}`);
    }
    const outcome = describeOutcome(this.theme, { result, error, elapsedMs });
    if (outcome !== undefined) this.#say(outcome);
    // It came when the model had said its last word: the next run begins with it.
    if (isSentNext) this.#submit(late);
    this.screen.draw();
  }

  async #open(sessionId: string): Promise<void> {
    const { screen } = this;
    const { sessions } = this.#agent;
    const entries = await entriesOf(sessions, sessionId);
    const branch = branchIn(entries);
    const spent = await readSpend(sessions, sessionId, entries, this.#prices);
    // A repeated notice of the same session stays where it is in the scrollback.
    if (sessionId === this.#live.sessionId) screen.transcript.clear();
    else screen.clear();
    this.#live.switchTo(sessionId, spent);
    this.#hasPrompts = branch.length > 0;
    this.#greet();
    showHistory(screen, branch);
    screen.redraw();
    void this.#live.measure();
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
      say: (text) => this.#say(text),
      submit: (prompt) => this.#submit(prompt),
      open: (sessionId) => this.#open(sessionId),
      leave: () => this.leave(),
    };
  }

  #noteWaiting(request: PendingRequest, isWaiting: boolean): void {
    this.#waiting += isWaiting ? 1 : -1;
    this.#activity.isPaused = this.#waiting > 0;
    this.#view.wait(request, isWaiting);
    this.screen.draw();
  }

  readonly #prices: PriceLookup = (model, usage) =>
    this.#live.provider.prices?.(model, usage) ?? this.options.prices?.(model, usage) ?? null;

  #footerFacts() {
    const conversation = this.#conversation;
    const provider = conversation?.provider ?? this.options.provider;
    const spent = conversation?.spent;
    return {
      model: provider.id === provider.model ? provider.model : `${provider.id}/${provider.model}`,
      mode: conversation?.mode ?? "default",
      contextShare: conversation?.contextShare ?? null,
      costUsd: spent && spent.inputTokens > 0 ? spent.costUsd : undefined,
      hint: this.#hint.text,
    } as const;
  }
}
