// Commands about what is seen of a session, and what leaves the terminal.
import { writeFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { exportAtif } from "../../../sessions/export-atif.js";
import { titleOf } from "../../sessions/session-list.js";
import { readVersion } from "../../version.js";
import { safeLine } from "../screen/safe-text.js";
import { readBranch } from "../session/session-history.js";
import { lastAnswer, sessionMarkdown } from "../session/session-markdown.js";
import { nextLevel, REASONING_LEVELS } from "../transcript/reasoning-block.js";
import type { Command, CommandContext } from "./command.js";

const thinkingCommand: Command = {
  name: "thinking",
  argument: "[hidden, short or whole]",
  summary: "how much of the model's reasoning is shown",
  run({ say, view }, argument) {
    const level = REASONING_LEVELS.find((each) => each === argument);
    if (argument !== "" && !level)
      throw new Error(`There is no level "${safeLine(argument)}". Choose one of ${REASONING_LEVELS.join(", ")}.`);
    view.reasoningLevel = level ?? nextLevel(view.reasoningLevel);
    say(`Reasoning: ${view.reasoningLevel}, from the next answer on.`);
  },
};

const copyCommand: Command = {
  name: "copy",
  summary: "the last answer to the clipboard",
  async run({ agent, conversation, say, screen }) {
    const answer = lastAnswer(await readBranch(agent.sessions, conversation.sessionId));
    if (answer === undefined) throw new Error("There is no answer to copy yet.");
    screen.device.copy(answer);
    say(screen.theme.dim("Copied, where the terminal lets programs write to its clipboard."));
  },
};

const exportCommand: Command = {
  name: "export",
  argument: "[file.md, .html or .json]",
  summary: "write the session to a file",
  async run(context, argument) {
    const file = resolve(argument === "" ? `${defaultName(context)}.md` : argument);
    await writeNew(file, await sessionText(context, file.endsWith(".atif.json") ? ".atif.json" : extname(file)));
    context.say(`Written: ${safeLine(file)}`);
  },
};

const shareCommand: Command = {
  name: "share",
  argument: "[file.html]",
  summary: "write the session's page to one file, without secrets",
  async run(context, argument) {
    const file = resolve(argument === "" ? `${defaultName(context)}.html` : argument);
    if (extname(file) !== ".html") throw new Error("The file's name ends with .html.");
    await writeNew(file, await sessionText(context, ".html"));
    const { dim } = context.screen.theme;
    context.say(
      `Written: ${safeLine(file)}\n${dim("Nothing was uploaded. What looks like a secret was left out; read the page before you pass it on.")}`,
    );
  },
};

function defaultName({ conversation }: CommandContext): string {
  return `session-${conversation.sessionId.slice(0, 8)}`;
}

/** Nobody's file is written over by a slip. */
async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    throw Object(error).code === "EEXIST" ? new Error(`"${file}" exists already. Choose another name.`) : error;
  });
}

async function sessionText({ agent, conversation, options }: CommandContext, kind: string): Promise<string> {
  const { sessions } = agent;
  const id = conversation.sessionId;
  const branch = await readBranch(sessions, id);
  if (branch.length === 0) throw new Error("The session is empty: there is nothing to write.");
  if (kind === ".md") return sessionMarkdown(branch);
  if (kind === ".atif.json") {
    const agent = { name: "loopwright", version: readVersion() };
    return exportAtif(sessions, id, { agent, prices: options.prices });
  }
  if (kind === ".json") return `${JSON.stringify(branch, null, 2)}\n`;
  if (kind !== ".html") throw new Error("The file's name ends with .md, .html or .json.");
  const { renderSession } = await import("../../../observability/page/render-session.js");
  const prices = options.prices ?? (() => null);
  const title = (await titleOf(sessions, id, await options.names?.read())) || id;
  return renderSession(sessions.read(id), { title, sessionId: id, sessions, prices });
}

export const outputCommands: readonly Command[] = [thinkingCommand, copyCommand, exportCommand, shareCommand];
