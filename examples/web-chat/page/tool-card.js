// A tool call: one line, and below it what is worth seeing: a diff, a command's output, what a sub-agent does.
import { diffView } from "./diff.js";
import { h, icon } from "./dom.js";
import { markdown } from "./markdown.js";
import { changesOf, isQuiet, outcomeOf, outputOf, subjectOf, verbOf } from "./tool-words.js";

/** Longer outputs show their beginning and end. */
const MAX_LINES = 20;
const SHOWN_HEAD = 6;
const SHOWN_TAIL = 8;

/**
 * @param {object} block
 * @param {(container: HTMLElement) => { show(blocks: object[]): void }} listIn makes a list for a sub-agent's blocks
 */
export function toolCard(block, listIn) {
  const status = h("span", { class: "status" });
  const verb = h("span", { class: "verb" });
  const subject = h("span", { class: "subject" });
  const outcome = h("span", { class: "outcome" });
  const summary = h("summary", {}, status, verb, subject, outcome, icon("chevron"));
  const body = h("div", { class: "body" });
  const node = h("details", { class: "tool" }, summary, body);
  const agents = new Map();
  let hasToggled = false;
  summary.addEventListener("click", () => {
    hasToggled = true;
  });
  let shown = "";

  function update(block) {
    const { state, result } = block;
    const look = lookOf(block);
    node.className = `tool ${look} ${isQuiet(block) ? "quiet" : ""} ${PROSE.has(block.name) ? "worded" : ""}`;
    status.replaceChildren(
      h("span", { class: "unseen" }, `${LABELS[look]}: `),
      ...(ICONS[look] ? [icon(ICONS[look])] : []),
    );
    verb.textContent = verbOf(block.name, block.input);
    subject.textContent = subjectOf(block);
    subject.title = subject.textContent;
    outcome.textContent = outcomeOf(block);
    // The body is made anew only when something in it has changed; a sub-agent's blocks keep their elements.
    const key = `${state}:${result ? 1 : 0}:${(block.live ?? "").length}:${block.inputText.length}`;
    if (block.name === "task") updateAgents(block);
    else if (key !== shown) body.replaceChildren(...bodyOf(block));
    shown = key;
    node.classList.toggle("empty", body.childNodes.length === 0);
    if (!hasToggled) node.open = isOpen(block);
  }

  function updateAgents(block) {
    for (const agent of block.agents) {
      let view = agents.get(agent);
      if (!view) {
        const container = h("div", { class: "nested", role: "group", "aria-label": `Sub-agent ${agent.name}` });
        view = { container, list: listIn(container) };
        agents.set(agent, view);
        body.append(container);
      }
      view.list.show(agent.blocks);
    }
    const isAlone = block.agents.length === 0 || block.agents.every(({ blocks }) => blocks.length === 0);
    if (block.result && isAlone) body.replaceChildren(markdown(outputOf(block.result)));
  }

  update(block);
  return { node, version: block.version, update };
}

/** Tools whose subject is a sentence, not code. */
const PROSE = new Set(["task", "ask_user", "todo_write"]);

const LABELS = { done: "Done", failed: "Failed", denied: "Denied", asking: "Waiting for you", busy: "Running" };
const ICONS = { done: "check", failed: "cross", denied: "cross", asking: "pause" };

function lookOf({ state, result, agents }) {
  if (state === "asking" || agents.some((agent) => [...agent.calls.values()].some((call) => call.state === "asking")))
    return "asking";
  if (state === "void") return "denied";
  if (!result) return "busy";
  if (result.status === "denied") return "denied";
  return result.isError || (result.details?.exitCode ?? 0) !== 0 ? "failed" : "done";
}

/** What is open as long as nobody has opened or closed it. */
function isOpen(block) {
  if (block.name === "task") return !block.result;
  if (block.name === "ask_user") return block.state === "done" && !block.result.isError;
  if (block.state === "asking") return false; // The question shows it.
  if (block.result?.isError) return block.result.status !== "denied" && !isQuiet(block);
  return changesOf(block) !== null || (block.name === "bash" && block.state !== "writing");
}

function bodyOf(block) {
  const { result, live, state, malformed } = block;
  const changes = changesOf(block);
  if (state === "asking" && block.request?.kind !== "approval") return [];
  const parts = [];
  if (changes) parts.push(diffView(changes));
  if (malformed !== undefined) parts.push(output(malformed));
  if (result && (!changes || result.isError)) parts.push(...resultParts(block, outputOf(result)));
  else if (!result && live) parts.push(output(live, { isLive: true }));
  return parts;
}

function resultParts({ name, input }, text) {
  if (name === "ask_user") return [h("blockquote", { class: "answer" }, text)];
  if (name === "todo_write") return [todoList(Array.isArray(input?.todos) ? input.todos : [])];
  return text.trim() === "" ? [] : [output(text)];
}

/** The items of a plan. */
export function todoList(todos) {
  const item = ({ content, status, activeForm }) => {
    const label = { completed: "done", in_progress: "under way", pending: "to do" }[status] ?? status;
    const text = status === "in_progress" ? (activeForm ?? content) : content;
    return h("li", { class: status }, h("span", { class: "unseen" }, `${label}: `), text);
  };
  return h("ul", { class: "todos" }, ...todos.map(item));
}

/** What terminals read as colours. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*[A-Za-z]`, "g");

/** Text as a terminal shows it; a long one has its middle folded. */
function output(text, { isLive = false } = {}) {
  const lines = text.replace(COLOURS, "").trimEnd().split("\n");
  const pre = h("pre", { class: "output", tabindex: 0 });
  if (lines.length <= MAX_LINES || isLive) {
    pre.append((isLive ? lines.slice(-MAX_LINES) : lines).join("\n"));
    return pre;
  }
  const hidden = lines.length - SHOWN_HEAD - SHOWN_TAIL;
  const more = h("button", { type: "button", class: "more" }, `${hidden} more lines`);
  more.addEventListener("click", () => {
    pre.replaceChildren(lines.join("\n"));
    pre.focus();
  });
  pre.append(`${lines.slice(0, SHOWN_HEAD).join("\n")}\n`, more, `\n${lines.slice(-SHOWN_TAIL).join("\n")}`);
  return pre;
}
