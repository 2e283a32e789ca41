// The page: the list of sessions, the session that is open, and what the user says and answers.
import { api, Refusal } from "./api.js";
import { Composer } from "./composer.js";
import { h, icon } from "./dom.js";
import { questionCard } from "./question-card.js";
import { SessionFeed } from "./session-feed.js";
import { SessionList } from "./session-list.js";
import { todoList } from "./tool-card.js";
import { verbOf } from "./tool-words.js";
import { BlockList } from "./transcript.js";

const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const [scroll, transcript, questions, plan, problem] = ["scroll", "transcript", "questions", "plan", "problem"].map($);

let about = { title: "Loopwright", model: "", place: "", suggestions: [] };
/** The open session; `null`: a new one that begins with the first message. */
let feed = null;
let blocks = new BlockList(transcript);
let isDrawing = false;
let isAtEnd = true;
const cards = new Map();

const composer = new Composer({ send: say, stop });
const list = new SessionList({ open, remove, isOpen: (id) => feed?.sessionId === id });

// ── the open session ────────────────────────────────────────────────────────────────────────────────────────────────

function open(id, { isNew = false } = {}) {
  feed?.close();
  blocks = new BlockList(transcript);
  transcript.replaceChildren();
  questions.replaceChildren();
  cards.clear();
  plan.open = false;
  feed =
    id === null
      ? null
      : new SessionFeed(id, { onChange: changed, onConnection: showConnection, onGone: () => open(null) });
  const hash = id === null ? "" : `#${encodeURIComponent(id)}`;
  if (location.hash !== hash) history.pushState(null, "", hash || location.pathname);
  showConnection(true);
  showProblem("");
  composer.session(id ?? "new");
  list.closeDrawer();
  isAtEnd = true;
  if (!isNew) feed?.load();
  list.draw();
  draw();
}

function changed(isOver = false) {
  if (isOver) {
    list.refresh();
    setTimeout(() => list.refresh(), 500); // The server may still be closing the session.
    announce(feed.model.status === "needs-approval" ? "" : "The agent has finished.");
  }
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(draw);
}

function draw() {
  isDrawing = false;
  const model = feed?.model;
  const isRunning = model?.status === "running";
  const isNew = feed === null || (feed.isLoaded && model.root.blocks.length === 0);
  $("empty").hidden = !isNew;
  document.body.classList.toggle("new", isNew);
  const listed = list.find(feed?.sessionId);
  $("title").textContent = isNew ? about.title : (listed?.title ?? firstWords(model) ?? "");
  document.title = isNew ? about.title : `${isRunning ? "● " : ""}${$("title").textContent}`;
  blocks.show(model?.root.blocks ?? []);
  drawQuestions(model);
  drawPlan(model?.todos ?? []);
  drawState(model, isRunning);
  composer.running(isRunning, model !== undefined && model.questions.size > 0);
  if (isAtEnd) scroll.scrollTop = scroll.scrollHeight;
  $("down").hidden = isAtEnd;
}

const firstWords = (model) => model?.root.blocks.find(({ kind }) => kind === "user")?.text.split("\n")[0];

function drawQuestions({ questions: open } = { questions: new Map() }) {
  for (const [id, card] of cards) {
    if (open.has(id)) continue;
    const hadFocus = card.contains(document.activeElement);
    card.remove();
    cards.delete(id);
    if (hadFocus) (questions.querySelector(".question") ?? scroll).focus({ preventScroll: true });
  }
  questions.hidden = open.size === 0;
  for (const [id, request] of open) {
    if (cards.has(id)) continue;
    const card = questionCard(request, (answer) => reply(answer));
    cards.set(id, card);
    questions.append(card);
    announce(
      `The agent asks: ${request.kind === "approval" ? `may it ${verbOf(request.tool).toLowerCase()}?` : request.reason}`,
    );
    // Never away from where the user writes: a letter that was meant for the message would be an answer.
    const isFree = [document.body, scroll].includes(document.activeElement);
    if (cards.size === 1 && isFree) card.focus({ preventScroll: true });
  }
}

function drawPlan(todos) {
  plan.hidden = todos.length === 0 || todos.every(({ status }) => status === "completed");
  const done = todos.filter(({ status }) => status === "completed").length;
  const now = todos.find(({ status }) => status === "in_progress");
  const [summary, body] = plan.children;
  const key = JSON.stringify(todos);
  if (plan.dataset.key === key) return;
  plan.dataset.key = key;
  summary.replaceChildren(
    icon("chevron"),
    h("progress", { max: todos.length || 1, value: done, "aria-label": "Plan" }),
    h("span", { class: "count" }, `${done}/${todos.length}`),
    h("span", { class: "now" }, now ? (now.activeForm ?? now.content) : ""),
  );
  body.replaceChildren(todoList(todos));
}

