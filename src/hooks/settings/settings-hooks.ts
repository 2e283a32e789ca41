// The `hooks` of one settings file: which handlers run at which point.
import { HOOK_POINTS, type Hook, type HookInput, type HookPoint } from "../../contracts/hook.js";
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type { ProviderAdapter } from "../../contracts/provider.js";
import type { BaseTool } from "../../contracts/tool.js";
import type { StartProgram } from "../../contracts/workspace-machine.js";
import { isGuarding } from "../../engine/run/hooks/combine-hooks.js";
import { isObject } from "../../json/is-object.js";
import { agentHook } from "../agent-hook.js";
import type { BackgroundHooks } from "../background-hooks.js";
import { type CommandHookOptions, commandHook } from "../command-hook.js";
import type { WireContext } from "../hook-input-json.js";
import { HOOK_URL, httpHook, isHookUrl } from "../http-hook.js";
import { createCondition } from "../if-condition.js";
import { createMatcher, matchValuesOf } from "../matcher.js";
import { type McpToolCaller, mcpToolHook } from "../mcp-tool-hook.js";
import { promptHook } from "../prompt-hook.js";
import { restricting } from "./restricting-hook.js";
import { type JsonPath, keyOf } from "./settings-file.js";
import type { SettingsReader } from "./settings-reader.js";

/** The context that handlers are made with. */
export interface HandlerContext extends WireContext {
  readonly env: Readonly<Record<string, string>>;
  readonly background: BackgroundHooks;
  readonly beforeStart?: CommandHookOptions["beforeStart"];
  /** For the command hooks of a project on another machine. */
  readonly start: StartProgram | undefined;
  readonly provider: ProviderAdapter | undefined;
  readonly tools: readonly BaseTool[];
  readonly callTool: McpToolCaller | undefined;
  /** The reason why a hook must not ask an address; `null`: it may. */
  urlRefusal(url: string): string | null;
  /** Whether a hook may send a variable's value. */
  mayHaveVariable(name: string): boolean;
  /** Handlers there are already, each with its matchers: the same one of several groups or files runs once for an event. */
  readonly seen: Map<string, Matcher[]>;
}

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
      reader.wrong(at, `is not a hook event; the events are ${HOOK_POINTS.join(", ")}`);
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
  const matcher = readMatcher(group.matcher, [...at, "matcher"], reader);
  return group.hooks.flatMap((handler: JsonValue, index) => {
    const where = [...at, "hooks", index];
    const runsThere = !reader.isTrusted && context.start !== undefined && isPlainCommand(handler);
    if (!reader.isTrusted && !runsThere) {
      reader.untrusted(where, handler, "a hook of a project that is not trusted");
      return [];
    }
    if (!isObject(handler)) {
      reader.wrong(where, 'must be an object with a "type"');
      return [];
    }
    const identity = JSON.stringify([point, handler, runsThere]);
    const known = context.seen.get(identity);
    if (known) {
      known.push(createMatcher(matcher));
      return [];
    }
    const matchers = [createMatcher(matcher)];
    const matches = (input: HookInput) => matchers.some((isFor) => isFor(matchValuesOf(input)));
    const place: HandlerPlace = { point, matches, at: where, reader, context };
    const hook = readHandler(handler, place) ?? standIn(place);
    if (!hook) return [];
    context.seen.set(identity, matchers);
    return [located(runsThere ? restricting(hook) : hook, `${keyOf(where)} of ${reader.file.path}`)];
  });
}

function isPlainCommand(handler: JsonValue): boolean {
  return isObject(handler) && handler.type === "command" && handler.shell !== "powershell";
}

/** In place of a hook that cannot run: at a point that guards something it blocks, and says which hook it is. */
function standIn({ point, matches, at, reader }: HandlerPlace): Hook | null {
  if (!isGuarding(point)) return null;
  const reason = `A ${point} hook of the settings cannot run (${keyOf(at)} of ${reader.file.path}), so this is blocked.`;
  return { run: (input) => (matches(input) ? { decision: "block", permissionDecision: "deny", reason } : undefined) };
}

/** A matcher that is not one matches everything: the hook may guard something. */
function readMatcher(matcher: JsonValue | undefined, at: JsonPath, reader: SettingsReader): string | undefined {
  if (matcher === undefined || isMatcher(matcher)) return matcher;
  reader.wrong(at, "must be names joined by | or a regular expression; it is taken to match everything");
  return undefined;
}

