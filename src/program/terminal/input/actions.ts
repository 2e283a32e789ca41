// The actions of keys beside writing, each by its name in the user's key map, with its default keys.
import type { KeyId } from "@earendil-works/pi-tui";

interface Action {
  readonly keys: readonly KeyId[];
  readonly what: string;
}

export const ACTIONS = {
  mode: { keys: ["shift+tab"], what: "ask before changes, edit without asking, plan" },
  unfold: { keys: ["ctrl+o"], what: "everything the last tool said; all of a long question" },
  unfoldAll: { keys: ["alt+o"], what: "everything thought and said in the last run" },
  thinking: { keys: ["ctrl+t"], what: "reasoning: short, whole, hidden" },
  history: { keys: ["ctrl+r"], what: "search earlier prompts" },
  write: { keys: ["ctrl+g"], what: "write in your own editor ($VISUAL, $EDITOR)" },
  picture: { keys: ["ctrl+v"], what: "the picture of the clipboard" },
  suspend: { keys: ["ctrl+z"], what: "back to the shell; fg returns" },
  redraw: { keys: ["ctrl+l"], what: "draw the screen again" },
} as const satisfies Readonly<Record<string, Action>>;

export type ActionName = keyof typeof ACTIONS;

export const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[];

/** Keys whose meaning is not theirs to change. */
const FIXED: readonly (readonly [key: string, what: string])[] = [
  ["enter", "send; an agent at work reads it at its next step"],
  ["shift+enter, ctrl+j", "a new line; so does \\ before enter"],
  ["@", "a file, a directory, or a server's resource by its name"],
  ["!command", "run a command yourself; the agent sees what came of it"],
  ["#fact", "remember a fact"],
  ["↑ ↓", "earlier prompts; ↑ takes one back that the agent has not read"],
  ["esc, ctrl+c", "interrupt the agent"],
  ["esc twice", "go back to an earlier prompt"],
  ["ctrl+c twice, ctrl+d", "leave; the session is kept"],
];

type Keys = Readonly<Record<string, readonly KeyId[]>>;

/** The keys of an action or command, as the user has them. */
export function keysOf(name: string, own: Keys): readonly KeyId[] {
  return own[name] ?? (ACTIONS as Readonly<Record<string, Action>>)[name]?.keys ?? [];
}

/** For /help. */
export function describeKeys(own: Keys): readonly (readonly [key: string, what: string])[] {
  const named = Object.entries(ACTIONS).map(([name, { what }]) => [keysOf(name, own).join(", "), what] as const);
  const commands = Object.entries(own).filter(([name]) => name.startsWith("/"));
  return [
    ...FIXED,
    ...named.filter(([keys]) => keys !== ""),
    ...commands.map(([name, keys]) => [keys.join(", "), name] as const),
  ];
}
