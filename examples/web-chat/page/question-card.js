// What waits for the user: an approval with its change, its reason and the rule that "always" would keep, or a question.
import { diffView } from "./diff.js";
import { h, icon } from "./dom.js";
import { changesOf, subjectOf, verbOf } from "./tool-words.js";

/**
 * @param {object} request a PendingRequest
 * @param {(answer: object) => Promise<void>} send
 */
export function questionCard(request, send) {
  const title = h("h2", { id: `q-${request.id}` });
  const card = h("section", { class: `question ${request.kind}`, "aria-labelledby": `q-${request.id}`, tabindex: -1 });
  const who = request.agentPath.length > 0 ? `Sub-agent ${request.agentPath.join(" → ")}: ` : "";
  const answer = async (value) => {
    card.setAttribute("aria-busy", "true");
    for (const control of card.querySelectorAll("button, input, textarea")) control.disabled = true;
    try {
      await send({ id: request.id, ...value });
    } catch {
      card.removeAttribute("aria-busy");
      for (const control of card.querySelectorAll("button, input, textarea")) control.disabled = false;
    }
  };
  if (request.kind === "approval") fillApproval(card, title, request, who, answer);
  else fillQuestion(card, title, request, who, answer);
  return card;
}

function fillApproval(card, title, request, who, answer) {
  const { tool: name, input, reason, suggestions } = request;
  const block = { name, input, inputText: "" };
  const changes = changesOf(block);
  const rules = suggestions.flatMap((one) =>
    one.type === "addRules" ? one.rules : one.type === "setMode" ? [`mode ${one.mode}`] : [],
  );
  title.append(
    icon("pause"),
    `${who}${changes ? `${verbOf(name)} ${input.path}` : name === "bash" ? "Run this command" : verbOf(name)}?`,
  );

  const reasonField = h("input", {
    type: "text",
    placeholder: "Why not? The agent reads it.",
    "aria-label": "Reason for the denial",
    enterkeyhint: "send",
  });
  const denial = h("form", { class: "denial", hidden: true }, reasonField, h("button", { class: "danger" }, "Deny"));
  denial.addEventListener("submit", (event) => {
    event.preventDefault();
    const why = reasonField.value.trim();
    answer({ decision: "deny", ...(why && { reason: why }) });
  });
  const allow = () => answer({ decision: "allow" });
  const always = () => answer({ decision: "allow", remember: suggestions });
  const deny = () => {
    if (!denial.hidden) return answer({ decision: "deny" });
    denial.hidden = false;
    reasonField.focus();
  };
  card.append(
    title,
    changes
      ? diffView(changes)
      : h("pre", { class: "call", tabindex: 0 }, subjectOf(block) || JSON.stringify(input, null, 2)),
    h("p", { class: "reason" }, reason),
    h(
      "div",
      { class: "actions" },
      button("primary", "Allow once", "Y", allow),
      suggestions.length > 0 &&
        rules.length > 0 &&
        button("", "Always allow", "A", always, h("code", {}, rules.join(", "))),
      button("", "Deny…", "N", deny),
    ),
    denial,
  );
  card.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = { y: allow, n: deny, ...(rules.length > 0 && { a: always }) }[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function button(className, label, key, onclick, detail) {
  return h(
    "button",
    { type: "button", class: className, "aria-keyshortcuts": key, onclick },
    label,
    detail,
    h("kbd", { "aria-hidden": "true" }, key),
  );
}

function fillQuestion(card, title, request, who, answer) {
  const { question, options = [], free_text: takesText = true } = Object(request.input);
  title.append(icon("ask"), `${who}${question ?? request.reason}`);
  const field = h("input", {
    type: "text",
    placeholder: options.length > 0 ? "Something else…" : "Your answer…",
    "aria-label": "Your answer",
    enterkeyhint: "send",
  });
  const form = h(
    "form",
    { class: "free" },
    field,
    h("button", { class: options.length === 0 ? "primary" : "" }, "Answer"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const value = field.value.trim();
    if (value !== "") answer({ value });
  });
  const choices = options.map((option, index) =>
    button(index === 0 ? "primary" : "", option, String(index + 1), () => answer({ value: option })),
  );
  card.append(title, h("div", { class: "actions choices" }, ...choices));
  if (takesText) card.append(form);
  card.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement) return;
    choices[Number(event.key) - 1]?.click();
  });
}
