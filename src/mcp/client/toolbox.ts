// The tools of one server: made once for each definition, so that what did not change stays the same object, and a prompt
// the same bytes.
import type { BaseTool } from "../../contracts/tool.js";
import { mcpToolNames } from "../tool-name.js";
import type { Link } from "./link.js";
import type { ListedTool } from "./listing.js";
import { createRemoteTool, type ToolHost } from "./remote-tool.js";
import { createExtraTool, PROMPT_TOOLS, RESOURCE_TOOLS } from "./resource-tools.js";

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

  constructor(host: ToolHost) {
    this.#host = host;
  }

  /** Takes a new list. Resolves with whether anything is different. */
  async update(listed: readonly ListedTool[], { hasResources, hasPrompts }: Link): Promise<boolean> {
    const own = new Set(listed.map(({ name }) => name));
    const extra = [...(hasResources ? RESOURCE_TOOLS : []), ...(hasPrompts ? PROMPT_TOOLS : [])];
    const kinds = new Map(extra.map((kind) => [own.has(kind) ? `server_${kind}` : kind, kind] as const));
    const names = mcpToolNames(this.#host.server, [...own, ...[...kinds.keys()].filter((name) => !own.has(name))]);
    const made = new Map<string, Made>();
    for (const each of listed) {
      const name = names.get(each.name)!;
      const before = this.#made.get(each.name);
      const isSame = before?.digest === each.digest && before.name === name;
      made.set(each.name, isSame ? before : await this.#make(each, name));
      if (!this.#accepted.has(each.name)) this.#accepted.set(each.name, each.digest);
    }
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
    this.#accepted.set(name, digest);
  }

  async #make(listed: ListedTool, name: string): Promise<Made> {
    return { digest: listed.digest, name, tool: await createRemoteTool(this.#host, name, listed) };
  }

  /** Sorted: the order in which a server lists its tools is not a change. */
  #publish(made: readonly Made[]): boolean {
    const tools = made.map(({ tool }) => tool).sort((a, b) => (a.name < b.name ? -1 : 1));
    const isSame = tools.length === this.tools.length && tools.every((tool, index) => tool === this.tools[index]);
    if (!isSame) this.tools = Object.freeze(tools);
    return !isSame;
  }
}
