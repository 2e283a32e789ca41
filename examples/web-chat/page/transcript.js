// Blocks as elements. A block that has not changed keeps its element, and so keeps what is open, selected and focused.
import { h, icon } from "./dom.js";
import { markdown } from "./markdown.js";
import { toolCard } from "./tool-card.js";

/** Shows an agent's blocks in `container`. The elements of blocks that are gone are removed. */
export class BlockList {
  /** @type {Map<object, { node: HTMLElement, version: number, update?: (block: object) => void }>} */
  #shown = new Map();

  constructor(container) {
    this.container = container;
  }

  show(blocks) {
    const present = new Set(blocks);
    for (const [block, { node }] of this.#shown) {
      if (present.has(block)) continue;
      node.remove();
      this.#shown.delete(block);
    }
    let before = null;
    for (const block of blocks) {
      const { node } = this.#element(block);
      const place = before === null ? this.container.firstChild : before.nextSibling;
      if (node !== place) this.container.insertBefore(node, place);
      before = node;
    }
  }

  #element(block) {
    const known = this.#shown.get(block);
    if (known?.version === block.version) return known;
    if (known?.update) known.update(block);
    const made = known?.update ? known : render(block);
    if (known && made !== known) known.node.replaceWith(made.node);
    made.version = block.version;
    this.#shown.set(block, made);
    return made;
  }
}

function render(block) {
  if (block.kind === "tool") return toolCard(block, (container) => new BlockList(container));
  const node = simple(block);
  return { node, version: block.version };
}

function simple(block) {
  switch (block.kind) {
    case "user":
      return h(
        "div",
        { class: `message user ${block.origin}` },
        h("span", { class: "unseen" }, "You: "),
        h("div", { class: "bubble" }, block.text),
        block.origin === "steering" &&
          h("div", { class: "note" }, block.isQueued ? "will be read at the next step" : "sent while it worked"),
      );
    case "text":
      return h("div", { class: "message agent" }, h("span", { class: "unseen" }, "Agent: "), markdown(block.text));
    case "media":
      return h("div", { class: "message agent" }, mediaView(block.part));
    case "reasoning":
      return h(
        "details",
        { class: "reasoning" },
        h("summary", {}, icon("chevron"), "Thinking"),
        h("div", { class: "quiet-text" }, block.text),
      );
    case "end":
      return h("div", { class: "end", role: "note" }, endText(block));
    default:
      return h("div", { class: "notice", role: "note" }, block.text ?? "");
  }
}

/** Other files are offered as a download. */
function mediaView({ type, mediaType, data, name = "file" }) {
  const url = `data:${mediaType};base64,${data}`;
  if (type === "image") return h("img", { src: url, alt: "An image that the agent has made" });
  return h("a", { href: url, download: name }, `${name} (${mediaType})`);
}

const ENDS = {
  aborted: "Stopped.",
  "max-turns": "It has used all its turns. Say something to go on.",
  "budget-exceeded": "The budget is used up.",
  deadline: "The time is over.",
  "hook-stopped": "A hook stopped it.",
  "output-invalid": "The final answer did not have the form that was asked for.",
};

function endText({ status, message }) {
  return message && status !== "aborted"
    ? `It ended as “${status}”: ${message}`
    : (ENDS[status] ?? `It ended as “${status}”.`);
}
