// The sub-agents that are at work, as a tree: who works for whom, on what, and how much it has taken. Read from their events;
// each has a run of its own, which tells apart two of the same name.
import type { Component } from "@earendil-works/pi-tui";
import type { EngineEvent } from "../../../contracts/event.js";
import { safeLine } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import { callLine } from "../transcript/call-summary.js";
import { counted, inSeconds, inThousands } from "../transcript/quantities.js";

interface Worker {
  readonly path: readonly string[];
  readonly task: string;
  readonly startedAt: number;
  calls: number;
  tokens: number;
  now: string;
}

const SHOWN = 8;

export class AgentTree implements Component {
  readonly #workers = new Map<string, Worker>();
  /** Descriptions of `task` calls whose sub-agent has not begun, in the order of the calls. */
  readonly #tasks: { readonly parent: string; readonly name: string; readonly task: string }[] = [];

  constructor(private readonly theme: Theme) {}

  get isEmpty(): boolean {
    return this.#workers.size === 0;
  }

  clear(): void {
    this.#workers.clear();
    this.#tasks.length = 0;
  }

  /** Follows an event of any agent. Returns the worker's summary when a sub-agent has ended. */
  show(event: EngineEvent): string | undefined {
    if (event.type === "tool-call-start" && event.call.name === "task") this.#expect(event);
    if (event.agentPath.length === 0) return undefined;
    const worker = this.#workers.get(event.runId);
    switch (event.type) {
      case "run-start":
        this.#begin(event);
        return undefined;
      case "run-end":
        this.#workers.delete(event.runId);
        return (
          worker &&
          `${nameOf(worker)} ${event.status === "completed" ? "is done" : `ended: ${event.status}`} · ${amountOf(worker)}`
        );
      case "tool-call-start":
        if (worker) {
          worker.calls += 1;
          const { verb, subject } = callLine({ ...event.call, description: event.description });
          worker.now = `${verb} ${subject}`;
        }
        return undefined;
      case "text-delta":
        if (worker) worker.now = "writing";
        return undefined;
      case "usage":
        if (worker) worker.tokens = event.usage.inputTokens + event.usage.outputTokens;
        return undefined;
      default:
        return undefined;
    }
  }

  render(): string[] {
    const { bold, dim } = this.theme;
    const all = [...this.#workers.values()];
    const lines = all.slice(0, SHOWN).flatMap((worker, index) => {
      const isLast = index === Math.min(all.length, SHOWN) - 1;
      const inset = "  ".repeat(worker.path.length);
      const name = bold(nameOf(worker));
      const task = worker.task === "" ? "" : ` ${worker.task}`;
      const head = `  ${inset}${dim(isLast ? "└" : "├")} ${name}${task}${dim(` · ${amountOf(worker)}`)}`;
      return worker.now === "" ? [head] : [head, `  ${inset}${dim(`${isLast ? " " : "│"}   ${worker.now}`)}`];
    });
    const left = all.length - SHOWN;
    const title = all.length === 0 ? [] : [`  ${bold("Sub-agents")} ${dim(String(all.length))}`];
    return [...title, ...lines, ...(left > 0 ? [dim(`    … ${left} more`)] : [])];
  }

  invalidate(): void {}

  #expect({ agentPath, call }: Extract<EngineEvent, { type: "tool-call-start" }>): void {
    const { subagent_type: name, description } = Object(call.arguments) as Record<string, unknown>;
    const task = typeof description === "string" ? safeLine(description) : "";
    this.#tasks.push({ parent: agentPath.join("/"), name: typeof name === "string" ? name : "", task });
  }

  #begin({ runId, agentPath, at }: Extract<EngineEvent, { type: "run-start" }>): void {
    const parent = agentPath.slice(0, -1).join("/");
    const own = agentPath.at(-1);
    const index = this.#tasks.findIndex((task) => task.parent === parent && (task.name === own || task.name === ""));
    const task = index < 0 ? "" : this.#tasks.splice(index, 1)[0]!.task;
    this.#workers.set(runId, { path: agentPath, task, startedAt: at, calls: 0, tokens: 0, now: "" });
  }
}

function nameOf({ path }: Worker): string {
  return safeLine(path.at(-1) ?? "");
}

function amountOf({ calls, tokens, startedAt }: Worker): string {
  const amounts = [counted(calls, "call")];
  if (tokens > 0) amounts.push(`${inThousands(tokens)} tokens`);
  return [...amounts, inSeconds(Date.now() - startedAt)].join(" · ");
}
