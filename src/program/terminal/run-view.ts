// Shows a run while it goes on: each event of the engine becomes something on the screen, or nothing. Harmless calls are one
// line; decisions are shown where something was refused, never where all went well.

import type { PendingRequest } from "../../contracts/approval.js";
import type { EngineEvent, EventOf } from "../../contracts/event.js";
import type { ToolResult } from "../../contracts/tool-call.js";
import { fieldsOf } from "../../json/is-object.js";
import type { ActivityLine } from "./panel/activity-line.js";
import type { AgentTree } from "./panel/agent-tree.js";
import { type TodoPanel, todosIn } from "./panel/todo-panel.js";
import { safeLine } from "./screen/safe-text.js";
import type { Screen } from "./screen/screen.js";
import type { OwnCommand } from "./session/own-command.js";
import { PRESENT_PLAN } from "./session/plan-tool.js";
import { AnswerBlock } from "./transcript/answer-block.js";
import { TextBlock } from "./transcript/block.js";
import { CallBlock, type CallReport } from "./transcript/call-block.js";
import { type ShownCall, wholeCall } from "./transcript/call-summary.js";
import { mediaBlock } from "./transcript/media-block.js";
import { inSeconds, inThousands } from "./transcript/quantities.js";
import { ReasoningBlock, type ReasoningLevel } from "./transcript/reasoning-block.js";

export interface RunPanels {
  readonly activity: ActivityLine;
  readonly todos: TodoPanel;
  readonly agents: AgentTree;
}

/** Calls that are shown elsewhere: as the list of what is to be done, as a plan with a question. */
export const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(["todo_write", PRESENT_PLAN]);
/** Notices about what the person sees anyway, or cannot do anything about. */
const QUIET_NOTICES: ReadonlySet<string> = new Set([
  "TOOL_REMINDER_FAILED",
  "ANSWER_IGNORED",
  "EVENTS_DROPPED",
  "MESSAGE_UNDELIVERED",
]);

/** The engine's own words are for who writes the program. */
const UNKNOWN_MODEL =
  "The context window of this model is not known, so the context is compacted only once a request was too long. Name the window, and the price, in ~/.loopwright/models.json.";

export class RunView {
  readonly #calls = new Map<string, CallBlock>();
  /** The parts of the last shown run that can be unfolded: each thought and each call, whole. */
  #foldable: { readonly isCall: boolean; readonly whole: () => string }[] = [];
  #answer: AnswerBlock | undefined;
  #reasoning: ReasoningBlock | undefined;
  /** The amount of reasoning that is shown from now on. */
  reasoningLevel: ReasoningLevel = "short";

  constructor(
    private readonly screen: Screen,
    private readonly panels: RunPanels,
  ) {}

  /** A new run begins: what can be unfolded is its own. */
  begin(): void {
    this.#foldable = [];
  }

  /** Everything that the last tool said, or everything that the run has thought and its tools have said. */
  unfolded(what: "last" | "all"): readonly string[] {
    const chosen = what === "all" ? this.#foldable : this.#foldable.filter(({ isCall }) => isCall).slice(-1);
    return chosen.map(({ whole }) => whole());
  }

  /** Runs a command of the person's own and shows it as it goes on. */
  async showOwn({ call, run }: OwnCommand): Promise<void> {
    this.#endText();
    const { command } = call.arguments;
    const block = new CallBlock(this.screen.theme, {
      ...call,
      description: { title: command, kind: "execute", command },
      isOwn: true,
    });
    this.screen.add(block);
    const result = await run(({ update }) => {
      block.report(reportIn(update));
      this.screen.draw();
    });
    block.end(result);
    this.#foldCall(block.call, result);
    this.screen.draw();
  }

