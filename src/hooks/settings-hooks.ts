// The `hooks` of one settings file: which handlers run at which point.
import { HOOK_POINTS, type Hook, type HookInput, type HookPoint } from "../contracts/hook.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { ProviderAdapter } from "../contracts/provider.js";
import type { BackgroundHooks } from "./background-hooks.js";
import { commandHook } from "./command-hook.js";
import { HOOK_URL, httpHook, isHookUrl } from "./http-hook.js";
import { createCondition } from "./if-condition.js";
import { createMatcher, matchValuesOf } from "./matcher.js";
import { promptHook } from "./prompt-hook.js";
import type { SettingsReader } from "./settings.js";
import { isObject, type JsonPath, keyOf } from "./settings-file.js";
import type { WireContext } from "./wire.js";

/** What handlers are made with. */
export interface HandlerContext extends WireContext {
  readonly env: Readonly<Record<string, string>>;
  readonly background: BackgroundHooks;
  readonly provider: ProviderAdapter | undefined;
  /** Handlers there are already, each with its matchers: the same one of several groups or files runs once for an event. */
  readonly seen: Map<string, Matcher[]>;
}

/** Events of Claude Code that nothing here gives rise to. */
const FOREIGN_EVENTS = new Set([
  "UserPromptExpansion",
  "Setup",
  "TeammateIdle",
  "ConfigChange",
  "WorktreeCreate",
  "WorktreeRemove",
  "DirectoryAdded",
  "MessageDisplay",
]);
type Matcher = ReturnType<typeof createMatcher>;

/** Longer ones, as of those who have written milliseconds, are this long. */
const MAX_TIMEOUT_S = 86_400;

/** The hooks of a file that count, by point. The others are reported to the reader. */
export function readHooks(reader: SettingsReader, context: HandlerContext): [HookPoint, Hook[]][] {
  const { hooks = {} } = reader.file.value;
  if (!isObject(hooks)) {
    reader.wrong(["hooks"], "must be an object of events");
    return [];
  }
  return Object.entries(hooks).flatMap(([event, groups]): [HookPoint, Hook[]][] => {
    const at: JsonPath = ["hooks", event];
    if (!HOOK_POINTS.includes(event as HookPoint)) {
      if (FOREIGN_EVENTS.has(event)) reader.unsupported(at, groups, "no such event happens here");
      else reader.wrong(at, `is no hook event; the events are ${HOOK_POINTS.join(", ")}`);
      return [];
    }
    if (!Array.isArray(groups)) {
      reader.wrong(at, "must be a list of { matcher, hooks }");
      return [];
    }
    const point = event as HookPoint;
    const list = groups.flatMap((group: JsonValue, index) => readGroup(point, group, [...at, index], reader, context));
    return [[point, list]];
  });
}

function readGroup(
  point: HookPoint,
  group: JsonValue,
  at: JsonPath,
  reader: SettingsReader,
  context: HandlerContext,
): Hook[] {
  if (!isObject(group) || !Array.isArray(group.hooks)) {
    reader.wrong(at, 'must be an object with a list "hooks"');
    return [];
  }
  const { matcher } = group;
  if (matcher !== undefined && !isMatcher(matcher)) {
    reader.wrong([...at, "matcher"], "must be names joined by | or a regular expression");
    return [];
  }
  return group.hooks.flatMap((handler: JsonValue, index) => {
    const where = [...at, "hooks", index];
    if (!isObject(handler) || typeof handler.type !== "string") {
      reader.wrong(where, 'must be an object with a "type"');
      return [];
    }
    if (!reader.isTrusted) {
      reader.untrusted(where, handler, "a hook of a project that is not trusted");
      return [];
    }
    const identity = JSON.stringify([point, handler]);
    const known = context.seen.get(identity);
    if (known) {
      known.push(createMatcher(matcher));
      return [];
    }
    const matchers = [createMatcher(matcher)];
    const matches = (input: HookInput) => matchers.some((isFor) => isFor(matchValuesOf(input)));
    const hook = readHandler(handler, { point, matches, at: where, reader, context });
    if (!hook) return [];
    context.seen.set(identity, matchers);
    return [located(hook, `${keyOf(where)} of ${reader.file.path}`)];
  });
}

/** The same hook, of whose failures the host is told where it stands. */
function located(hook: Hook, place: string): Hook {
  return {
    ...hook,
    async run(input, context) {
      try {
        return await hook.run(input, context);
      } catch (error) {
        const { message, cause } = error as Error;
        throw new Error(message, { cause: typeof cause === "string" ? `(${place}) ${cause}` : `(${place})` });
      }
    },
  };
}

interface HandlerPlace {
  readonly point: HookPoint;
  matches(input: HookInput): boolean;
  readonly at: JsonPath;
  readonly reader: SettingsReader;
  readonly context: HandlerContext;
}

