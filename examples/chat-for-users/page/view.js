// Messages as elements. Everything a model, a tool or a person has written is text, never markup.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const textOf = ({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")).join("");

/** @param acts what a person can do with it: `edit`, `regenerate`, `answer`; `null` while a run is under way */
export function messageView(message, acts) {
  const isUser = message.role === "user";
  const item = h("li", { class: message.role }, h("h2", {}, isUser ? "You" : "Assistant"));
  const body = h("div", { class: "body" });
  body.append(...message.parts.flatMap((part) => partView(part, acts)));
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

function partView(part, acts) {
  if (part.type === "text") return part.text === "" ? [] : [h("p", {}, part.text)];
  if (part.type === "reasoning")
    return [h("details", {}, h("summary", {}, "Thoughts"), h("p", { class: "quiet" }, part.text))];
  if (part.type === "file") return [fileView(part)];
  if (part.type === "data-compaction") return [h("p", { class: "quiet" }, "Earlier messages were summed up.")];
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
    const answer = (decision) => () => acts.answer(approval.id, decision);
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
