// Keeps a model up to date with the server, whatever happens to the connection: a run's events go on behind the last one that
// has arrived; where they are gone, as after a restart of the server, the session is read again.
import { api, Refusal } from "./api.js";
import { SessionModel } from "./session-model.js";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 5_000;

export class SessionFeed {
  #source = null;
  #timer;
  #failures = 0;
  #isClosed = false;
  #loading = new AbortController();
  /** Events of the run under way are gone, and what they said may not be in the session yet. */
  #isPartial = false;
  /** The id of the newest event that has arrived. */
  #last = "";

  /**
   * @param {string} sessionId
   * @param {{ onChange(): void, onConnection(isUp: boolean): void, onGone(): void }} listeners
   */
  constructor(sessionId, listeners) {
    this.sessionId = sessionId;
    this.listeners = listeners;
    this.model = new SessionModel();
    this.isLoaded = false;
  }

  /** Reads the session, and follows its run if one is under way. Tries again until it succeeds. */
  async load() {
    this.#disconnect();
    this.#loading.abort();
    const loading = new AbortController();
    this.#loading = loading;
    try {
      const snapshot = await api.session(this.sessionId, loading.signal);
      if (this.#isClosed || loading.signal.aborted) return;
      this.#up();
      this.model.load(snapshot);
      this.isLoaded = true;
      this.#isPartial = false;
      if (snapshot.runId !== null) this.#connect(snapshot.runId, "");
      this.listeners.onChange();
    } catch (error) {
      if (this.#isClosed || loading.signal.aborted) return;
      if (error instanceof Refusal && error.status === 404) return this.listeners.onGone();
      this.#later(() => this.load());
    }
  }

  /** A run has begun whose events have not been seen. */
  follow(runId) {
    this.isLoaded = true;
    if (this.model.runId === runId && this.#source) return;
    this.model.begin(runId);
    this.#connect(runId, "");
    this.listeners.onChange();
  }

  close() {
    this.#isClosed = true;
    this.#loading.abort();
    this.#disconnect();
  }

  #connect(runId, after) {
    this.#disconnect();
    this.#last = after;
    const source = new EventSource(api.eventsUrl(this.sessionId, runId, after));
    this.#source = source;
    source.onopen = () => this.#up();
    let held = null;
    source.onmessage = ({ data, lastEventId }) => {
      this.#up();
      if (held) held.push({ data, lastEventId });
      else this.#take(data, lastEventId);
    };
    // The events after our position are gone: what they said is in the session, and those that follow go on from there.
    source.addEventListener("session", async () => {
      held ??= [];
      const snapshot = await api.session(this.sessionId).catch(() => null);
      if (this.#source !== source) return;
      // Without a connection, or with another run, as after a restart of the server, everything begins anew.
      if (snapshot?.runId !== runId) return this.load();
      this.model.load(snapshot);
      this.#isPartial = true;
      const events = held;
      held = null;
      for (const { data, lastEventId } of events) if (this.#source === source) this.#take(data, lastEventId);
      this.listeners.onChange();
    });
    source.onerror = (event) => {
      if (this.#source !== source) return;
      // The server says that the run was refused; without data the connection is lost.
      if (event.data !== undefined) return this.load();
      // The browser would try again by itself, but not after every kind of failure, and we want to show it.
      this.#disconnect();
      this.#later(() => this.#reconnect(runId));
    };
  }

  #take(data, id) {
    this.#last = id;
    const event = JSON.parse(data);
    this.model.event(event);
    const isOver = event.type === "run-end" && event.agentPath.length === 0;
    if (isOver) this.#disconnect();
    this.listeners.onChange(isOver);
    // The beginning of a message may be missing: now the session has all of it. What came too late begins another run.
    if (isOver && (this.#isPartial || this.model.hasQueued)) this.#later(() => this.load(), { isFailure: false });
  }

  async #reconnect(runId) {
    // An address that is refused would look like a lost connection, so ask for the session when it has failed twice.
    if (this.#failures > 2) return this.load();
    this.#connect(runId, this.#last);
  }

  #later(attempt, { isFailure = true } = {}) {
    if (isFailure) this.#failures++;
    if (this.#failures > 1) this.listeners.onConnection(false);
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** Math.max(0, this.#failures - 1), LONGEST_WAIT_MS);
    this.#timer = setTimeout(attempt, waitMs);
  }

  #up() {
    this.#failures = 0;
    this.listeners.onConnection(true);
  }

  #disconnect() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }
}
