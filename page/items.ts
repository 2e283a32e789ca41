// One row of the page for each thing that happened.
import type { PageEntry } from "../src/observability/page/page-entry.js";
import { callRow } from "./calls.js";
import { h } from "./dom.js";
import { count, dollars, duration } from "./format.js";
import { prose } from "./markdown.js";
import { dim, fold, json, line, partView, type RowContext } from "./parts.js";
import { planRow } from "./plan.js";
import { code, longBlock, plain } from "./text.js";
import type { Item } from "./timeline.js";

/** The element of an item. */
export function rowOf(item: Item, context: RowContext): HTMLElement {
  const row = safely(() => contentOf(item, context));
  row.classList.add("row");
  if (item.isLeft) row.classList.add("left");
  row.dataset.key = item.key;
  row.tabIndex = -1;
  return row;
}

/** One row that cannot be shown takes no other with it. */
function safely(make: () => HTMLElement): HTMLElement {
  try {
    return make();
  } catch (error) {
    console.error(error);
    return line("unknown", "bad", ["This could not be shown."]);
  }
}

function contentOf(item: Item, context: RowContext): HTMLElement {
  const { entry, note, call, part, key } = item;
  if (call) return callRow(item, call, context);
  if (note) {
    const isBad = /deny|blocked|failed/.test(note.outcome);
    return line(note.kind === "hook" ? "hook" : "decision", isBad ? "bad" : "", [
      h("b", {}, plain(note.kind === "hook" ? `Hook ${note.about}` : note.kind)),
      h("span", { class: `chip ${note.outcome}` }, plain(note.outcome)),
      note.kind !== "hook" && plain(note.about),
      note.reason !== "" && plain(note.reason),
      note.durationMs > 0 && h("span", { class: "dim" }, duration(note.durationMs)),
    ]);
  }
  switch (entry.type) {
    case "user":
      return userRow(entry, key, context);
    case "assistant":
      if (part?.type === "reasoning") {
        const first = part.text.trim().split("\n")[0] ?? "";
        return fold(key, context, false, "reasoning", [h("b", {}, "Reasoning"), dim(first)], () => [prose(part.text)]);
      }
      return h("div", { class: "message" }, part ? partView(part) : dim(`No content (${entry.finish}).`));
    case "answer":
      return line("decision", entry.decision === "deny" ? "bad" : "", [
        h("b", {}, "Answer"),
        h("span", { class: `chip ${entry.decision}` }, plain(entry.decision)),
        entry.by !== "" && plain(`by ${entry.by}`),
        entry.reason !== "" && plain(entry.reason),
        entry.value !== undefined && h("code", {}, plain(JSON.stringify(entry.value))),
      ]);
    case "pending":
      return line("decision", "", [h("b", {}, plain(`Asks: ${entry.tool}`)), plain(entry.reason)]);
    case "compaction":
      return compactionRow(entry, key, context);
    case "epoch":
      return epochRow(entry, key, context);
    case "run-start":
      return line("run", "", [h("b", {}, "Run begins"), dim(entry.run)]);
    case "run-end":
      return line("run", "", [
        h("b", {}, "Run ends"),
        h("span", { class: `chip ${entry.status}` }, plain(entry.status)),
        entry.usage && dim(`${count(entry.usage.input)} tokens in, ${count(entry.usage.output)} out`),
      ]);
    case "custom":
      if (entry.name.startsWith("scheduler/")) return planRow(entry, context);
      return fold(key, context, false, "run", [h("b", {}, "Record"), plain(entry.name)], () => [
        ...nestedOf(entry.agent, context),
        code(json(entry.data)),
      ]);
    case "unknown":
      return fold(key, context, false, "unknown", [h("b", {}, "Not understood"), plain(entry.name)], () => [
        code(entry.text),
      ]);
    default:
      return line("run", "", [plain(entry.type)]);
  }
}

function nestedOf(agent: string | undefined, context: RowContext): readonly HTMLElement[] {
  const nested = agent === undefined ? null : context.nested(agent);
  return nested ? [nested] : [];
}

const ORIGINS = new Map([
  ["user", "User"],
  ["steering", "User, while it worked"],
  ["reminder", "Reminder"],
  ["hook", "From a hook"],
  ["summary", "Summary"],
  ["subagent", "From a sub-agent"],
  ["skill", "Skill"],
]);

function userRow(entry: Extract<PageEntry, { type: "user" }>, key: string, context: RowContext): HTMLElement {
  const who = ORIGINS.get(entry.origin) ?? entry.origin;
  if (entry.origin === "user" || entry.origin === "steering") {
    return h("div", { class: "prompt" }, h("div", { class: "who" }, plain(who)), ...entry.parts.map(partView));
  }
  const [first] = entry.parts;
  const preview = first && "text" in first ? (first.text.trim().split("\n")[0] ?? "") : "";
  return fold(key, context, false, "aside", [h("b", {}, plain(who)), dim(preview)], () => entry.parts.map(partView));
}

function compactionRow(entry: Extract<PageEntry, { type: "compaction" }>, key: string, context: RowContext) {
  const title = [
    h("b", {}, "Compaction"),
    h("span", { class: "chip" }, plain(entry.stage)),
    plain(`${count(entry.before)} → ${count(entry.after)} tokens`),
    dim(
      [
        entry.removedTurns > 0 && `${entry.removedTurns} turns`,
        entry.durationMs >= 1 && duration(entry.durationMs),
        entry.costUsd ? dollars(entry.costUsd) : false,
      ]
        .filter(Boolean)
        .join(" · "),
    ),
  ];
  return fold(key, context, false, "compaction", title, () => [
    dim("What the model is sent instead:"),
    ...entry.replacement.flatMap(({ role, parts }) => [
      h("div", { class: "who" }, plain(role)),
      ...parts.map((part) => (part.type === "call" ? code(`${part.name} ${json(part.input)}`) : partView(part))),
    ]),
  ]);
}

function epochRow(entry: Extract<PageEntry, { type: "epoch" }>, key: string, context: RowContext): HTMLElement {
  const title = [
    h("b", {}, "System prompt and tools"),
    dim(`${entry.cause} · ${entry.system.length} sections · ${entry.tools.length} tools`),
  ];
  return fold(key, context, false, "epoch", title, () => [
    ...entry.system.flatMap(({ id, text }) => [h("div", { class: "who" }, plain(id)), longBlock(text, "prose")]),
    entry.tools.length > 0 && h("div", { class: "who" }, "Tools"),
    h(
      "dl",
      { class: "tools" },
      ...entry.tools.flatMap(({ name, description }) => [h("dt", {}, plain(name)), h("dd", {}, plain(description))]),
    ),
  ]);
}