/** The same hook, whose failures name the place it is defined at, for the host. */
function located(hook: Hook, place: string): Hook {
  return {
    ...hook,
    async run(input, context) {
      try {
        return await hook.run(input, context);
      } catch (error) {
        const { message, cause, onFailure } = error as Error & Pick<Hook, "onFailure">;
        const shown = typeof cause === "string" ? `(${place}) ${cause}` : `(${place})`;
        throw Object.assign(new Error(message, { cause: shown }), onFailure && { onFailure });
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
  const { at, reader, context } = place;
  const text = (key: string): string | null => {
    const value = handler[key];
    if (typeof value === "string" && value !== "") return value;
    reader.wrong([...at, key], "must be a string that is not empty");
    return null;
  };
  const common = commonOptions(handler, place);
  const { dir, hostDirectory, transcriptPath, sessionTitle, env } = context;
  const base = { dir, hostDirectory, transcriptPath, sessionTitle, ...common };
  switch (handler.type) {
    case "command": {
      const command = text("command");
      const args = handler.args === undefined ? undefined : textsOf(handler.args, [...at, "args"], reader);
      if (command === null || args === null) return null;
      return commandHook({
        ...base,
        command,
        ...(reader.isTrusted ? { env } : { start: context.start, transcriptPath: undefined, sessionTitle: undefined }),
        ...(args && { args }),
        ...(handler.shell === "powershell" && { shell: "powershell" }),
        aside: context.background,
        beforeStart: context.beforeStart,
        ...((handler.async === true || handler.asyncRewake === true) && { background: context.background }),
      });
    }
    case "http": {
      const url = text("url");
      if (url === null) return null;
      if (!isHookUrl(url)) {
        reader.wrong([...at, "url"], `must be ${HOOK_URL}`);
        return null;
      }
      const refusal = context.urlRefusal(url);
      if (refusal !== null) {
        reader.wrong([...at, "url"], refusal);
        return null;
      }
      const allowed = handler.allowedEnvVars;
      const named = allowed === undefined ? [] : textsOf(allowed, [...at, "allowedEnvVars"], reader);
      const names = named?.filter((name) => context.mayHaveVariable(name)) ?? null;
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
    case "agent": {
      const prompt = text("prompt");
      if (prompt === null) return null;
      if (context.provider) return agentHook({ ...base, prompt, provider: context.provider, tools: context.tools });
      reader.unsupported(at, handler, "a handler of type agent needs the option provider");
      return null;
    }
    case "mcp_tool": {
      const [server, tool] = [text("server"), text("tool")];
      const input = handler.input ?? {};
      if (server === null || tool === null) return null;
      if (!isObject(input)) {
        reader.wrong([...at, "input"], "must be an object");
        return null;
      }
      if (context.callTool) return mcpToolHook({ ...base, server, tool, input, callTool: context.callTool });
      reader.unsupported(at, handler, "a handler of type mcp_tool needs the option callTool");
      return null;
    }
    default:
      reader.wrong([...at, "type"], "must be command, http, prompt, agent or mcp_tool");
      return null;
  }
}

function commonOptions(handler: JsonObject, { point, matches, at, reader }: HandlerPlace) {
  const { timeout, onFailure, if: condition } = handler;
  const remark = (key: string, expected: string) => reader.wrong([...at, key], `must be ${expected}; it was left out`);
  const isTime = typeof timeout === "number" && timeout > 0;
  if (timeout !== undefined && !isTime) remark("timeout", "a number of seconds above 0");
  const policy = onFailure === "block" || onFailure === "continue" ? onFailure : undefined;
  if (onFailure !== undefined && !policy) remark("onFailure", '"block" or "continue"');
  const appliesTo = condition === undefined ? undefined : conditionOf(condition, [...at, "if"], reader);
  const applies = handler.once === true ? onceIn(appliesTo) : appliesTo;
  const timeoutMs = isTime
    ? Math.min(timeout, MAX_TIMEOUT_S) * 1000
    : point === "UserPromptSubmit"
      ? 30_000
      : undefined;
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(policy && { onFailure: policy as "block" | "continue" }),
    appliesTo: (input: HookInput) => matches(input) && (applies?.(input) ?? true),
  };
}

/** A condition is about a tool call; at other points the hook never runs. One that cannot be read holds for every call. */
function conditionOf(
  rule: JsonValue,
  at: JsonPath,
  reader: SettingsReader,
): ((input: HookInput) => boolean) | undefined {
  try {
    return createCondition(String(rule), reader.dir);
  } catch (error) {
    reader.wrong(at, `is not a permission rule: ${(error as Error).message} The hook runs for every call.`);
    return (input) => "toolName" in input;
  }
}

function textsOf(value: JsonValue, at: JsonPath, reader: SettingsReader): string[] | null {
  if (Array.isArray(value) && value.every((item): item is string => typeof item === "string")) return [...value];
  reader.wrong(at, "must be a list of strings");
  return null;
}

function headersOf(value: JsonValue | undefined, at: JsonPath, reader: SettingsReader): Record<string, string> | null {
  const entries = value === undefined ? [] : isObject(value) ? Object.entries(value) : null;
  const isHeader = (entry: [string, JsonValue]): entry is [string, string] =>
    /^[\w!#$%&'*+.^`|~-]+$/.test(entry[0]) && typeof entry[1] === "string";
  if (entries?.every(isHeader)) return Object.fromEntries(entries);
  reader.wrong(at, "must be an object of header names and strings");
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
