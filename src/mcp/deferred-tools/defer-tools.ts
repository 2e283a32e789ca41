// Many tools behind two. Idea: the model is shown `tool_search` and `call_tool`, whose definitions never change; what it
// calls through them is resolved before anything else looks at the call, so hooks, gate, claims, questions and audits see
// the tool that is run. Invariant: `list()` and `definitions()` change only when a kept tool does.
import { ConfigurationError } from "../../contracts/errors.js";
import type { BaseTool, Registry, ToolContext } from "../../contracts/tool.js";
import type { ToolCall, ToolDefinition, ToolResult } from "../../contracts/tool-call.js";
import { executeIn } from "../../engine/tools/tool-registry.js";
import {
  checkOptions,
  FUNCTION,
  listOf,
  numberFrom,
  type OptionTable,
  optionOf,
  STRING,
} from "../../json/check-options.js";
import { equalJson } from "../../json/copy.js";
import { Announcements } from "./announcement.js";
import { createCallTool, createToolSearch } from "./deferring-tools.js";
import { CALL_TOOL, innerCall, TOOL_SEARCH } from "./inner-call.js";
import { NarrowedRegistry, readyIn } from "./narrowed-registry.js";
import { type RankTools, ToolFinder } from "./tool-finder.js";

/** Options of `deferTools()`. */
export interface DeferToolsOptions {
  /** Names of tools that the model is shown as before; a name may end in `*`. Default: none. */
  readonly keep?: readonly string[] | undefined;
  /** The most tools that a search shows. Default: 10. */
  readonly limit?: number | undefined;
  /** Orders the tools for a query. Default: by their words (BM25), without a model. */
  readonly rank?: RankTools | undefined;
}

const OPTIONS = {
  keep: listOf(STRING, "names of tools"),
  limit: numberFrom(1, "tools", 50),
  rank: FUNCTION,
} satisfies OptionTable<DeferToolsOptions>;

const REGISTRY = optionOf(
  (value) => typeof Reflect.get(Object(value), "list") === "function" && !Array.isArray(value),
  "a registry, such as new ToolRegistry(tools)",
);

/**
 * A registry whose tools the model finds and calls through two constant ones: `tool_search { query }` and
 * `call_tool { name, arguments }`. It follows the registry that it is made of; tools may come and go while an agent runs,
 * and the request's beginning stays the same.
 *
 * A message names what can be found, bounded, when a run begins and when that changes. A tool that is found runs as if it had been called
 * by its name: with its own permission, claims, timeout and checks.
 *
 * @throws ConfigurationError `OPTION_INVALID`; `TOOL_DUPLICATE` for a registry with tools of those names
 */
export function deferTools(registry: Registry, options: DeferToolsOptions = {}): Registry {
  checkOptions("deferTools()", { registry }, { registry: REGISTRY });
  checkOptions("deferTools()", options, OPTIONS);
  for (const name of [TOOL_SEARCH, CALL_TOOL]) if (registry.get(name)) throw reserved(name);
  return new DeferredRegistry(registry, options);
}

class DeferredRegistry implements Registry {
  readonly #base: Registry;
  readonly #options: DeferToolsOptions;
  readonly #own: readonly BaseTool[];
  /** The tools read from the base, by the array that says whether it has changed. */
  #readOf: readonly ToolDefinition[] | undefined;
  #kept: readonly BaseTool[] = [];
  #deferred: readonly BaseTool[] = [];
  #reminding: readonly BaseTool[] = [];
  #finder = new ToolFinder([]);
  #names: readonly string[] = [];
  #definitions: readonly ToolDefinition[] = [];

