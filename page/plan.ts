// To-do lists and the plans of a scheduler.
import type { PageEntry } from "../src/observability/page/page-entry.js";
import { h } from "./dom.js";
import { count, dollars } from "./format.js";
import { fold, type RowContext } from "./parts.js";
import { code, plain } from "./text.js";

type Custom = Extract<PageEntry, { type: "custom" }>;
type Fields = { readonly [name: string]: unknown };

export function todoList(todos: readonly unknown[]): HTMLElement {
  const rows = todos.map((todo) => {
    const { content, status } = (todo ?? {}) as Fields;
    const state = String(status);
    const mark = state === "completed" ? "✓" : state === "in_progress" ? "▸" : "○";
    return h(
      "li",
      { class: state === "completed" || state === "in_progress" ? state : "pending" },
      h("i", {}, mark),
      plain(String(content)),
    );
  });
  return h("ul", { class: "todos" }, ...rows);
}

/** One record of a plan. */
export function planRow(entry: Custom, context: RowContext): HTMLElement {
  const data = (entry.data ?? {}) as Fields;
  const kind = String(data.kind ?? "report");
  const what = entry.name.slice("scheduler/".length);
  const about = [data.goal, data.skill, data.task, data.reason].find((one) => typeof one === "string") as
    | string
    | undefined;
  const attempt = typeof data.attempt === "number" ? ` · attempt ${data.attempt}` : "";
  const title = [
    h("b", {}, plain(what === "plan" ? "Plan" : what === "task" ? "Task" : "Report")),
    h("span", { class: `chip ${kind}` }, plain(kind)),
    plain((about ?? "") + attempt),
  ];
  return fold(`${entry.id}.plan`, context, false, "plan", title, () => [
    Array.isArray(data.tasks) && taskTable(data.tasks as Fields[], new Map()),
    typeof data.output === "string" && code(data.output),
    code(JSON.stringify(entry.data, null, 2)),
  ]);
}

/** The newest plan and its outcome; `null` when the session has none. */
export function planPanel(
  entries: readonly Custom[],
  openTask: (task: string, attempt: number) => HTMLElement | null,
): HTMLElement | null {
  let goal = "";
  let tasks: readonly Fields[] = [];
  const states = new Map<string, Fields>();
  for (const { name, data } of entries) {
    const record = (data ?? {}) as Fields;
    if (name === "scheduler/plan" && typeof record.goal === "string") goal = record.goal;
    if (name === "scheduler/plan" && Array.isArray(record.tasks)) tasks = record.tasks as Fields[];
    if (name === "scheduler/task" && typeof record.task === "string") states.set(record.task, record);
  }
  if (goal === "" && tasks.length === 0) return null;
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "Plan"),
    h("p", {}, plain(goal)),
    taskTable(tasks, states, openTask),
  );
}

function taskTable(
  tasks: readonly Fields[],
  states: ReadonlyMap<string, Fields>,
  openTask?: (task: string, attempt: number) => HTMLElement | null,
): HTMLElement {
  const list = h("div", { class: "tasks" });
  for (const task of tasks) {
    const { id, title, dependsOn } = (task ?? {}) as Fields;
    const state = states.get(String(id));
    const kind = String(state?.kind ?? "waiting");
    const spent = (state?.spent ?? {}) as { usage?: { inputTokens?: unknown }; costUsd?: unknown };
    const tokens = spent.usage?.inputTokens;
    const after = Array.isArray(dependsOn) && dependsOn.length > 0 ? `after ${dependsOn.join(", ")}` : "";
    const row = h("details", { class: "task" });
    row.append(
      h(
        "summary",
        {},
        states.size > 0 && h("span", { class: `chip ${kind}` }, plain(kind)),
        h("b", {}, plain(String(title ?? id))),
        h(
          "span",
          { class: "dim" },
          plain(
            [
              after,
              typeof tokens === "number" && tokens > 0 ? `${count(tokens)} tokens` : "",
              typeof spent.costUsd === "number" && spent.costUsd > 0 ? dollars(spent.costUsd) : "",
            ]
              .filter(Boolean)
              .join(" · "),
          ),
        ),
      ),
    );
    row.addEventListener(
      "toggle",
      () => {
        const nested = state ? openTask?.(String(id), Number(state.attempt)) : null;
        row.append(code(String((task as Fields).instructions ?? JSON.stringify(task, null, 2))));
        if (typeof state?.reason === "string") row.append(code(state.reason));
        if (nested) row.append(nested);
      },
      { once: true },
    );
    list.append(row);
  }
  return list;
}
