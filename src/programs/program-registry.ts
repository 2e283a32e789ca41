// A registry over another one. Idea: the tool that runs programs looks at the tools of its own registry, so a sub-agent's programs know only
// what that sub-agent may use. Invariant: what a program may call is decided here by name, and again by the engine for each call.
import { ConfigurationError } from "../contracts/errors.js";
import type { BaseTool, Registry, ToolContext } from "../contracts/tool.js";
import type { ToolCall, ToolDefinition, ToolResult } from "../contracts/tool-call.js";
import { executeIn } from "../engine/tools/tool-registry.js";
import { equalJson } from "../json/copy.js";
import { NarrowedRegistry, readyIn } from "../mcp/deferred-tools/narrowed-registry.js";
import { allTools, CallableTools, isCallable, isNamed, mayCall } from "./callable-tools.js";
import type { ProgramSettings } from "./program-settings.js";
import { createRunProgram } from "./run-program.js";
import { createSearchTools } from "./search-tools.js";

export class ProgramRegistry implements Registry {
  readonly #base: Registry;
  readonly #settings: ProgramSettings;
  /** `run_program`, where it may be used, and what programs search with, which nobody is shown. */
  readonly #own: readonly BaseTool[];
  readonly #forPrograms = new WeakMap<BaseTool, BaseTool>();
  #readOf: readonly ToolDefinition[] | undefined;
  #list: readonly BaseTool[] = [];
  #definitions: readonly ToolDefinition[] = [];
  #callable: CallableTools | undefined;

  /** @throws ConfigurationError `TOOL_DUPLICATE` */
  constructor(base: Registry, settings: ProgramSettings, mayRun = true) {
    this.#base = base;
    this.#settings = settings;
    const callable = () => this.#callableNow();
    const run = createRunProgram(settings, {
      callable,
      mayCall: (name) => mayCall(name, this.#base, settings.tools, settings.only),
      declared: () => this.#declared(),
    });
    this.#own = mayRun ? [run, ...createSearchTools(callable)] : [];
    for (const { name } of this.#own) if (base.get(name)) throw reserved(name);
  }

  register(tool: BaseTool): this {
    if (this.#own.some(({ name }) => name === tool?.name)) throw reserved(tool.name);
    this.#base.register(tool);
    return this;
  }

  unregister(name: string): boolean {
    return this.#base.unregister(name);
  }

  /** Also tools that are not listed. */
  get(name: string): BaseTool | undefined {
    const own = this.#own.find((tool) => tool.name === name);
    if (own) return own;
    const tool = this.#base.get(name);
    return tool && this.#isOnly(name) ? this.#forProgramsOnly(tool) : tool;
  }

  list(): readonly BaseTool[] {
    return this.#read().#list;
  }

  definitions(): readonly ToolDefinition[] {
    return this.#read().#definitions;
  }

  ready(): Promise<void> {
    return readyIn(this.#base, this.#own);
  }

  resolve(call: ToolCall, others?: { has(name: string): boolean }): ToolCall {
    if (this.#own.some(({ name }) => name === call.name)) return call;
    const has = (name: string) => this.#own.some((tool) => tool.name === name) || others?.has(name) === true;
    return this.#base.resolve?.(call, { has }) ?? call;
  }

  /** For a sub-agent: its programs call what it may use. */
  narrow(pick: (tool: BaseTool) => BaseTool | undefined, isDisallowed: (name: string) => boolean): Registry {
    const base = this.#base.narrow?.(pick, isDisallowed) ?? new NarrowedRegistry(this.#base, pick);
    const [run] = this.#own;
    return new ProgramRegistry(base, this.#settings, run !== undefined && pick(run) !== undefined);
  }

  execute(call: ToolCall, context: ToolContext): Promise<ToolResult> {
    return executeIn(this, call, context);
  }

  #isOnly(name: string): boolean {
    return isNamed(name, this.#settings.only);
  }

  /** The same tool, which the engine lets only programs call. */
  #forProgramsOnly(tool: BaseTool): BaseTool {
    let limited = this.#forPrograms.get(tool);
    limited ??= new Proxy<BaseTool>({} as BaseTool, {
      has: (_, key) => key === "callers" || key in tool,
      get(_, key) {
        if (key === "callers") return ["program"];
        const member = Reflect.get(tool, key);
        return typeof member === "function" ? member.bind(tool) : member;
      },
    });
    this.#forPrograms.set(tool, limited);
    return limited;
  }

  /** The tools that programs may call at this moment. A registry that hides some of its tools does not say when they change. */
  #callableNow(): CallableTools {
    const { tools, only } = this.#settings;
    const now = allTools(this.#base).filter((tool) => isCallable(tool, tools, only));
    const before = this.#callable?.tools ?? [];
    const isSame = now.length === before.length && now.every((tool, index) => tool === before[index]);
    if (!isSame || !this.#callable) this.#callable = new CallableTools(now);
    return this.#callable;
  }

  /** The tools whose declarations the model reads: of those that the base lists. What changes while an agent runs is searched. */
  #declared(): readonly BaseTool[] {
    const { tools, only, declare } = this.#settings;
    const listed = this.#base.list().filter((tool) => isCallable(tool, tools, only));
    return listed.slice(0, declare);
  }

  /** Reads the base again if it has changed. */
  #read(): this {
    const all = this.#base.definitions();
    if (all === this.#readOf) return this;
    this.#readOf = all;
    const [run] = this.#own;
    const shown = all.filter(({ name }) => !this.#isOnly(name));
    const names = new Set(shown.map(({ name }) => name));
    this.#list = Object.freeze([...this.#base.list().filter(({ name }) => names.has(name)), ...(run ? [run] : [])]);
    const definitions = [...shown, ...(run ? [run.definition()] : [])];
    if (!equalJson(definitions, this.#definitions)) this.#definitions = Object.freeze(definitions);
    return this;
  }
}

function reserved(name: string): ConfigurationError {
  const message = `The name "${name}" is taken by withPrograms(). Rename your tool, or add programs to a registry only once.`;
  return new ConfigurationError("TOOL_DUPLICATE", { message, details: { tool: name } });
}
