// The page: who is signed in, their chats, and the one that is open.
import { ask, chatPath } from "./api.js";
import { Chat } from "./chat.js";
import { h } from "./dom.js";
import { partOf } from "./pictures.js";
import { fileView, liveView, messageView } from "./view.js";

const $ = (id) => document.getElementById(id);

let user;
let chat;
/** What the server lists, and of it the one that is open, once it is there. */
let sessions = [];
let before = null;
let edited = null;
let files = [];
let isDrawing = false;

const listed = () => sessions.find(({ id }) => id === chat.id);

// ── signing in ──────────────────────────────────────────────────────────────────────────────────────────────────────

async function begin() {
  const response = await fetch("/me");
  user = response.ok ? await response.json() : null;
  $("welcome").hidden = user !== null;
  $("app").hidden = user === null;
  if (!user) return $("name").focus();
  $("who").textContent = user.id;
  await Promise.all([open(location.hash.slice(1)), list()]);
}

$("sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  await ask("POST", "/sign-in", { name: $("name").value });
  history.replaceState(null, "", location.pathname);
  begin();
});
$("sign-out").addEventListener("click", async () => {
  chat.close();
  await ask("POST", "/sign-out");
  location.assign("/");
});

// ── the chats ───────────────────────────────────────────────────────────────────────────────────────────────────────

async function list({ isMore = false } = {}) {
  const query = new URLSearchParams({ limit: 30, search: $("search").value, archived: $("archived").checked });
  if (isMore) query.set("before", before);
  const page = await (await ask("GET", `/chat?${query}`)).json();
  sessions = isMore ? [...sessions, ...page.sessions] : page.sessions;
  before = page.before;
  $("more").hidden = before === null;
  $("list").replaceChildren(
    ...sessions.map(({ id, title, isRunning }) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", "aria-current": id === chat.id && "true", onclick: () => open(id) },
          `${isRunning ? "● " : ""}${title || "Untitled"}`,
        ),
      ),
    ),
  );
  draw();
}

async function open(given) {
  chat?.close();
  const id = decodeURIComponent(given ?? "") || `${user.id}.${crypto.randomUUID()}`;
  chat = new Chat(id, changed);
  leaveEditing();
  files = [];
  $("chats").classList.remove("open");
  if (given) history.replaceState(null, "", `#${encodeURIComponent(id)}`);
  else history.replaceState(null, "", location.pathname);
  draw();
  for (const button of $("list").querySelectorAll("button")) button.removeAttribute("aria-current");
  if (given) await chat.open().catch(failed);
  draw();
}

addEventListener("hashchange", () => user && open(location.hash.slice(1)));
$("new").addEventListener("click", () => open());
$("more").addEventListener("click", () => list({ isMore: true }));
$("show").addEventListener("click", () => $("chats").classList.add("open"));
$("hide").addEventListener("click", () => $("chats").classList.remove("open"));
$("archived").addEventListener("change", () => list());
let typed;
$("search").addEventListener("input", () => {
  clearTimeout(typed);
  typed = setTimeout(list, 250);
});

// ── the chat that is open ───────────────────────────────────────────────────────────────────────────────────────────

function changed() {
  if (isDrawing) return;
  isDrawing = true;
  requestAnimationFrame(() => {
    isDrawing = false;
    draw();
  });
}

function draw() {
  const scroll = $("scroll");
  const isAtEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 80;
  const { isRunning, messages, live, branches, problem } = chat;
  const acts = isRunning
    ? null
    : { edit, regenerate: (one) => run(chat.regenerate(one)), answer: (given) => run(chat.answer(given)) };
  const views = messages.map((message) => messageView(message, acts));
  show($("messages"), live && live.parts.length > 0 ? [...views, liveView(live)] : views);
  $("title").textContent = listed()?.title || "New chat";
  document.title = $("title").textContent;
  $("actions").hidden = messages.length === 0;
  $("archive").textContent = listed()?.isArchived ? "Take out of the archive" : "Archive";
  $("share").textContent = listed()?.share ? "Stop sharing" : "Share";
  $("earlier").hidden = chat.before === null;
  const others = branches.filter(({ differsAt }) => differsAt);
  $("branches").hidden = others.length === 0 || isRunning;
  $("branches").replaceChildren("Other versions: ", ...others.map(branchButton));
  $("problem").textContent = problem;
  $("status").textContent = isRunning ? "The assistant is writing …" : "";
  $("stop").hidden = !isRunning;
  $("send").hidden = isRunning;
  $("files").replaceChildren(...files.map(attached));
  if (isAtEnd) scroll.scrollTop = scroll.scrollHeight;
}

