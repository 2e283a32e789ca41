// `~/.loopwright/terminal.json`: how the terminal looks and which keys do what. It is the user's own; a project has none.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type KeybindingsConfig, type KeyId, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";
import { isObject } from "../../../json/is-object.js";
import { describeThrown } from "../../../text/describe-thrown.js";
import { nearestNames } from "../../../text/nearest-names.js";
import { UsageError } from "../../exit-codes.js";
import { programHome } from "../../project/program-home.js";
import { ACTION_NAMES } from "../input/actions.js";
import { THEME_COLORS, type ThemeColors } from "../screen/theme.js";

const NOTICES = ["off", "bell", "notification"] as const;

export interface TerminalSettings {
  readonly theme: ThemeColors;
  /** The keys of the program's actions, and of commands such as `/compact`; none for one that was unbound. */
  readonly keys: Readonly<Record<string, readonly KeyId[]>>;
  /** The keys of the editor and of lists. */
  readonly editorKeys: KeybindingsConfig;
  readonly vi: boolean;
  /** A command whose first line is shown below the editor. */
  readonly statusLine?: string | undefined;
  /** The signal to the person when the agent waits for them or is done. */
  readonly notify: (typeof NOTICES)[number];
}

export const NO_TERMINAL_SETTINGS: TerminalSettings = { theme: {}, keys: {}, editorKeys: {}, vi: false, notify: "off" };

/** @throws UsageError for a file that is not as it should be, with the place in it */
export function readTerminalSettings(env: Readonly<Record<string, string | undefined>>): TerminalSettings {
  const file = join(programHome(env), "terminal.json");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return NO_TERMINAL_SETTINGS;
  }
  try {
    return settingsIn(JSON.parse(text));
  } catch (error) {
    throw new UsageError(`"${file}" cannot be used: ${describeThrown(error)}`);
  }
}

function settingsIn(value: unknown): TerminalSettings {
  const {
    theme = {},
    keys = {},
    vi = false,
    statusLine,
    notify = "off",
    $schema: _,
    ...rest
  } = objectOf(value, "the file");
  for (const name of Object.keys(rest)) throw unknown(name, ["theme", "keys", "vi", "statusLine", "notify"]);
  if (typeof vi !== "boolean") throw new Error('"vi" is true or false.');
  if (statusLine !== undefined && typeof statusLine !== "string") throw new Error('"statusLine" is a command.');
  const notice = NOTICES.find((each) => each === notify);
  if (!notice) throw new Error(`"notify" is one of ${NOTICES.join(", ")}.`);
  return {
    theme: themeIn(objectOf(theme, '"theme"')),
    ...keysIn(objectOf(keys, '"keys"')),
    vi,
    statusLine,
    notify: notice,
  };
}

function themeIn(theme: Readonly<Record<string, unknown>>): ThemeColors {
  for (const [name, color] of Object.entries(theme)) {
    if (!THEME_COLORS.some((each) => each === name)) throw unknown(name, THEME_COLORS);
    const isColor =
      typeof color === "string" &&
      /^(?:(?:bright-)?(?:black|red|green|yellow|blue|magenta|cyan|white)|#[0-9a-f]{6})$/i.test(color);
    if (!isColor) throw new Error(`"theme.${name}" is a name such as bright-blue, or #rrggbb.`);
  }
  return theme as ThemeColors;
}

function keysIn(wanted: Readonly<Record<string, unknown>>): Pick<TerminalSettings, "keys" | "editorKeys"> {
  const keys: Record<string, readonly KeyId[]> = {};
  const editorKeys: KeybindingsConfig = {};
  for (const [name, value] of Object.entries(wanted)) {
    const all = (Array.isArray(value) ? value : value === null ? [] : [value]) as readonly unknown[];
    if (!all.every(isKey)) throw new Error(`"keys.${name}" is a key such as alt+k, a list of keys, or null.`);
    const editorKey = `tui.${name}`;
    if (Object.hasOwn(TUI_KEYBINDINGS, editorKey)) editorKeys[editorKey] = [...all];
    else if (name.startsWith("/") || ACTION_NAMES.some((each) => each === name)) keys[name] = all;
    else throw unknown(name, [...ACTION_NAMES, ...Object.keys(TUI_KEYBINDINGS).map((each) => each.slice(4))]);
  }
  return { keys, editorKeys };
}

const NAMED =
  "f[1-9]|f1[0-2]|escape|enter|tab|space|backspace|delete|insert|home|end|page(?:Up|Down)|up|down|left|right";
/** A character alone is for writing. */
const KEY = new RegExp(
  `^(?:(?:(?:ctrl|shift|alt|super)\\+)*(?:${NAMED})|(?:shift\\+)?(?:(?:ctrl|alt|super)\\+)+[!-~])$`,
);
/** The keys that always work, so that no file locks anybody in. */
const KEPT: readonly string[] = ["ctrl+c", "ctrl+d", "escape", "enter"];

function isKey(value: unknown): value is KeyId {
  if (typeof value !== "string" || !KEY.test(value)) return false;
  if (KEPT.includes(value)) throw new Error(`the key ${value} keeps what it does. Choose another one.`);
  return true;
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw new Error(`${what} is an object.`);
}

function unknown(name: string, known: readonly string[]): Error {
  const [nearest] = nearestNames(name, known, 1);
  return new Error(
    `there is no "${name}".${nearest ? ` Did you mean "${nearest}"?` : ` There are: ${known.join(", ")}.`}`,
  );
}
