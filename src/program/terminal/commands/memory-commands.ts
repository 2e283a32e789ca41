import { safeLine } from "../screen/safe-text.js";
import type { Command } from "./command.js";

/** /memory: the instruction files in use and the facts kept beyond sessions, to be added and forgotten. */
const memoryCommand: Command = {
  name: "memory",
  argument: "[fact]",
  summary: "instruction files and facts; a fact is added",
  async run({ agent, desk, options, say, screen }, argument) {
    const { bold, dim } = screen.theme;
    const { facts } = agent;
    if (argument !== "") {
      if (!facts) throw new Error("This agent keeps no facts.");
      const { text } = await facts.remember({ text: argument });
      say(`Kept: ${safeLine(text)}`);
      return;
    }
    const files = (await options.instructionFiles?.()) ?? [];
    const kept = (await facts?.list()) ?? [];
    const body = [
      bold("Instruction files"),
      ...(files.length > 0 ? files.map(safeLine) : [dim("none; /init writes one")]),
      "",
      bold("Facts"),
      ...(kept.length > 0 ? [] : [dim("none yet; /memory <fact> adds one")]),
    ];
    if (kept.length === 0) {
      say(body.join("\n"));
      return;
    }
    const choices = kept.map(({ text }) => ({ label: safeLine(text) }));
    const chosen = await desk.pick({ title: "Memory", body, choices, keys: "enter to forget a fact · esc to close" });
    if (!chosen) return;
    const fact = kept[chosen.index]!;
    const sure = await desk.pick({
      title: "Forget this?",
      body: [safeLine(fact.text)],
      choices: [{ label: "Forget it" }, { label: "Keep it" }],
    });
    if (sure?.index !== 0) return;
    await facts!.forget(fact.id);
    say(`Forgotten: ${safeLine(fact.text)}`);
  },
};

export const memoryCommands: readonly Command[] = [memoryCommand];
