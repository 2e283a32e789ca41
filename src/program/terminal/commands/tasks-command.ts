import { safeLine, safeText } from "../screen/safe-text.js";
import { type BackgroundTask, backgroundTasks } from "../session/background-work.js";
import { counted } from "../transcript/quantities.js";
import type { Command, CommandContext } from "./command.js";

const MAX_LOG_LINES = 200;

/** /tasks: commands and sub-agents in the background, their last output, and an end to them. */
export const tasksCommand: Command = {
  name: "tasks",
  summary: "what runs in the background: its output, or stop it",
  async run(context) {
    const { agent, conversation, desk, say, screen } = context;
    const tasks = backgroundTasks(agent, conversation.sessionId);
    if (tasks.length === 0) {
      say(screen.theme.dim("Nothing was started in the background of this session."));
      return;
    }
    const choices = tasks.map(({ name, state }) => ({ label: safeLine(name), note: safeLine(state) }));
    const chosen = await desk.pick({ title: "Background", choices });
    const task = chosen && tasks[chosen.index];
    if (task) await lookAt(task, context);
  },
};

async function lookAt(task: BackgroundTask, { desk, say, screen }: CommandContext): Promise<void> {
  const { bold, dim } = screen.theme;
  const stop = task.isRunning ? [{ label: "Stop it" }] : [];
  const title = safeLine(task.name);
  const chosen = await desk.pick({ title, body: [dim(task.state)], choices: [{ label: "Show its output" }, ...stop] });
  if (chosen?.index === 1) {
    await task.stop();
    say(`Stopped: ${title}`);
  }
  if (chosen?.index !== 0) return;
  const lines = safeText(await task.log())
    .trim()
    .split("\n");
  const before = lines.length > MAX_LOG_LINES ? [dim(`… ${counted(lines.length - MAX_LOG_LINES, "line")} before`)] : [];
  const shown = lines.join("") === "" ? [dim("It has not said anything yet.")] : lines.slice(-MAX_LOG_LINES);
  say([`${bold(title)} ${dim(`· ${task.state}`)}`, ...before, ...shown].join("\n"));
}
