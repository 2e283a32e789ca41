// Shows: a support bot whose tools work in a workspace of each user's own, under one agent for all of them.
// Run:   npx tsx examples/42-workspace-per-user.ts
// Expect: two users at once, neither sees the other's files, and a session that finds its workspace again after a restart.
import assert from "node:assert/strict";
import { Bash } from "just-bash";
import { createCodingAgent, type WorkspaceSession } from "loopwright/presets";
import { scripted, text, toolCall } from "loopwright/providers/scripted";
import { createMemorySessionStore } from "loopwright/sessions";
import { createJustBashWorkspace } from "loopwright/workspace";

process.stdout.on("error", () => {}); // The reader may leave early, as in `| head -1`.

/** What the server knows of a request: the run option `context`. */
interface Request {
  readonly user: string;
}

/** The files of each user. Here they are in memory; in production they are in a container or on a disk. */
const machines = new Map<string, Bash>();

/**
 * Called once for each session, before its first run. With Docker this is
 *
 *   createMachineWorkspace({ machine: dockerMachine({ container: `support-${context.user}` }), root: "/work" })
 *
 * of a container that the server has started for the user. With `image` instead of `container` one is started here, and thrown
 * away when the workspace closes.
 */
async function openFor({ context }: WorkspaceSession<Request>) {
  const { user } = context;
  const bash = machines.get(user) ?? new Bash({ files: { "/home/user/orders.csv": `${user},tea,3\n` } });
  machines.set(user, bash);
  // These files are this user's, whichever process opens them: by this a session finds them again. A container has an id itself.
  return { ...(await createJustBashWorkspace({ bash })), id: `files of ${user}` };
}

const sessions = createMemorySessionStore(); // Any store; a database, for several servers.

/** The server starts: one agent for all users. Without a key a script plays the model. */
function startBot() {
  const provider = scripted(
    [
      ({ messages }) => {
        const [prompt] = messages.findLast(({ role }) => role === "user")!.content;
        const command = prompt?.type === "text" ? prompt.text : "";
        const last = messages.at(-1)!;
        if (last.role === "user") return toolCall("bash", { command });
        const [result] = last.content;
        return text(result && "output" in result ? String(result.output) : "");
      },
    ],
    { loop: true },
  );
  return createCodingAgent<Request>({
    provider,
    sessions,
    home: null,
    workspace: openFor,
    workspaces: { maxOpen: 100 },
    mode: "bypassPermissions", // The files are the user's own, so nobody has to be asked. Deny rules in them still hold.
  });
}

const bot = await startBot();
const ask = (agent: typeof bot, user: string, prompt: string) =>
  agent.engine.run(prompt, { sessionId: `chat of ${user}`, context: { user } });

const answers = await Promise.all(
  ["ann", "bob"].map((user) => ask(bot, user, "cat orders.csv; ls; echo mine > note.txt")),
);
for (const { text } of answers) console.log(text.trim());
await bot.close();

const restarted = await startBot();
const { text: note } = await ask(restarted, "ann", "cat note.txt");
console.log("after the restart:", note.trim());

machines.clear(); // The files are lost, and nobody has said that new ones are fine.
await restarted.close();
const third = await createCodingAgent({
  provider: scripted([text("…")]),
  sessions,
  home: null,
  workspace: () => createJustBashWorkspace({ bash: new Bash() }),
});
const { error } = await third.engine.run("cat note.txt", { sessionId: "chat of ann" });
console.log(error?.code);
await third.close();

assert.match(answers[0]!.text, /ann,tea,3/);
assert.doesNotMatch(answers[1]!.text, /ann|note/);
assert.match(note, /mine/);
assert.equal(error?.code, "WORKSPACE_GONE");