  show(event: EngineEvent): void {
    const ended = this.panels.agents.show(event);
    if (event.agentPath.length === 0) this.#showOwn(event);
    else if (ended !== undefined && this.#isBackground(event)) this.#note(`Sub-agent ${ended}`);
    this.screen.draw();
  }

  /** A question of the agent begins or stops to wait: its call says so. */
  wait({ toolCallId }: PendingRequest, isWaiting: boolean): void {
    const call = this.#calls.get(toolCallId);
    if (call?.isOpen) call.isWaiting = isWaiting;
  }

  #showOwn(event: EngineEvent): void {
    const { activity, todos } = this.panels;
    switch (event.type) {
      case "turn-start":
        this.screen.trim();
        return;
      case "model-call-start":
        this.#endText();
        activity.activity = todos.activity ?? "Thinking";
        return;
      case "reasoning-delta":
        activity.streamed(event.text.length);
        this.#think(event.text);
        return;
      case "text-delta":
        activity.streamed(event.text.length);
        activity.activity = todos.activity ?? "Writing";
        this.#endReasoning();
        this.#answerBlock().push(event.text);
        return;
      case "media":
        this.#endText();
        this.screen.add(mediaBlock(this.screen.theme, event.part));
        return;
      case "server-tool": {
        const { name, input } = event.use;
        if (input !== undefined) this.#line(safeLine(`The server runs ${name} ${JSON.stringify(input)}`));
        return;
      }
      case "tool-input-delta":
        activity.streamed(event.json.length);
        return;
      case "model-call-end":
        this.#endReasoning();
        if (!this.panels.agents.isEmpty) activity.activity = todos.activity ?? "Waiting for sub-agents";
        return;
      case "tool-call-start":
        this.#begin(event);
        return;
      case "tool-progress":
        this.#progress(event);
        return;
      case "tool-call-end":
        this.#end(event);
        return;
      case "model-restart":
        this.#restart(event);
        return;
      case "usage":
        activity.counted(event.usage.inputTokens, event.usage.outputTokens);
        return;
      case "compaction": {
        const { beforeTokens, afterTokens } = event.report;
        const { dim } = this.screen.theme;
        this.#line(
          dim(
            `The context was compacted from about ${inThousands(beforeTokens)} to ${inThousands(afterTokens)} tokens.`,
          ),
          "magenta",
        );
        return;
      }
      case "notice":
        if (event.code === "MODEL_UNKNOWN") this.#line(UNKNOWN_MODEL);
        else if (!QUIET_NOTICES.has(event.code)) this.#line(safeLine(event.message));
        return;
      default:
        return;
    }
  }

  #think(text: string): void {
    if (this.reasoningLevel === "hidden") return;
    if (!this.#reasoning) {
      if (text.trim() === "") return;
      this.#answer = undefined;
      const block = new ReasoningBlock(this.screen.theme, this.reasoningLevel);
      this.#reasoning = block;
      this.#foldable.push({ isCall: false, whole: () => block.whole });
      this.screen.add(block);
    }
    this.#reasoning.push(text);
  }

  #endReasoning(): void {
    this.#reasoning?.end();
    this.#reasoning = undefined;
  }

  #endText(): void {
    this.#endReasoning();
    this.#answer = undefined;
  }

  #answerBlock(): AnswerBlock {
    if (!this.#answer) {
      this.#answer = new AnswerBlock(this.screen.theme);
      this.screen.add(this.#answer);
    }
    return this.#answer;
  }

  #begin({ call, description, within }: EventOf<"tool-call-start">): void {
    this.#endText();
    this.panels.activity.activity = this.panels.todos.activity ?? `Running ${safeLine(call.name)}`;
    if (SHOWN_ELSEWHERE.has(call.name)) return;
    // A call that another one makes is shown below that one.
    const block = new CallBlock(this.screen.theme, { ...call, description }, within === undefined ? "  " : "    ");
    this.#calls.set(call.id, block);
    this.screen.add(block);
  }

  #progress({ toolCallId, update }: EventOf<"tool-progress">): void {
    const todos = todosIn(update);
    if (todos) {
      this.panels.todos.todos = todos;
      return;
    }
    const call = this.#calls.get(toolCallId);
    if (call?.isOpen) call.report(reportIn(update));
  }

  #end({ result }: EventOf<"tool-call-end">): void {
    const todos = todosIn(result.details);
    if (todos && result.name === "todo_write") this.panels.todos.todos = todos;
    const block = this.#calls.get(result.toolCallId);
    block?.end(result);
    if (block) this.#foldCall(block.call, result);
    this.#calls.delete(result.toolCallId);
    this.panels.activity.activity = this.panels.todos.activity ?? "Thinking";
  }

  /** Keeps the call itself for unfolding: its block, with the lines that were drawn, is forgotten once it has scrolled away. */
  #foldCall(call: ShownCall, result: ToolResult): void {
    this.#foldable.push({ isCall: true, whole: () => wholeCall(call, result, this.screen.theme) });
  }

  /** The streamed text is void: it is taken off the screen, since the model says it again. */
  #restart({ error, delayMs }: EventOf<"model-restart">): void {
    for (const block of [this.#reasoning, this.#answer]) if (block) this.screen.transcript.remove(block);
    this.#endText();
    for (const [id, call] of this.#calls) {
      if (call.isOpen) this.screen.transcript.remove(call);
      this.#calls.delete(id);
    }
    this.#line(`The model did not answer (${error.code}). Trying again in ${inSeconds(delayMs)}.`);
  }

  #isBackground({ agentPath }: EngineEvent): boolean {
    return (
      agentPath.length === 1 && ![...this.#calls.values()].some((call) => call.isOpen && call.call.name === "task")
    );
  }

  #note(text: string): void {
    this.#endText();
    const { theme } = this.screen;
    this.screen.add(new TextBlock(theme.dim(text), "    ", `  ${theme.green("●")} `));
  }

  #line(text: string, color: "yellow" | "magenta" = "yellow"): void {
    this.#endText();
    const { theme } = this.screen;
    this.screen.add(new TextBlock(`${theme[color]("!")} ${text}`, "    ", "  "));
  }
}

/** A tool's report: new output, or a message that takes the place of the one before. */
function reportIn(update: EventOf<"tool-progress">["update"]): CallReport {
  if (typeof update === "string") return { text: update, isMore: false };
  const { output, message, text } = fieldsOf(update);
  if (typeof output === "string") return { text: output, isMore: true };
  const found = [message, text].find((value) => typeof value === "string");
  return { text: typeof found === "string" ? found : "", isMore: false };
}
