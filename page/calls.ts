// A tool call: what was asked for, who decided, what came of it.
import { h } from "./dom.js";
import { byteSize, duration, plural } from "./format.js";
import { javascript } from "./javascript.js";
import { dim, fold, json, partView, type RowContext } from "./parts.js";
import { todoList } from "./plan.js";
import { code, diff, isDiff, plain } from "./text.js";
import type { Call, Item } from "./timeline.js";
import { pathsFrom, pathsTo } from "./value-path.js";

export function callRow(item: Item, call: Call, context: RowContext): HTMLElement {
  const { result } = call;
  const status = result ? result.status : call.asked.length > 0 ? "waiting" : "open";
  const agents = context.agentsOf(item);
  const exitCode = (result?.details as { exitCode?: unknown } | null | undefined)?.exitCode;
  const title = [
    h("span", { class: `dot ${status}`, title: status }),
    h("b", { class: "tool-name" }, plain(call.name)),
    h("span", { class: "gist" }, plain(gistOf(call))),
    status !== "success" && h("span", { class: `chip ${status}` }, plain(status)),
    typeof exitCode === "number" && exitCode !== 0 && h("span", { class: "chip failure" }, `exit ${exitCode}`),
    result?.outside !== undefined &&
      h("span", { class: "chip untrusted", title: result.outside.join(", ") }, "untrusted"),
    ...chipsOf(agents, context),
    result && result.durationMs >= 1 && dim(duration(result.durationMs)),
  ];
  const isTelling = result?.diff !== undefined || (call.name === "todo_write" && todosOf(call) !== null);
  return fold(item.key, context, isTelling, `call ${status}`, title, () => [
    ...inputOf(call),
    ...outputOf(call, context),
    ...decisionsOf(call, context),
    ...agents.map((id) => context.nested(id)),
    detailsOf(call, context, item.key),
  ]);
}

/** The chips of the work done for a call: the calls that its tool has made, and sub-agents. */
function chipsOf(agents: readonly string[], context: RowContext): readonly HTMLElement[] {
  const made = agents.map((id) => context.callsIn(id));
  const subagents = made.filter((count) => count === null).length;
  const words = made.flatMap((count) => (count === null ? [] : [plural(count, "call")]));
  if (subagents > 0) words.push(subagents === 1 ? "sub-agent" : "sub-agents");
  return words.map((word) => h("span", { class: "chip agent" }, word));
}

function gistOf(call: Call): string {
  const { input, title } = call;
  const todos = todosOf(call);
  if (call.name === "todo_write" && todos) {
    const done = todos.filter((todo) => (todo as { status?: unknown } | null)?.status === "completed").length;
    return `${done} of ${todos.length} done`;
  }
  const given = typeof input === "object" && input !== null ? Object.values(input) : [input ?? ""];
  const text = title ?? given.find((value) => typeof value === "string") ?? given[0] ?? "";
  return clip(typeof text === "string" ? text : JSON.stringify(text));
}

