// Messages as elements.
import { h } from "./dom.js";
import { markdown } from "./markdown.js";

const textOf = ({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")).join("");

const drawn = new WeakMap();

/**
 * A message is drawn once, and once more when a run begins or ends.
 *
 * @param acts what a person can do with it: `edit`, `regenerate`, `answer`; `null` while a run is under way
 */
export function messageView(message, acts) {
  const before = drawn.get(message);
  if (before?.isIdle === (acts !== null)) return before.view;
  const view = draw(message, acts);
  drawn.set(message, { view, isIdle: acts !== null });
  return view;
}

/** The message that is being written, which has changed since it was drawn. */
export const liveView = (message) => draw(message, null);

function draw(message, acts) {
  const isUser = message.role === "user";
  const item = h("li", { class: message.role }, h("h2", {}, isUser ? "You" : "Assistant"));
  const body = h("div", { class: "body" });
  body.append(...message.parts.flatMap((part) => partView(part, acts, isUser)));
  item.append(body);
  if (!acts) return item;
  const under = h("div", { class: "under" });
  const button = (label, act) => under.append(h("button", { type: "button", onclick: act }, label));
  if (isUser) button("Edit", () => acts.edit(message));
  else button("Again", () => acts.regenerate(message));
  button("Copy", () => navigator.clipboard.writeText(textOf(message)));
  item.append(under);
  return item;
}

function partView(part, acts, isUser) {
  if (part.type === "text") {
    if (part.text === "") return [];
    return [isUser ? h("p", {}, part.text) : markdown(part.text)];
  }
  if (part.type === "reasoning")
    return [h("details", {}, h("summary", {}, "Thoughts"), h("p", { class: "quiet" }, part.text))];
  if (part.type === "file") return [fileView(part)];
  if (part.type === "data-compaction") return [h("p", { class: "quiet" }, "Earlier messages were summed up.")];
  if (part.type === "data-question") return [questionView(part.data, acts)];
  if (part.type.startsWith("tool-")) return [callView(part, acts)];
  return [];
}

export function fileView({ mediaType, url, filename }) {
  if (/^data:image\/(png|jpeg|gif|webp);base64,/.test(url)) return h("img", { src: url, alt: filename ?? "A picture" });
  return h("p", { class: "quiet" }, `File: ${filename ?? mediaType}`);
}

const STATES = {
  "approval-requested": "May it?",
  "approval-responded": "Answered",
  "output-available": "Done",
  "output-error": "Failed",
  "output-denied": "Denied",
};

function callView({ type, state, input, output, errorText, approval }, acts) {
  const name = type.slice("tool-".length).replaceAll("_", " ");
  const view = h("div", { class: "call" }, h("strong", {}, name), ` ${STATES[state] ?? "Working …"}`);
  if (input !== undefined) view.append(h("pre", {}, JSON.stringify(input, null, 1)));
  if (errorText ?? output)
    view.append(h("pre", {}, typeof output === "string" ? output : (errorText ?? JSON.stringify(output))));
  if (state === "approval-requested" && acts) {
    const answer = (decision) => () => acts.answer({ id: approval.id, decision });
    view.append(
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", class: "primary", onclick: answer("allow") }, "Allow"),
        h("button", { type: "button", onclick: answer("deny") }, "Deny"),
      ),
    );
  }
  return view;
}

function questionView({ id, input, reason, isAnswered }, acts) {
  const view = h("form", { class: "call" }, h("strong", {}, input?.question ?? reason));
  if (isAnswered || !acts) return view;
  const answer = (value) => acts.answer({ id, value });
  const options = Array.isArray(input?.options) ? input.options : [];
  const text = input?.free_text !== false && h("input", { "aria-label": "Your answer", maxlength: 4_000 });
  view.append(
    h(
      "div",
      { class: "row" },
      ...options.map((option) => h("button", { type: "button", onclick: () => answer(option) }, String(option))),
      text,
      text && h("button", { type: "submit", class: "primary" }, "Answer"),
    ),
  );
  view.addEventListener("submit", (event) => {
    event.preventDefault();
    if (text && text.value.trim() !== "") answer(text.value);
  });
  return view;
}
