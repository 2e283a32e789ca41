// The message field. A draft survives a reload; a message that has not arrived stays in the field, and is sent again under
// the same key, so that it counts once.
import { icon } from "./dom.js";

const field = /** @type {HTMLTextAreaElement} */ (document.getElementById("message"));
const sendButton = /** @type {HTMLButtonElement} */ (document.getElementById("send"));
const stopButton = /** @type {HTMLButtonElement} */ (document.getElementById("stop"));

export class Composer {
  #sessionId = "new";
  #isSending = false;
  #key = "";
  #keyedText = "";

  /** @param {{ send(text: string, key: string): Promise<boolean>, stop(): void }} actions */
  constructor({ send, stop }) {
    this.send = send;
    sendButton.append(icon("send"));
    stopButton.append(icon("stop"));
    stopButton.addEventListener("click", stop);
    field.addEventListener("input", () => this.#changed());
    field.addEventListener("keydown", (event) => {
      const question = document.querySelector(".question");
      if (event.key === "ArrowUp" && field.value === "" && question) {
        event.preventDefault();
        question.focus();
      }
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#submit();
    });
    field.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  /** Shows the draft of a session. */
  session(id) {
    this.#sessionId = id;
    field.value = localStorage.getItem(`draft:${id}`) ?? "";
    this.#changed();
  }

  running(isRunning, isAsked) {
    stopButton.hidden = !isRunning;
    field.placeholder = isRunning
      ? "Tell it something while it works…"
      : isAsked
        ? "Or say something else… (↑ to answer)"
        : "Message the agent…";
  }

  #changed() {
    const draft = `draft:${this.#sessionId}`;
    if (field.value === "") localStorage.removeItem(draft);
    else localStorage.setItem(draft, field.value);
    sendButton.disabled = field.value.trim() === "" || this.#isSending;
    field.style.height = "auto";
    field.style.height = `${Math.min(field.scrollHeight, 220)}px`;
  }

  async #submit() {
    const text = field.value.trim();
    if (text === "" || this.#isSending) return;
    if (text !== this.#keyedText) [this.#keyedText, this.#key] = [text, crypto.randomUUID()];
    const draft = `draft:${this.#sessionId}`;
    this.#isSending = true;
    sendButton.disabled = true;
    const isSent = await this.send(text, this.#key);
    this.#isSending = false;
    if (isSent) {
      this.#keyedText = "";
      localStorage.removeItem(draft);
      if (field.value.trim() === text) field.value = "";
    }
    this.#changed();
  }
}
