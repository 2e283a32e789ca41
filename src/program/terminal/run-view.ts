// Shows a run while it goes on: each event of the engine becomes something on the screen, or nothing. Harmless calls are one
// line; decisions are shown where something was refused, never where all went well.

import type { PendingRequest } from "../../contracts/approval.js";
import type { EngineEvent, EventOf } from "../../contracts/event.js";
import { fieldsOf } from "../../json/is-object.js";
import type { ActivityLine } from "./panel/activity-line.js";
import type { AgentTree } from "./panel/agent-tree.js";
import { type TodoPanel, todosIn } from "./panel/todo-panel.js";
import { safeLine } from "./screen/safe-text.js";
import type { Screen } from "./screen/screen.js";
import { PRESENT_PLAN } from "./session/plan-tool.js";
import { AnswerBlock } from "./transcript/answer-block.js";
import { TextBlock } from "./transcript/block.js";
import { CallBlock } from "./transcript/call-block.js";
import { mediaBlock } from "./transcript/media-block.js";
import { inSeconds, inThousands } from "./transcript/quantities.js";

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

export class RunView {
  readonly #calls = new Map<string, CallBlock>();
  #answer: AnswerBlock | undefined;

  constructor(
    private readonly screen: Screen,
    private readonly panels: RunPanels,
  ) {}

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
        this.#answer = undefined;
        activity.activity = todos.activity ?? "Thinking";
        return;
      case "reasoning-delta":
        activity.streamed(event.text.length);
        return;
      case "text-delta":
        activity.streamed(event.text.length);
        activity.activity = todos.activity ?? "Writing";
        this.#answerBlock().push(event.text);
        return;
      case "media":
        this.#answer = undefined;
        this.screen.add(mediaBlock(this.screen.theme, event.part));
        return;
      case "tool-input-delta":
        activity.streamed(event.json.length);
        return;
      case "model-call-end":
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
        if (!QUIET_NOTICES.has(event.code)) this.#line(safeLine(event.message));
        return;
      default:
        return;
    }
  }

  #answerBlock(): AnswerBlock {
    if (!this.#answer) {
      this.#answer = new AnswerBlock(this.screen.theme);
      this.screen.add(this.#answer);
    }
    return this.#answer;
  }

  #begin({ call, description }: EventOf<"tool-call-start">): void {
    this.#answer = undefined;
    this.panels.activity.activity = this.panels.todos.activity ?? `Running ${safeLine(call.name)}`;
    if (SHOWN_ELSEWHERE.has(call.name)) return;
    const block = new CallBlock(this.screen.theme, { ...call, description });
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
    if (call?.isOpen) call.progress = progressText(update);
  }

  #end({ result }: EventOf<"tool-call-end">): void {
    const todos = todosIn(result.details);
    if (todos && result.name === "todo_write") this.panels.todos.todos = todos;
    this.#calls.get(result.toolCallId)?.end(result);
    this.#calls.delete(result.toolCallId);
    this.panels.activity.activity = this.panels.todos.activity ?? "Thinking";
  }

  /** The streamed text is void: it is taken off the screen, since the model says it again. */
  #restart({ error, delayMs }: EventOf<"model-restart">): void {
    if (this.#answer) this.screen.transcript.remove(this.#answer);
    this.#answer = undefined;
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
    this.#answer = undefined;
    const { theme } = this.screen;
    this.screen.add(new TextBlock(theme.dim(text), "    ", `  ${theme.green("●")} `));
  }

  #line(text: string, color: "yellow" | "magenta" = "yellow"): void {
    this.#answer = undefined;
    const { theme } = this.screen;
    this.screen.add(new TextBlock(`${theme[color]("!")} ${text}`, "    ", "  "));
  }
}

/** The newest line that a tool has reported. */
function progressText(update: EventOf<"tool-progress">["update"]): string {
  if (typeof update === "string") return lastLine(update);
  const { output, message, text } = fieldsOf(update);
  const found = [message, text, output].find((value) => typeof value === "string");
  return typeof found === "string" ? lastLine(found) : "";
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