/** What is there stays where it is, with what is being typed into it. */
function show(list, views) {
  for (const [at, view] of views.entries())
    if (list.children[at] !== view) list.insertBefore(view, list.children[at] ?? null);
  while (list.children.length > views.length) list.lastElementChild.remove();
}

function branchButton({ id, differsAt }) {
  const label = differsAt.text.slice(0, 60) || "(nothing)";
  return h("button", { type: "button", onclick: () => chat.open(id).catch(failed) }, label);
}

function attached(part) {
  const remove = () => {
    files = files.filter((one) => one !== part);
    draw();
  };
  return h("li", {}, fileView(part), h("button", { type: "button", onclick: remove }, `Remove ${part.filename}`));
}

function failed(error) {
  chat.problem = error.message;
  draw();
}

/** Until a run has ended; what the server lists has changed then. */
async function run(work) {
  await work.catch(failed);
  await list().catch(failed);
}

function edit(message) {
  edited = message;
  $("editing").hidden = false;
  $("message").value = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  files = message.parts.filter(({ type }) => type === "file");
  $("message").focus();
  draw();
}

function leaveEditing() {
  if (edited) $("message").value = "";
  edited = null;
  $("editing").hidden = true;
}

$("keep").addEventListener("click", () => {
  leaveEditing();
  files = [];
  draw();
});
$("earlier").addEventListener("click", () => chat.earlier().catch(failed));
$("stop").addEventListener("click", () => chat.stop().catch(failed));
$("attach").addEventListener("change", async ({ target }) => {
  for (const file of target.files) {
    try {
      files = [...files, await partOf(file)];
    } catch (error) {
      failed(error);
    }
  }
  target.value = "";
  draw();
});
$("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("message").value.trim();
  if (chat.isRunning || (text === "" && files.length === 0)) return;
  const parts = [...(text === "" ? [] : [{ type: "text", text }]), ...files];
  const replaced = edited;
  $("message").value = "";
  edited = null;
  leaveEditing();
  files = [];
  history.replaceState(null, "", `#${encodeURIComponent(chat.id)}`);
  run(chat.send(parts, replaced ?? undefined));
  setTimeout(() => list().catch(failed), 300);
});
$("message").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  $("composer").requestSubmit();
});

// ── what is done with a chat ────────────────────────────────────────────────────────────────────────────────────────

/** Asks in the page. Resolves with the text, or `null`. */
function question(words, value) {
  $("question").textContent = words;
  $("value").hidden = value === undefined;
  $("value").value = value ?? "";
  $("dialog").showModal();
  return new Promise((resolve) =>
    $("dialog").addEventListener("close", () => resolve($("dialog").returnValue === "yes" ? $("value").value : null), {
      once: true,
    }),
  );
}

const onClick = (id, act) => $(id).addEventListener("click", () => act().catch(failed));

onClick("rename", async () => {
  const title = await question("What shall the chat be called?", $("title").textContent);
  if (title === null) return;
  await ask("PATCH", chatPath(chat.id), { title: title === "" ? null : title });
  await list();
});
onClick("archive", async () => {
  await ask("PATCH", chatPath(chat.id), { archived: !listed()?.isArchived });
  await list();
});
onClick("share", async () => {
  if (listed()?.share) {
    await ask("DELETE", chatPath(chat.id, "/share"));
  } else if ((await question("Anybody who has the link can read this chat as it is now. Share it?")) !== null) {
    const { path } = await (await ask("POST", chatPath(chat.id, "/share"))).json();
    await question("The link:", new URL(path, location.href).href);
  }
  await list();
});
onClick("delete", async () => {
  if ((await question("Delete this chat, with all that was said?")) === null) return;
  await ask("DELETE", chatPath(chat.id));
  await open();
  await list();
});

begin();
