// The `hooks` of one settings file: which handlers run at which point.
import { HOOK_POINTS, type Hook, type HookInput, type HookPoint } from "../contracts/hook.js";
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { ProviderAdapter } from "../contracts/provider.js";
import { type BackgroundHooks, commandHook } from "./command-hook.js";
import { httpHook } from "./http-hook.js";
import { createCondition } from "./if-condition.js";
import { createMatcher } from "./matcher.js";
import { promptHook } from "./prompt-hook.js";
import type { FileReader } from "./settings.js";
import { isObject, type JsonPath } from "./settings-file.js";
import type { WireContext } from "./wire.js";

/** What handlers are made with. */
export interface HandlerContext extends WireContext {
  readonly env: Readonly<Record<string, string>>;
  readonly background: BackgroundHooks;
  readonly provider: ProviderAdapter | undefined;
  /** Handlers there are already: the same one of several files runs once. */
  readonly seen: Set<string>;
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
const MAX_TIMEOUT_S = 86_400;

/** The hooks of a file that count, by point. The others are reported to the reader. */
export function readHooks(reader: FileReader, context: HandlerContext): [HookPoint, Hook[]][] {
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
  reader: FileReader,
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
    const identity = JSON.stringify([point, matcher ?? "", handler]);
    const hook = readHandler(handler, { point, matcher, at: where, reader, context });
    if (!hook || context.seen.has(identity)) return [];
    context.seen.add(identity);
    return [hook];
  });
}

interface HandlerPlace {
  readonly point: HookPoint;
  readonly matcher: string | undefined;
  readonly at: JsonPath;
  readonly reader: FileReader;
  readonly context: HandlerContext;
}

function readHandler(handler: JsonObject, place: HandlerPlace): Hook | null {
  const { at, reader, context, matcher, point } = place;
  const text = (key: string): string | null => {
    const value = handler[key];
    if (typeof value === "string" && value !== "") return value;
    reader.wrong([...at, key], "must be a text that is not empty");
    return null;
  };
  const common = commonOptions(handler, place);
  if (!common) return null;
  const { dir, transcriptPath, env } = context;
  const base = { dir, transcriptPath, matcher, ...common };
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
        ...(isAside && { background: context.background }),
      });
    }
    case "http": {
      const url = text("url");
      if (url === null) return null;
      if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
        reader.wrong([...at, "url"], "must be an http or https address");
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

function commonOptions(handler: JsonObject, { point, at, reader }: HandlerPlace) {
  const { timeout, onFailure, if: condition } = handler;
  let isRight = true;
  const check = (key: string, isFine: boolean, expected: string) => {
    if (isFine) return;
    isRight = false;
    reader.wrong([...at, key], `must be ${expected}`);
  };
  const isTime = typeof timeout === "number" && timeout > 0 && timeout <= MAX_TIMEOUT_S;
  check("timeout", timeout === undefined || isTime, `a number of seconds above 0, at most ${MAX_TIMEOUT_S}`);
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
  const timeoutMs = isTime ? timeout * 1000 : point === "UserPromptSubmit" ? 30_000 : undefined;
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(onFailure !== undefined && { onFailure: onFailure as "block" | "continue" }),
    ...(applies && { appliesTo: applies }),
  };
}

/** A condition is about a tool call; at other points the hook never runs. */
function conditionOf(rule: string, at: JsonPath, reader: FileReader): ((input: HookInput) => boolean) | null {
  try {
    return createCondition(rule, reader.dir);
  } catch (error) {
    reader.wrong(at, `is no permission rule: ${(error as Error).message}`);
    return null;
  }
}

function textsOf(value: JsonValue, at: JsonPath, reader: FileReader): string[] | null {
  if (Array.isArray(value) && value.every((item): item is string => typeof item === "string")) return [...value];
  reader.wrong(at, "must be a list of texts");
  return null;
}

function headersOf(value: JsonValue | undefined, at: JsonPath, reader: FileReader): Record<string, string> | null {
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
