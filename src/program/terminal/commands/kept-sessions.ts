// Commands about the sessions that are kept: their names, and an end to them.
import { deleteSession } from "../../../sessions/delete-session.js";
import { readSessions, type SessionSummary, titleOf } from "../../sessions/session-list.js";
import { safeLine } from "../screen/safe-text.js";
import { ago } from "../transcript/quantities.js";
import type { Command, CommandContext } from "./command.js";

/** Lets the person choose among the sessions that were used. `undefined` when they do not want to. */
export async function pickSession(
  { agent, desk, options }: CommandContext,
  title: string,
  isOffered: (session: SessionSummary) => boolean = () => true,
): Promise<SessionSummary | undefined> {
  const sessions: SessionSummary[] = [];
  for await (const session of readSessions(agent.sessions, await options.names?.read()))
    if (session.title !== "" && isOffered(session)) sessions.push(session);
  if (sessions.length === 0) throw new Error("There is no other session yet.");
  const now = Date.now();
  const choices = sessions.map(({ title, updatedAt }) => ({ label: clipped(title), note: ago(now - updatedAt) }));
  const chosen = await desk.pick({ title, choices });
  return chosen ? sessions[chosen.index] : undefined;
}

/** A text as a choice shows it. */
export function clipped(text: string): string {
  const line = safeLine(text);
  return line.length > 70 ? `${line.slice(0, 69)}…` : line;
}

const renameCommand: Command = {
  name: "rename",
  argument: "<name>",
  summary: "name this session; /resume finds it by its name",
  async run({ conversation, options, say }, argument) {
    if (!options.names) throw new Error("Names of sessions are not kept here.");
    if (argument === "") throw new Error("Say the name, as in /rename parser tests.");
    await options.names.rename(conversation.sessionId, argument);
    say(`This session is named "${safeLine(argument)}".`);
  },
};

const deleteCommand: Command = {
  name: "delete",
  summary: "delete a session with all that is kept for it",
  needsIdle: true,
  async run(context) {
    const { agent, conversation, desk, options, say } = context;
    const session = await pickSession(context, "Delete which session?");
    if (!session) return;
    const { id } = session;
    const title = clipped(await titleOf(agent.sessions, id, await options.names?.read()));
    const sure = await desk.pick({
      title: "Delete this session for good?",
      body: [title, "", "With its sub-agents, kept outputs and earlier contents of files. The files stay as they are."],
      choices: [{ label: "Keep it" }, { label: "Delete it" }],
    });
    if (sure?.index !== 1) return;
    await deleteSession(agent.engine, id);
    await agent.forget?.(id);
    await options.names?.rename(id, "");
    if (id === conversation.sessionId) await context.open(globalThis.crypto.randomUUID());
    say(`Deleted: ${title}`);
  },
};

export const keptSessions: readonly Command[] = [renameCommand, deleteCommand];
