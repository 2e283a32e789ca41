// One chat, as the server has it and as its run goes on. What it shows is what the model is sent.
import { ask, chatPath, chunksOf } from "./api.js";
import { LiveMessage } from "./live-message.js";

const PAGE = 50;
/** Before a lost connection is made again: at once, and then less and less often. */
const AGAIN_MS = [50, 250, 1_000, 3_000];

export class Chat {
  messages = [];
  branches = [];
  /** What to pass for the messages before the first; `null`: there are none. */
  before = null;
  live = null;
  /** A message is on its way, or its run is under way. */
  isBusy = false;
  problem = "";
  #isClosed = false;
  #branch;

  constructor(id, onChange) {
    this.id = id;
    this.onChange = onChange;
  }

  get isRunning() {
    return this.live !== null || this.isBusy;
  }

  close() {
    this.#isClosed = true;
  }

  /** Reads the newest messages, of a branch if one is named, and follows the run under way. */
  async open(branch) {
    this.#branch = branch;
    await this.#load();
    await this.#follow(() => ask("GET", chatPath(this.id, "/stream")));
  }

  async earlier() {
    const page = await this.#page(this.before);
    this.messages = [...page.messages, ...this.messages];
    this.before = page.before;
    this.onChange();
  }

  /** Sends a message: behind all others, or in the place of one that it takes. */
  send(parts, replaced) {
    return this.#busy(async () => {
      const shown = await this.#shownBefore(replaced);
      const message = { id: crypto.randomUUID(), role: "user", parts };
      await this.#say([...shown, message], "submit-message", replaced?.id);
    });
  }

  /** Asks for an answer again. */
  regenerate(answer) {
    return this.#busy(async () => {
      const shown = await this.#shownBefore(answer);
      const prompts = shown.slice(0, shown.findLastIndex(({ role }) => role === "user") + 1);
      await this.#say(prompts, "regenerate-message", answer.id);
    });
  }

  /** @param answer `{ id, decision }`, or `{ id, value }` to a question */
  answer(answer) {
    return this.#busy(() => this.#follow(() => ask("POST", chatPath(this.id, "/answer"), answer)));
  }

  async stop() {
    await ask("POST", chatPath(this.id, "/stop"));
  }

  async #busy(work) {
    this.isBusy = true;
    this.problem = "";
    this.onChange();
    try {
      await work();
    } finally {
      this.isBusy = false;
      this.onChange();
    }
  }

  async #shownBefore(message) {
    while (this.before !== null) await this.earlier();
    return message ? this.messages.slice(0, this.messages.indexOf(message)) : this.messages;
  }

  async #say(messages, trigger, messageId) {
    this.messages = messages;
    // What is sent begins a branch, or goes on with one: it is the current one then.
    this.#branch = undefined;
    const sent = messages.map((message, index) => (index === messages.length - 1 ? message : short(message)));
    await this.#follow(() => ask("POST", "/chat", { id: this.id, messages: sent, trigger, messageId }));
  }

  /** Reads a run to its end, also over a connection that breaks, and then the messages as they are stored. */
  async #follow(begin) {
    let losses = 0;
    for (let start = begin; !this.#isClosed; start = () => ask("GET", chatPath(this.id, "/stream"))) {
      const live = new LiveMessage();
      try {
        const response = await start();
        if (response.status === 204) break;
        this.live = live;
        for await (const chunk of chunksOf(response)) {
          if (this.#isClosed) return;
          live.add(chunk);
          losses = 0;
          this.onChange();
        }
        if (live.isWhole) {
          this.problem = live.problem;
          break;
        }
      } catch (error) {
        if (error.status) {
          if (error.status !== 404 || this.messages.length > 0) this.problem = error.message;
          break;
        }
      }
      // The connection broke. What was said meanwhile is in the session, or in the stream of a run that goes on.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS[Math.min(losses++, AGAIN_MS.length - 1)]));
      await this.#load().catch(() => {});
    }
    if (!this.#isClosed) await this.#load().catch((error) => this.#failed(error));
    this.live = null;
    this.onChange();
  }

  async #load() {
    try {
      const [page, { branches }] = await Promise.all([
        this.#page(null),
        ask("GET", chatPath(this.id, "/branches")).then((response) => response.json()),
      ]);
      const shown = new Map(this.messages.map((message) => [JSON.stringify(message), message]));
      // A message that has not changed is the same one, so that it is not drawn again under the reader's hands.
      const messages = page.messages.map((message) => shown.get(JSON.stringify(message)) ?? message);
      Object.assign(this, { messages, before: page.before, branches });
    } catch (error) {
      // A new chat: nothing of it is stored yet.
      if (error.status !== 404) throw error;
    }
    this.onChange();
  }

  #failed(error) {
    this.problem ||= error.message;
    this.onChange();
  }

  async #page(before) {
    const branch = this.#branch;
    const query = new URLSearchParams({ limit: PAGE, ...(before && { before }), ...(branch && { branch }) });
    return (await ask("GET", chatPath(this.id, `?${query}`))).json();
  }
}

/** As much of a message as says which one it is: the server has its files, and what its calls were given. */
function short({ id, role, parts }) {
  const kept = parts.filter(({ type, state }) => type === "text" || type === "file" || state);
  return {
    id,
    role,
    parts: kept.map(({ type, text, toolCallId, state, mediaType }) =>
      type === "text"
        ? { type, text }
        : toolCallId
          ? { type, toolCallId, state, input: {} }
          : { type, mediaType, url: "data:," },
    ),
  };
}
