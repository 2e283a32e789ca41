// Commands about the session itself: begin, go on with, copy and take back.
import { relative } from "node:path";
import { forkSession } from "../../../sessions/fork-session.js";
import { rewindSession } from "../../../sessions/session-tree.js";
import { findSessions, type SessionSummary } from "../../sessions/session-list.js";
import { safeLine } from "../screen/safe-text.js";
import { type PastPrompt, promptsIn, readBranch } from "../session/session-history.js";
import { ago, counted } from "../transcript/quantities.js";
import type { Command, CommandContext } from "./command.js";
import { clipped, pickSession } from "./kept-sessions.js";

const newCommand: Command = {
  name: "new",
  aliases: ["clear"],
  summary: "begin a new session; this one is kept",
  needsIdle: true,
  async run(context) {
    await context.open(globalThis.crypto.randomUUID());
    context.say(context.screen.theme.dim("A new session."));
  },
};

const resumeCommand: Command = {
  name: "resume",
  argument: "[id or name]",
  summary: "go on with an earlier session",
  needsIdle: true,
  async run(context, argument) {
    const { agent, conversation, options } = context;
    if (argument !== "") {
      const found = await findSessions(agent.sessions, argument, await options.names?.read());
      if (found.length !== 1)
        throw new Error(
          `${found.length === 0 ? "No session has" : "Several sessions have"} the name "${safeLine(argument)}" or an id that begins so. /resume lists the newest ones.`,
        );
      await context.open(found[0]!);
      return;
    }
    const isOther = ({ id }: SessionSummary) => id !== conversation.sessionId;
    const chosen = await pickSession(context, "Go on with which session?", isOther);
    if (chosen) await context.open(chosen.id);
  },
};

const forkCommand: Command = {
  name: "fork",
  summary: "go on in a copy; the session stays as it is",
  needsIdle: true,
  async run(context) {
    const { agent, conversation, say, screen } = context;
    const before = conversation.sessionId;
    const branch = await readBranch(agent.sessions, before);
    const last = branch.at(-1);
    if (!last) throw new Error("There is nothing to copy yet.");
    const copy = await forkSession(agent.sessions, before, last.id);
    await context.open(copy);
    say(screen.theme.dim(`This is a copy. The original is ${before}.`));
  },
};

const rewindCommand: Command = {
  name: "rewind",
  summary: "go back to an earlier prompt, files included",
  needsIdle: true,
  async run(context) {
    const { agent, conversation, desk, say, screen } = context;
    const prompts = [...promptsIn(await readBranch(agent.sessions, conversation.sessionId))].reverse();
    if (prompts.length === 0) throw new Error("There is no prompt to go back to yet.");
    const now = Date.now();
    const choices = prompts.map(({ text, at }) => ({ label: clipped(text), note: ago(now - at) }));
    const chosen = await desk.pick({ title: "Go back to before which prompt?", choices });
    const prompt = chosen && prompts[chosen.index];
    if (!prompt) return;
    const what = await whatToRewind(context, prompt);
    if (what === null) return;
    const told = what.files ? await rewindFiles(context, prompt) : what.told;
    if (!what.conversation) return say(screen.theme.dim(told));
    await rewindSession(agent.sessions, conversation.sessionId, prompt.entryId);
    await context.open(conversation.sessionId);
    screen.editor.setText(prompt.text);
    // What was said before went with the conversation.
    say(screen.theme.dim(`${told} Back before this prompt. Change it and send it again.`.trim()));
  },
};

export const sessionCommands: readonly Command[] = [newCommand, resumeCommand, forkCommand, rewindCommand];

async function whatToRewind({ agent, conversation, desk }: CommandContext, prompt: PastPrompt) {
  const report = await agent.rewinder?.rewindFiles(conversation.sessionId, prompt.entryId, { dryRun: true });
  const changed = report?.files.filter(({ action }) => action === "write" || action === "remove") ?? [];
  if (!report || changed.length === 0) {
    const left = (report?.files.filter(({ action }) => action === "keep").length ?? 0) + (report?.notKept.length ?? 0);
    const told = left > 0 ? `No file taken back, ${left} left as commands or others made them.` : "";
    return { conversation: true, files: false, told };
  }
  const names = changed
    .slice(0, 8)
    .map(
      ({ path, action }) =>
        `${safeLine(relative(agent.workspace.root, path))}: ${action === "remove" ? "is removed" : "as it was"}`,
    );
  if (changed.length > names.length) names.push(`and ${changed.length - names.length} more`);
  const conflicts = report.wouldRefuse ? ["", "Some were changed by others since; those are left as they are."] : [];
  const notKept =
    report.notKept.length > 0
      ? ["", `${counted(report.notKept.length, "file")} that commands or others changed cannot be brought back.`]
      : [];
  const chosen = await desk.pick({
    title: "What should go back?",
    body: [...names, ...conflicts, ...notKept],
    choices: [
      { label: "The conversation and the files" },
      { label: "The conversation only" },
      { label: "The files only" },
    ],
  });
  if (!chosen) return null;
  return { conversation: chosen.index !== 2, files: chosen.index !== 1, told: "" };
}

async function rewindFiles({ agent, conversation }: CommandContext, { entryId }: PastPrompt): Promise<string> {
  const report = await agent.rewinder!.rewindFiles(conversation.sessionId, entryId, { onConflict: "skip" });
  const done = report.files.filter(({ action }) => action === "write" || action === "remove").length;
  const kept = report.files.filter(({ action }) => action === "keep").length;
  return `${counted(done, "file")} taken back${kept > 0 ? `, ${kept} left as they are` : ""}.`;
}