function clip(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

function todosOf(call: Call): unknown[] | null {
  const todos = (call.input as { todos?: unknown } | null)?.todos;
  return Array.isArray(todos) ? todos : null;
}

function inputOf(call: Call): readonly (Node | false)[] {
  const { input, result } = call;
  const todos = todosOf(call);
  if (call.name === "todo_write" && todos) return [todoList(todos)];
  // The diff of an edit shows its input already.
  if (result?.diff !== undefined || input === null) return [];
  if (typeof input !== "object" || Array.isArray(input)) return [label("Input"), code(json(input))];
  const { old_text: before, new_text: after, ...rest } = input as { readonly [name: string]: unknown };
  if (typeof before === "string" && typeof after === "string") {
    return [label("Edit"), diff([...prefixed("-", before), ...prefixed("+", after)].join("\n")), fieldsView(rest)];
  }
  const { program, ...others } = input as { readonly [name: string]: unknown };
  if (call.name === "run_program" && typeof program === "string")
    return [label("Program"), javascript(program), Object.keys(others).length > 0 && fieldsView(others)];
  return [label("Input"), fieldsView(input as { readonly [name: string]: unknown })];
}

function prefixed(mark: string, text: string): string[] {
  return text.split("\n").map((line) => mark + line);
}

/** Short values side by side, long ones as blocks. */
function fieldsView(fields: { readonly [name: string]: unknown }): HTMLElement {
  const rows = Object.entries(fields).flatMap(([name, value]) => [
    h("dt", {}, plain(name)),
    h("dd", {}, code(typeof value === "string" ? value : json(value))),
  ]);
  return h("dl", { class: "fields" }, ...rows);
}

function decisionsOf(call: Call, context: RowContext): readonly Node[] {
  const rows: Node[] = call.notes.map((note) =>
    h(
      "div",
      { class: "fact" },
      h("span", { class: `chip ${note.outcome}` }, plain(note.outcome)),
      plain([note.kind === "hook" ? `hook ${note.about}` : note.about, note.reason].filter(Boolean).join(" · ")),
      note.by !== "" && plain(` by ${note.by}`),
    ),
  );
  for (const asked of call.asked) {
    const answer = call.answers.find(({ requestId }) => requestId === asked.requestId);
    const waited = answer ? `after ${duration(Math.max(0, answer.at - asked.at))}` : "not answered";
    const who = asked.agentPath === "" ? "" : `${asked.agentPath}: `;
    rows.push(
      h("div", { class: "fact" }, h("span", { class: "chip ask" }, plain(asked.kind)), plain(who + asked.reason)),
      h(
        "div",
        { class: "fact" },
        h("span", { class: `chip ${answer?.decision ?? "waiting"}` }, plain(answer?.decision ?? "waiting")),
        plain([answer?.by && `by ${answer.by}`, waited, answer?.reason].filter(Boolean).join(" · ")),
        answer?.value !== undefined && h("code", {}, plain(JSON.stringify(answer.value))),
      ),
    );
  }
  return rows.length > 0 ? [label("Decisions"), ...rows, ...pathsTo(call, context)] : [];
}

function outputOf(call: Call, context: RowContext): readonly (Node | false)[] {
  const { name, result } = call;
  if (!result || name === "todo_write") return [];
  if (result.diff !== undefined && !result.isError) return [diff(result.diff)];
  const views = result.parts.map((part) =>
    part.type === "text" ? (isDiff(part.text) ? diff(part.text) : code(part.text)) : partView(part),
  );
  const { artifact, outside } = result;
  const whole = artifact?.text;
  return [
    label(result.isError ? "Error" : "Output"),
    ...views,
    outside !== undefined &&
      h(
        "div",
        { class: "fact" },
        h("span", { class: "chip untrusted" }, "untrusted"),
        plain(outside.join(", ") || "its source is not known"),
      ),
    ...pathsFrom(call, context),
    artifact !== undefined &&
      h(
        "div",
        { class: "fact" },
        h("span", { class: "chip" }, "offloaded"),
        plain(`${byteSize(artifact.bytes)} in ${artifact.path}`),
      ),
    whole !== undefined && wholeOutput(whole),
  ];
}

function wholeOutput(text: string): HTMLElement {
  const details = h("details", { class: "whole" }, h("summary", {}, "The whole output"));
  details.addEventListener("toggle", () => details.append(code(text)), { once: true });
  return details;
}

/** The details of a result that the host alone sees. */
function detailsOf({ id, result }: Call, context: RowContext, key: string): HTMLElement | false {
  const { details } = result ?? {};
  if (details === null || details === undefined) return false;
  return fold(`${key}.details`, context, false, "whole", ["Details"], () => [dim(id), code(json(details))]);
}

function label(text: string): HTMLElement {
  return h("div", { class: "label" }, text);
}
