// The tools of one server: made once for each definition, so that what did not change stays the same object, and a prompt
// the same bytes.
import type { BaseTool } from "../../contracts/tool.js";
import { byName } from "../../text/by-name.js";
import { describeThrown } from "../../text/describe-thrown.js";
import { mcpToolNames } from "../tool-name.js";
import type { ListedTool } from "./listing.js";
import { createRemoteTool, type ToolHost } from "./remote-tool.js";
import { createExtraTool, PROMPT_TOOLS, RESOURCE_TOOLS } from "./resource-tools.js";
import type { Link } from "./server-session.js";

/** Keeps which definitions of a server's tools were accepted, by tool: digests, and nothing else. */
export interface DefinitionMemory {
  /** Asked once for each connection, before its tools are listed. What is not there is accepted as it comes. */
  load(
    server: string,
  ): Readonly<Record<string, string>> | undefined | Promise<Readonly<Record<string, string>> | undefined>;
  /** Everything that is accepted now. Called when a tool is seen first, or used with a new definition. */
  save(server: string, definitions: Readonly<Record<string, string>>): void | Promise<void>;
}

interface Made {
  readonly digest: string;
  readonly name: string;
  readonly tool: BaseTool;
}

export class Toolbox {
  tools: readonly BaseTool[] = Object.freeze([]);
  readonly #host: ToolHost;
  /** By the server's own names. */
  #made = new Map<string, Made>();
  /** The definitions that were there first, or that a call was let through with. */
  readonly #accepted = new Map<string, string>();
  readonly #memory: DefinitionMemory | undefined;
  #recalling: Promise<void> | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** The reason why what was accepted could not be kept. */
  saveProblem: string | undefined;

  constructor(host: ToolHost, memory?: DefinitionMemory) {
    this.#host = host;
    this.#memory = memory;
  }

  /** Reads once what was accepted before this process. @throws what the host's `load` throws */
  async #recall(): Promise<void> {
    this.#recalling ??= (async () => {
      const kept = await this.#memory?.load(this.#host.server);
      for (const [name, digest] of Object.entries(kept ?? {})) {
        if (typeof digest === "string" && !this.#accepted.has(name)) this.#accepted.set(name, digest);
      }
    })();
    try {
      await this.#recalling;
    } catch (error) {
      this.#recalling = undefined;
      throw error;
    }
  }

  /** One save after the other; the last one has everything. */
  #save(): void {
    const memory = this.#memory;
    if (!memory) return;
    this.#saving = this.#saving.then(async () => {
      try {
        await memory.save(this.#host.server, Object.fromEntries(this.#accepted));
        this.saveProblem = undefined;
      } catch (error) {
        this.saveProblem = `what was accepted of its tools could not be saved: ${describeThrown(error)}`;
      }
    });
  }

  /** Resolves when everything that was accepted is saved, as far as it can be. */
  saved(): Promise<void> {
    return this.#saving;
  }

  /** Takes a new list. Resolves with whether anything is different. */
  async update(listed: readonly ListedTool[], { hasResources, hasPrompts }: Link): Promise<boolean> {
    await this.#recall();
    const own = new Set(listed.map(({ name }) => name));
    let isNew = false;
    const extra = [...(hasResources ? RESOURCE_TOOLS : []), ...(hasPrompts ? PROMPT_TOOLS : [])];
    const kinds = new Map(extra.map((kind) => [own.has(kind) ? `server_${kind}` : kind, kind] as const));
    const names = mcpToolNames(this.#host.server, [...own, ...[...kinds.keys()].filter((name) => !own.has(name))]);
    const made = new Map<string, Made>();
    for (const each of listed) {
      const name = names.get(each.name)!;
      const before = this.#made.get(each.name);
      const isSame = before?.digest === each.digest && before.name === name;
      made.set(each.name, isSame ? before : await this.#make(each, name));
      if (this.#accepted.has(each.name)) continue;
      this.#accepted.set(each.name, each.digest);
      isNew = true;
    }
    if (isNew) this.#save();
    for (const [own, kind] of kinds) {
      if (made.has(own)) continue;
      const name = names.get(own)!;
      const before = this.#made.get(own);
      const isSame = before?.digest === kind && before.name === name;
      made.set(own, isSame ? before : { digest: kind, name, tool: createExtraTool(this.#host, kind, name) });
    }
    this.#made = made;
    return this.#publish([...made.values()]);
  }

  changeOf({ name, digest }: ListedTool): "same" | "changed" | "replaced" {
    const current = this.#made.get(name);
    if (current && current.digest !== digest) return "replaced";
    return this.#accepted.get(name) === digest ? "same" : "changed";
  }

  accept({ name, digest }: ListedTool): void {
    if (this.#accepted.get(name) === digest) return;
    this.#accepted.set(name, digest);
    this.#save();
  }

  async #make(listed: ListedTool, name: string): Promise<Made> {
    return { digest: listed.digest, name, tool: await createRemoteTool(this.#host, name, listed) };
  }

  /** Sorted: the order in which a server lists its tools is not a change. */
  #publish(made: readonly Made[]): boolean {
    const tools = made.map(({ tool }) => tool).sort(byName);
    const isSame = tools.length === this.tools.length && tools.every((tool, index) => tool === this.tools[index]);
    if (!isSame) this.tools = Object.freeze(tools);
    return !isSame;
  }
}
