import { type Component, truncateToWidth } from "@earendil-works/pi-tui";
import type { JsonValue } from "../../../contracts/json.js";
import { fieldsOf } from "../../../json/is-object.js";
import type { Todo } from "../../../tools/plan/todo-state.js";
import { safeLine } from "../screen/safe-text.js";
import type { Theme } from "../screen/theme.js";
import { DrawnBlock } from "../transcript/block.js";

/** A longer plan is cut around the item under way. */
const SHOWN = 8;

/** The agent's plan, as it changes. */
export class TodoPanel implements Component {
  #todos: readonly Todo[] = [];

  constructor(private readonly theme: Theme) {}

  set todos(todos: readonly Todo[]) {
    this.#todos = todos;
  }

  get todos(): readonly Todo[] {
    return this.#todos;
  }

  /** The task under way, in the plan's own words. */
  get activity(): string | undefined {
    const active = this.#todos.find(({ status }) => status === "in_progress");
    return active && safeLine(active.activeForm ?? active.content);
  }

  render(): string[] {
    return todoLines(this.#todos, this.theme);
  }

  invalidate(): void {}
}

/** The plan as it was in the end, for the conversation. */
export function todoBlock(todos: readonly Todo[], theme: Theme): DrawnBlock {
  const lines = todoLines(todos, theme);
  return new DrawnBlock((width) => lines.map((line) => truncateToWidth(line, width, "…")));
}

/** The items, each with a mark; `[]` when there is no plan. */
function todoLines(todos: readonly Todo[], theme: Theme): string[] {
  if (todos.length === 0) return [];
  const { bold, dim, green, cyan } = theme;
  const done = todos.filter(({ status }) => status === "completed").length;
  const active = Math.max(
    0,
    todos.findIndex(({ status }) => status !== "completed"),
  );
  const start = Math.max(0, Math.min(active - 2, todos.length - SHOWN));
  const lines = todos.slice(start, start + SHOWN).map(({ content, status }) => {
    const text = safeLine(content);
    if (status === "completed") return `    ${green("✔")} ${dim(text)}`;
    return status === "in_progress" ? `    ${cyan("▸")} ${bold(text)}` : `    ${dim("○")} ${text}`;
  });
  const before = start > 0 ? [dim(`    … ${start} done before`)] : [];
  const left = todos.length - start - SHOWN;
  const after = left > 0 ? [dim(`    … ${left} more`)] : [];
  return [`  ${bold("Plan")} ${dim(`${done} of ${todos.length}`)}`, ...before, ...lines, ...after];
}

/** The plan in a progress update or in a result's details; `undefined` when there is not one. */
export function todosIn(value: JsonValue | undefined): readonly Todo[] | undefined {
  const { todos } = fieldsOf(value);
  if (!Array.isArray(todos)) return undefined;
  return todos.filter((todo): todo is JsonValue & Todo => typeof fieldsOf(todo as JsonValue).content === "string");
}