  constructor(base: Registry, options: DeferToolsOptions, hasOwn = true) {
    this.#base = base;
    this.#options = options;
    const announcements = new Announcements();
    const search = createToolSearch({
      limit: options.limit ?? 10,
      rank: options.rank,
      finder: () => this.#read().#finder,
      deferred: () => this.#read().#deferred,
      reminding: () => this.#read().#reminding,
      announcement: (transcriptId, messages) => announcements.due(transcriptId, this.#read().#names, messages),
    });
    this.#own = hasOwn ? [search, createCallTool()] : [];
  }

  register(tool: BaseTool): this {
    if (tool?.name === TOOL_SEARCH || tool?.name === CALL_TOOL) throw reserved(tool.name);
    this.#base.register(tool);
    return this;
  }

  unregister(name: string): boolean {
    return this.#base.unregister(name);
  }

  /** Also tools that are not listed. */
  get(name: string): BaseTool | undefined {
    return this.#own.find((tool) => tool.name === name) ?? this.#base.get(name);
  }

  list(): readonly BaseTool[] {
    return this.#read().#kept;
  }

  definitions(): readonly ToolDefinition[] {
    return this.#read().#definitions;
  }

  ready(): Promise<void> {
    return readyIn(this.#base, this.#own);
  }

  resolve(call: ToolCall, others?: { has(name: string): boolean }): ToolCall {
    if (call.name !== CALL_TOOL || this.#own.length === 0) return this.#base.resolve?.(call, others) ?? call;
    const inner = innerCall(call, {
      has: (name) => this.get(name) !== undefined || others?.has(name) === true,
      like: (name) => this.#read().#finder.like(name),
    });
    return this.#base.resolve?.(inner, others) ?? inner;
  }

  /** For a sub-agent: what it may not use can neither be found nor called. */
  narrow(pick: (tool: BaseTool) => BaseTool | undefined, isDisallowed: (name: string) => boolean): Registry {
    const base = this.#base.narrow?.(pick, isDisallowed) ?? new NarrowedRegistry(this.#base, pick);
    const [, call] = this.#own;
    const mayCall = call && !isDisallowed(CALL_TOOL) && !isDisallowed(TOOL_SEARCH);
    const hasAny = base.list().some(({ name }) => !this.#keeps(name));
    return new DeferredRegistry(base, this.#options, mayCall && (hasAny || pick(call) !== undefined));
  }

  execute(call: ToolCall, context: ToolContext): Promise<ToolResult> {
    return executeIn(this, call, context);
  }

  #keeps(name: string): boolean {
    const { keep = [] } = this.#options;
    return keep.some((each) => (each.endsWith("*") ? name.startsWith(each.slice(0, -1)) : each === name));
  }

  /** Reads the base again if it has changed. */
  #read(): this {
    const all = this.#base.definitions();
    if (all === this.#readOf) return this;
    this.#readOf = all;
    const isKept = (name: string) => this.#keeps(name) || this.#own.length === 0;
    const definitionOf = new Map(all.map((definition) => [definition.name, definition]));
    const deferred = all.filter(({ name }) => !isKept(name));
    const kept = all.filter(({ name }) => this.#keeps(name));
    const tools = this.#base.list().filter(({ name }) => definitionOf.has(name));
    this.#deferred = tools.filter(({ name }) => !isKept(name));
    this.#reminding = this.#deferred.filter((tool) => tool.reminder);
    this.#kept = Object.freeze([...tools.filter(({ name }) => this.#keeps(name)), ...this.#own]);
    this.#finder = new ToolFinder(deferred);
    this.#names = deferred.map(({ name }) => name);
    const shown = [...kept, ...this.#own.map((tool) => tool.definition())];
    if (!isSame(shown, this.#definitions)) this.#definitions = Object.freeze(shown);
    return this;
  }
}

/** Tools made by hand make their definitions again each time: what they say is compared. */
function isSame(one: readonly ToolDefinition[], other: readonly ToolDefinition[]): boolean {
  const isEqual = (a: ToolDefinition, b: ToolDefinition) => a === b || equalJson(a, b);
  return one.length === other.length && one.every((each, index) => isEqual(each, other[index]!));
}

function reserved(name: string): ConfigurationError {
  const message = `The name "${name}" is taken by deferTools(), which finds and calls the other tools through it. Rename your tool, or defer a registry only once.`;
  return new ConfigurationError("TOOL_DUPLICATE", { message, details: { tool: name } });
}
