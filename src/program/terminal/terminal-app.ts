// The interactive session: keys and lines from the person on one side, the conversation on the other, the screen between.
import { matchesKey } from "@mariozechner/pi-tui";
import type { PendingRequest } from "../../contracts/approval.js";
import type { PermissionMode } from "../../contracts/permission.js";
import type { RunResult } from "../../contracts/run.js";
import type { Approver } from "../../engine/calls/permission/approval.js";
import { COMMANDS, isCommand, runCommand } from "./commands/all-commands.js";
import type { CommandContext } from "./commands/command.js";
import { Completion } from "./input/completion.js";
import { keepPrompt, readPromptHistory } from "./input/prompt-history.js";
import { WorkspaceFiles } from "./input/workspace-files.js";
import { ActivityLine } from "./panel/activity-line.js";
import { AgentTree } from "./panel/agent-tree.js";
import { Footer } from "./panel/footer.js";
import { QueuedPrompts } from "./panel/queued-prompts.js";
import { TodoPanel, todoLines } from "./panel/todo-panel.js";
import { approvalQuestion, type DialogQuestion } from "./questions/approval-question.js";
import { elicitationQuestion } from "./questions/elicitation-question.js";
import { planQuestion } from "./questions/plan-question.js";
import { previewDiff } from "./questions/preview-diff.js";
import { QuestionDesk } from "./questions/question-desk.js";
import { userQuestion } from "./questions/user-question.js";
import { RunView } from "./run-view.js";
import { safeLine, safeText } from "./screen/safe-text.js";
import { Screen } from "./screen/screen.js";
import type { TerminalDevice } from "./screen/terminal-device.js";
import type { Theme } from "./screen/theme.js";
import { PRESENT_PLAN } from "./session/plan-tool.js";
import { isUnfinished, readBranch } from "./session/session-history.js";
import { showHistory } from "./session/show-history.js";
import { TerminalSession } from "./session/terminal-session.js";
import type { TerminalAgent, TerminalOptions } from "./terminal-agent.js";
import { AnswerBlock } from "./transcript/answer-block.js";
import { TextBlock } from "./transcript/block.js";
import { fieldsOf } from "./transcript/call-summary.js";
import { PromptBlock } from "./transcript/prompt-block.js";
import { inSeconds } from "./transcript/quantities.js";

/** A second Ctrl+C within this time leaves. Unit: milliseconds. */
const TWICE_MS = 2_000;
/** Shift+Tab goes through these. */
const MODE_CYCLE: readonly PermissionMode[] = ["default", "acceptEdits", "plan"];
/** Runs longer than this say how long they took. Unit: milliseconds. */
const WORTH_TIMING_MS = 10_000;

