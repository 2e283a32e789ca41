import type { PermissionMode } from "../../../contracts/permission.js";
import { modeName } from "../panel/footer.js";
import { safeLine } from "../screen/safe-text.js";
import type { Command, CommandContext } from "./command.js";

const MODES: readonly (readonly [mode: PermissionMode, note: string])[] = [
  ["default", "calls that only read run; everything else asks first"],
  ["acceptEdits", "edits inside the workspace run without asking, too"],
  ["plan", "nothing that could change anything runs"],
  ["dontAsk", "calls that would ask are denied"],
  ["bypassPermissions", "everything runs unless a rule denies it"],
];

/** Shift+Tab goes through these. */
const MODE_CYCLE: readonly PermissionMode[] = ["default", "acceptEdits", "plan"];

/** The mode after this one. */
export function nextMode(mode: PermissionMode): PermissionMode {
  return MODE_CYCLE[(MODE_CYCLE.indexOf(mode) + 1) % MODE_CYCLE.length]!;
}

/** /permissions: the mode and the rules, and what the person has allowed, now or in an earlier run, to be taken back. */
export const permissionsCommand: Command = {
  name: "permissions",
  argument: "[mode]",
  summary: "the mode and the rules in effect",
  async run(context, argument) {
    const { agent, conversation, desk, options, say, screen } = context;
    const { bold, dim } = screen.theme;
    if (argument !== "") {
      const [mode] = MODES.find(([name]) => name.toLowerCase() === argument.toLowerCase()) ?? [];
      if (!mode)
        throw new Error(
          `There is no mode "${safeLine(argument)}". Choose one of ${MODES.map(([name]) => name).join(", ")}.`,
        );
      await switchMode(context, mode);
      return;
    }
    const rules = (agent.rules ?? []).flatMap((list) => {
      const named = (["deny", "ask", "allow"] as const).flatMap((behavior) =>
        (list[behavior] ?? []).map((rule) => `${behavior.padEnd(6)}${safeLine(rule)}  ${dim(list.source)}`),
      );
      return named;
    });
    const own = [
      ...conversation.saved.map((rule) => ({ rule, note: "always in this project" })),
      ...conversation.granted
        .filter((rule) => !conversation.saved.includes(rule))
        .map((rule) => ({ rule, note: "this session" })),
    ];
    const all = [...rules, ...own.map(({ rule, note }) => `allow ${safeLine(rule)}  ${dim(note)}`)];
    const body = all.length > 0 ? [bold("Rules"), ...all] : [dim("There are no rules beside the mode.")];
    const choices = [
      ...MODES.map(([mode, note]) => ({ label: mode, note: mode === conversation.mode ? `${note} · in use` : note })),
      ...own.map(({ rule, note }) => ({ label: `Take back: ${safeLine(rule)}`, note })),
    ];
    const selected = MODES.findIndex(([mode]) => mode === conversation.mode);
    const chosen = await desk.pick({ title: "Permissions", body, choices, selected });
    if (!chosen) return;
    const [mode] = MODES[chosen.index] ?? [];
    if (mode) {
      await switchMode(context, mode);
      return;
    }
    const { rule } = own[chosen.index - MODES.length]!;
    conversation.revoke(rule);
    await options.saveRules?.([
      { type: "removeRules", behavior: "allow", rules: [rule], destination: "localSettings" },
    ]);
    say(`Taken back: ${safeLine(rule)}`);
  },
};

async function switchMode({ agent, conversation, desk, say }: CommandContext, mode: PermissionMode): Promise<void> {
  if (!agent.checker)
    throw new Error("This agent has a permission gate of its own, so the mode cannot be switched here.");
  if (mode === "bypassPermissions") {
    const sure = await desk.pick({
      title: "Let everything run without asking?",
      body: ["Commands run as you, with your files and your network. Deny rules still hold."],
      choices: [{ label: "No" }, { label: "Yes, in this session" }],
    });
    if (sure?.index !== 1) return;
  }
  conversation.setMode(mode);
  say(`The agent ${mode === "plan" ? "is in plan mode" : modeName(mode)}.`);
}
