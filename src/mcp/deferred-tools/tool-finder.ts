// Finds among many tools those that a query is about. What is read of the tools is kept until they change.
import type { JsonValue } from "../../contracts/json.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { nearestNames } from "../../text/nearest-names.js";
import { type RankedField, WordIndex } from "../../text/word-index.js";
import { splitMcpToolName } from "../tool-name.js";

/**
 * Orders tools for a query, best first: by embeddings, or by asking a model. Returns names, or tools with their `name`; names
 * that are not among `tools` are ignored, and only as many as the limit are shown. When it fails, words decide.
 */
export type RankTools = (
  query: string,
  tools: readonly ToolDefinition[],
  options: { readonly limit: number; readonly signal: AbortSignal },
) => readonly RankedTool[] | Promise<readonly RankedTool[]>;

/** A tool as `rank` may name it. */
export type RankedTool = string | { readonly name: string };

const NAME_WEIGHT = 3;
const SERVER_WEIGHT = 2;
/** The indexed part of a description: the purpose of a tool comes first. Unit: characters. */
const MAX_DESCRIPTION_CHARS = 1_500;
const MAX_PARAMETERS = 40;
const MAX_SUGGESTIONS = 4;
/** Phrasings of one query. */
const MAX_PHRASINGS = 5;

/** The tools that can be found, as they are at one time. */
export class ToolFinder {
  readonly #byName: ReadonlyMap<string, ToolDefinition>;
  #index: WordIndex | undefined;

  constructor(readonly definitions: readonly ToolDefinition[]) {
    this.#byName = new Map(definitions.map((definition) => [definition.name, definition]));
  }

  /** The tools that a query names, in its order: names between spaces or commas. */
  named(query: string): ToolDefinition[] {
    const names = query.replace(/^select:/, "").split(/[\s,"'`]+/);
    return [...new Set(names)].flatMap((name) => this.#byName.get(name) ?? []);
  }

  /**
   * Best first; the same for the same query. What stands between semicolons is asked by itself, and the best of each come first.
   */
  byWords(query: string, limit: number): ToolDefinition[] {
    const asked = query.split(/[;\n]/).filter((each) => each.trim() !== "");
    const ranked = asked.slice(0, MAX_PHRASINGS).map((each) => this.#ranked(each));
    const inTurn = Array.from({ length: limit }, (_, place) => ranked.flatMap((list) => list[place] ?? []));
    return [...new Set(inTurn.flat())].slice(0, limit);
  }

  #ranked(query: string): ToolDefinition[] {
    if (!this.#index) {
      this.#index = new WordIndex();
      for (const definition of this.definitions) this.#index.add(fieldsOf(definition));
    }
    return this.#index.rank(query).map(({ index }) => this.definitions[index]!);
  }

  /** The tools that a host's own ranking names, without unknown ones. @throws what `rank` throws, TypeError for no list */
  async byHost(rank: RankTools, query: string, limit: number, signal: AbortSignal): Promise<ToolDefinition[]> {
    const ranked: unknown = await rank(query, this.definitions, { limit, signal });
    if (!Array.isArray(ranked)) throw new TypeError("rank() did not return a list of tools or their names.");
    const names = ranked.map((each: unknown) => (typeof each === "string" ? each : String(Object(each).name)));
    return [...new Set(names)].flatMap((name) => this.#byName.get(name) ?? []).slice(0, limit);
  }

  /** Names like one that does not exist: misspelled, without its server, or of the same words. */
  like(name: string): string[] {
    const names = this.definitions.map((definition) => definition.name);
    const wanted = splitMcpToolName(name)?.tool ?? name;
    const elsewhere = names.filter((each) => splitMcpToolName(each)?.tool === wanted);
    const words = this.byWords(name, 2).map((definition) => definition.name);
    return [...new Set([...elsewhere, ...nearestNames(name, names, 2), ...words])].slice(0, MAX_SUGGESTIONS);
  }
}

function fieldsOf({ name, description, inputSchema }: ToolDefinition): RankedField[] {
  const parts = splitMcpToolName(name);
  return [
    { text: parts?.tool ?? name, weight: NAME_WEIGHT },
    { text: parts?.server.slice("mcp__".length) ?? "", weight: SERVER_WEIGHT },
    { text: description.slice(0, MAX_DESCRIPTION_CHARS) },
    { text: parameterNames(inputSchema as JsonValue).join(" ") },
  ];
}

function parameterNames(schema: JsonValue): string[] {
  const properties: unknown = Reflect.get(Object(schema), "properties");
  return Object.keys(Object(properties)).slice(0, MAX_PARAMETERS);
}