export class TerminalApp {
  readonly screen: Screen;
  readonly approver: Approver;
  readonly #desk: QuestionDesk;
  readonly #activity: ActivityLine;
  readonly #todos: TodoPanel;
  readonly #agents: AgentTree;
  readonly #view: RunView;
  #agent!: TerminalAgent;
  #conversation: TerminalSession | undefined;
  #hint: string | undefined;
  #hintTimer: NodeJS.Timeout | undefined;
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
    const queued = new QueuedPrompts(theme, () => this.#conversation?.queued ?? []);
    const footer = new Footer(theme, () => this.#footerFacts());
    this.screen = new Screen(device, theme, { panels: [this.#agents, this.#todos, this.#activity, queued], footer });
    this.#view = new RunView(this.screen, { activity: this.#activity, todos: this.#todos, agents: this.#agents });
    this.#desk = new QuestionDesk({
      screen: this.screen,
      describe: (request) => this.#describe(request),
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
    const { provider, mode = "default", sessionId = globalThis.crypto.randomUUID(), prompt } = this.options;
    const conversation = new TerminalSession(
      agent,
      { provider, mode, sessionId },
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
    await this.#prepareEditor();
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
    clearTimeout(this.#hintTimer);
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
    this.#showHint("press ctrl+c again to leave");
  }

  get #live(): TerminalSession {
    return this.#conversation!;
  }

  #greet(): void {
    const { bold, dim, yellow } = this.theme;
    const { version } = this.options;
    const { problems = [], untrusted = [], workspace } = this.#agent;
    const lines = [
      `${bold("loopwright")}${version ? dim(` ${version}`) : ""} ${dim(`· ${safeLine(workspace.root)}`)}`,
      dim("/help for commands and keys · @ for files · esc interrupts"),
    ];
    for (const { source, message } of problems) lines.push(yellow(`! ${safeLine(source)}: ${safeLine(message)}`));
    if (untrusted.length > 0) {
      const files = [...new Set(untrusted.map(({ source }) => safeLine(source)))].join(", ");
      lines.push(yellow(`! Not in use, as this project is not trusted: ${files}`));
    }
    this.screen.transcript.add(new TextBlock(lines.join("\n")));
  }

  async #prepareEditor(): Promise<void> {
    const { editor } = this.screen;
    const files = new WorkspaceFiles(this.#agent.workspace);
    editor.setAutocompleteProvider(new Completion(COMMANDS, (signal) => files.list(signal)));
    editor.onSubmit = (text) => this.#onLine(text);
    for (const prompt of await readPromptHistory(this.options.historyFile)) editor.addToHistory(prompt);
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
    this.#hint = undefined;
    if (matchesKey(data, "ctrl+d") && this.screen.editor.getText() === "" && !this.screen.dialog) this.leave();
    else if (matchesKey(data, "ctrl+l")) this.screen.redraw();
    else if (matchesKey(data, "ctrl+z")) this.#suspend();
    else if (matchesKey(data, "ctrl+o") && this.#desk.isAsking) this.#say(this.#desk.body.join("\n"));
    else if (this.screen.isAnswering) return false;
    else if (matchesKey(data, "shift+tab")) this.#cycleMode();
    else if (matchesKey(data, "escape") && this.isRunning && !this.screen.editor.isShowingAutocomplete())
      this.#interrupt();
    else return false;
    return true;
  }

  /** Gives the terminal to the shell until the program is continued. What the agent does goes on being recorded. */
  #suspend(): void {
    this.screen.stop();
    process.once("SIGCONT", () => this.screen.resume());
    process.kill(process.pid, "SIGTSTP");
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

  #showHint(hint: string): void {
    this.#hint = hint;
    clearTimeout(this.#hintTimer);
    this.#hintTimer = setTimeout(() => {
      this.#hint = undefined;
      this.screen.draw();
    }, TWICE_MS);
    this.screen.draw();
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
    const { red, yellow, dim } = this.theme;
    if (this.#todos.todos.length > 0)
      this.screen.add(new TextBlock(todoLines(this.#todos.todos, this.theme).join("\n"), ""));
    this.#todos.todos = [];
    const late = undelivered.join("\n");
    const isSentNext = late !== "" && result?.status === "completed";
    if (late !== "" && !isSentNext) {
      const { editor } = this.screen;
      editor.setText(editor.getText() === "" ? late : `${late}\n${editor.getText()}`);
    }
    const failure = error ?? result?.error;
    if (!result) this.#say(red(safeText(messageOf(failure))));
    else if (result.status === "aborted") this.#say(yellow("Interrupted. Say what to do instead, or leave it."));
    else if (result.status !== "completed") this.#say(red(safeText(describeEnd(result))));
    else if (elapsedMs >= WORTH_TIMING_MS) this.#say(dim(`Done in ${inSeconds(elapsedMs)}.`));
    // It came when the model had said its last word: the next run begins with it.
    if (isSentNext) this.#submit(late);
    this.screen.draw();
  }

  async #open(sessionId: string): Promise<void> {
    const { screen } = this;
    const branch = await readBranch(this.#agent.sessions, sessionId);
    if (sessionId !== this.#live.sessionId) this.#live.switchTo(sessionId);
    this.#hasPrompts = branch.length > 0;
    screen.transcript.clear();
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

  async #describe(request: PendingRequest): Promise<DialogQuestion> {
    if (request.tool === PRESENT_PLAN && request.kind === "question") {
      const { plan } = fieldsOf(request.input);
      this.screen.add(new AnswerBlock(this.theme, String(plan)));
      return planQuestion((mode) => this.#live.setMode(mode));
    }
    if (request.kind === "elicitation") return elicitationQuestion(request);
    if (request.kind === "question") return userQuestion(request);
    const { saveRules } = this.options;
    const diff = await previewDiff(this.#agent.workspace, request, this.theme);
    const question = approvalQuestion(request, this.theme, { diff, save: saveRules });
    return {
      ...question,
      answer: async (chosen) => {
        const answer = await question.answer(chosen);
        if ("decision" in answer && answer.remember) this.#live.noticeGrants(answer.remember);
        return answer;
      },
    };
  }

  #noteWaiting(request: PendingRequest, isWaiting: boolean): void {
    this.#waiting += isWaiting ? 1 : -1;
    this.#activity.isPaused = this.#waiting > 0;
    this.#view.wait(request, isWaiting);
    this.screen.draw();
  }

  #footerFacts() {
    const conversation = this.#conversation;
    const provider = conversation?.provider ?? this.options.provider;
    const spent = conversation?.spent;
    return {
      model: provider.id === provider.model ? provider.model : `${provider.id}/${provider.model}`,
      mode: conversation?.mode ?? "default",
      contextShare: conversation?.contextShare ?? null,
      costUsd: spent && spent.inputTokens > 0 ? spent.costUsd : undefined,
      hint: this.#hint,
    } as const;
  }
}

function describeEnd({ status, error }: RunResult): string {
  const reasons: Partial<Record<RunResult["status"], string>> = {
    "max-turns": "It took more steps than one run may take. Send another prompt to go on.",
    "budget-exceeded": "The budget of this run is used up.",
    deadline: "The time for this run is used up.",
    "hook-stopped": "A hook stopped the run.",
  };
  return error ? messageOf(error) : (reasons[status] ?? `The run ended as "${status}".`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