function drawState(model, isRunning) {
  const busy =
    model && [...model.root.calls.values()].findLast(({ state }) => state === "running" || state === "writing");
  const isWriting = model?.root.last?.kind === "text";
  const isWaiting = (model?.questions.size ?? 0) > 0;
  $("working").hidden = !isRunning || Boolean(busy) || isWriting;
  $("working-text").textContent = "Thinking";
  const used = model?.tokens ?? 0;
  $("state").textContent = isRunning
    ? "working"
    : isWaiting
      ? "waits for you"
      : used > 0
        ? `${shortNumber(used)} tokens`
        : "";
  $("state").className = isRunning ? "running" : isWaiting ? "waiting" : "";
}

const shortNumber = (count) => (count < 1_000 ? String(count) : `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`);

// ── what the user does ──────────────────────────────────────────────────────────────────────────────────────────────

/** Sends a message. Resolves with whether it has arrived. */
async function say(text, key) {
  showProblem("");
  const mine = feed;
  isAtEnd = true;
  try {
    if (mine === null) {
      const { sessionId, runId } = await api.start(text, key);
      open(sessionId, { isNew: true });
      feed.model.say(text, false);
      feed.follow(runId);
      list.refresh();
      return true;
    }
    const { runId, isSteering } = await api.say(mine.sessionId, text, key);
    list.refresh();
    // A new message takes the place of answers: what was asked is denied.
    if (mine.model.questions.size > 0) mine.load();
    else {
      mine.model.say(text, isSteering);
      mine.follow(runId);
      mine.listeners.onChange();
    }
    return true;
  } catch (error) {
    showProblem(
      error instanceof Refusal ? error.message : "Not sent: there is no connection. Your message is still here.",
    );
    return false;
  }
}

async function reply(answer) {
  const mine = feed;
  showProblem("");
  try {
    const { runId } = await api.answer(mine.sessionId, [answer]);
    mine.model.questions.delete(answer.id);
    mine.follow(runId);
    list.refresh();
  } catch (error) {
    if (error instanceof Refusal) mine.load();
    showProblem(error instanceof Refusal ? error.message : "Not sent: there is no connection.");
    throw error;
  }
}

async function stop() {
  try {
    await api.stop(feed.sessionId);
  } catch (error) {
    showProblem(error instanceof Refusal ? error.message : "Not stopped: there is no connection.");
  }
}

async function remove(id) {
  await api.remove(id).catch(() => {});
  if (feed?.sessionId === id) open(null);
  list.refresh();
}

// ── around it ───────────────────────────────────────────────────────────────────────────────────────────────────────

function showConnection(isUp) {
  $("connection").hidden = isUp;
}

function showProblem(text) {
  problem.hidden = text === "";
  problem.textContent = text;
}

function announce(text) {
  if (text !== "") $("announcer").textContent = text;
}

scroll.addEventListener("scroll", () => {
  isAtEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 60;
  $("down").hidden = isAtEnd;
});
new ResizeObserver(() => {
  if (isAtEnd) scroll.scrollTop = scroll.scrollHeight;
}).observe(scroll);
$("down").addEventListener("click", () => {
  isAtEnd = true;
  scroll.scrollTop = scroll.scrollHeight;
});
$("new").append(icon("plus"));
$("new").addEventListener("click", () => {
  open(null);
  $("message").focus();
});
addEventListener("popstate", () => open(idInAddress()));
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && feed?.model.status === "running" && !list.isDrawerOpen) stop();
});

const idInAddress = () => decodeURIComponent(location.hash.slice(1)) || null;

function fillEmpty() {
  $("empty").replaceChildren(
    h("h2", {}, "What shall we do?"),
    h("p", {}, `The agent works in ${about.place}. It asks before it changes anything.`),
    h(
      "div",
      { class: "suggestions" },
      ...about.suggestions.map((text) =>
        h("button", { type: "button", onclick: () => say(text, crypto.randomUUID()) }, text),
      ),
    ),
  );
  $("about").textContent = about.model;
}

// A session that runs, although nothing here has started it, was started elsewhere.
list.onRead = (sessions) => {
  const mine = sessions.find(({ id }) => id === feed?.sessionId);
  const { model, isLoaded } = feed ?? {};
  if (mine?.runId && isLoaded && model.status !== "running") feed.load();
  changed();
};
open(idInAddress());
list.refresh();
for (let isKnown = false; !isKnown; ) {
  isKnown = await api.about().then(
    (read) => {
      about = read;
      return true;
    },
    () => new Promise((resolve) => setTimeout(resolve, 1_000, false)),
  );
}
fillEmpty();
draw();