function readHandler(handler: JsonObject, place: HandlerPlace): Hook | null {
  const { at, reader, context, point } = place;
  const text = (key: string): string | null => {
    const value = handler[key];
    if (typeof value === "string" && value !== "") return value;
    reader.wrong([...at, key], "must be a text that is not empty");
    return null;
  };
  const common = commonOptions(handler, place);
  if (!common) return null;
  const { dir, transcriptPath, env } = context;
  const base = { dir, transcriptPath, ...common };
  switch (handler.type) {
    case "command": {
      const command = text("command");
      const args = handler.args === undefined ? undefined : textsOf(handler.args, [...at, "args"], reader);
      if (command === null || args === null) return null;
      const isAside = handler.async === true || handler.asyncRewake === true;
      return commandHook({
        ...base,
        command,
        env,
        ...(args && { args }),
        ...(handler.shell === "powershell" && { shell: "powershell" }),
        aside: context.background,
        ...(isAside && { background: context.background }),
      });
    }
    case "http": {
      const url = text("url");
      if (url === null) return null;
      if (!isHookUrl(url)) {
        reader.wrong([...at, "url"], `must be ${HOOK_URL}`);
        return null;
      }
      const allowed = handler.allowedEnvVars;
      const names = allowed === undefined ? [] : textsOf(allowed, [...at, "allowedEnvVars"], reader);
      const headers = headersOf(handler.headers, [...at, "headers"], reader);
      return (
        names && headers && httpHook({ ...base, url, headers, allowedEnvVars: names, env: { ...process.env, ...env } })
      );
    }
    case "prompt": {
      const prompt = text("prompt");
      if (prompt === null) return null;
      if (context.provider) return promptHook({ ...base, prompt, provider: context.provider });
      reader.unsupported(at, handler, "a handler of type prompt needs the option provider");
      return null;
    }
    case "agent":
    case "mcp_tool":
      reader.unsupported(at, handler, `handlers of type ${handler.type} are not run at ${point}`);
      return null;
    default:
      reader.wrong([...at, "type"], "must be command, http, prompt, agent or mcp_tool");
      return null;
  }
}

function commonOptions(handler: JsonObject, { point, matches, at, reader }: HandlerPlace) {
  const { timeout, onFailure, if: condition } = handler;
  let isRight = true;
  const check = (key: string, isFine: boolean, expected: string) => {
    if (isFine) return;
    isRight = false;
    reader.wrong([...at, key], `must be ${expected}`);
  };
  const isTime = typeof timeout === "number" && timeout > 0;
  check("timeout", timeout === undefined || isTime, "a number of seconds above 0");
  check(
    "onFailure",
    onFailure === undefined || onFailure === "block" || onFailure === "continue",
    '"block" or "continue"',
  );
  check("if", condition === undefined || typeof condition === "string", 'a permission rule, as "Bash(git *)"');
  if (!isRight) return null;
  const appliesTo = typeof condition === "string" ? conditionOf(condition, [...at, "if"], reader) : undefined;
  if (appliesTo === null) return null;
  const applies = handler.once === true ? onceIn(appliesTo) : appliesTo;
  const timeoutMs = isTime
    ? Math.min(timeout, MAX_TIMEOUT_S) * 1000
    : point === "UserPromptSubmit"
      ? 30_000
      : undefined;
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(onFailure !== undefined && { onFailure: onFailure as "block" | "continue" }),
    appliesTo: (input: HookInput) => matches(input) && (applies?.(input) ?? true),
  };
}

/** A condition is about a tool call; at other points the hook never runs. */
function conditionOf(rule: string, at: JsonPath, reader: SettingsReader): ((input: HookInput) => boolean) | null {
  try {
    return createCondition(rule, reader.dir);
  } catch (error) {
    reader.wrong(at, `is no permission rule: ${(error as Error).message}`);
    return null;
  }
}

function textsOf(value: JsonValue, at: JsonPath, reader: SettingsReader): string[] | null {
  if (Array.isArray(value) && value.every((item): item is string => typeof item === "string")) return [...value];
  reader.wrong(at, "must be a list of texts");
  return null;
}

function headersOf(value: JsonValue | undefined, at: JsonPath, reader: SettingsReader): Record<string, string> | null {
  const entries = value === undefined ? [] : isObject(value) ? Object.entries(value) : null;
  const isHeader = (entry: [string, JsonValue]): entry is [string, string] =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(entry[0]) && typeof entry[1] === "string";
  if (entries?.every(isHeader)) return Object.fromEntries(entries);
  reader.wrong(at, "must be an object of header names and texts");
  return null;
}

function isMatcher(matcher: JsonValue): matcher is string {
  if (typeof matcher !== "string") return false;
  try {
    createMatcher(matcher);
    return true;
  } catch {
    return false;
  }
}

const MAX_SESSIONS = 1_000;

/** A condition that holds the first time that the given one does in each session. It is asked after the matcher. */
function onceIn(appliesTo: (input: HookInput) => boolean = () => true): (input: HookInput) => boolean {
  const done = new Set<string>();
  return (input) => {
    if (done.has(input.sessionId) || !appliesTo(input)) return false;
    done.add(input.sessionId);
    const [oldest] = done;
    if (done.size > MAX_SESSIONS) done.delete(oldest!);
    return true;
  };
}
