// Finds among many tools those that a query is about. What is read of the tools is kept until they change.
import type { JsonValue } from "../../contracts/json.js";
import type { ToolDefinition } from "../../contracts/tool-call.js";
import { nearestNames } from "../../text/nearest-names.js";
import { indexWords, type RankedField } from "../../text/rank-by-words.js";
import { wordsIn } from "../../text/words.js";
import { splitMcpToolName } from "../tool-name.js";
import { subjectOf } from "./known-services.js";
import { asksForAnEnd, asksForKnowledge, endsSomething, reportsByDescription, reportsByName } from "./query-intent.js";

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
/** Of what the service is about. */
const SUBJECT_WEIGHT = 0.8;
const PARAMETER_WEIGHT = 0.4;
/** The query names the service. */
const SERVER_NAMED = 1.3;
/** The same with a capital letter: "in Notion". */
const SERVER_NAMED_PROPERLY = 2;
/** The beginning of a service's name that is enough to name it. Unit: characters. */
const MIN_BEGINNING = 4;
/** The query asks, and the tool does something; the query wants something done, and the tool only reports. */
const DOES_INSTEAD = 0.6;
const TELLS_INSTEAD = 0.7;
/** The tool deletes or ends something, and the query wants nothing of the kind. */
const ENDS_INSTEAD = 0.6;
/** What a tool has of its server's other tools that fit, and how many of a server count. */
const SERVER_SHARE = 0.4;
const BEST_OF_SERVER = 3;
/** Of a description: what a tool is for comes first. Unit: characters. */
const MAX_DESCRIPTION_CHARS = 1_500;
const MAX_PARAMETERS = 40;
const MAX_SUGGESTIONS = 4;
/** Phrasings of one query. */
const MAX_PHRASINGS = 5;

/** In quotation marks, and not the name of a file. */
const VALUE = /"[^".]{1,40}"/g;
/** With a capital letter, and not at the beginning of a sentence. */
const NAME = /(?<=[^\s.!?]\s["'(]?)\p{Lu}[\p{L}\p{N}]+/gu;
/** Of a query without its values. */
const MIN_WORDS = 2;

/** The tools that can be found, as they are at one time. */
export class ToolFinder {
  readonly #byName: ReadonlyMap<string, ToolDefinition>;
  #rank: ReturnType<typeof indexWords> | undefined;
  #traits: readonly Traits[] = [];

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
    if (asked.length < 2) return this.#ranked(query).slice(0, limit);
    const ranked = asked.slice(0, MAX_PHRASINGS).map((each) => this.#ranked(each));
    const inTurn = Array.from({ length: limit }, (_, place) => ranked.flatMap((list) => list[place] ?? []));
    return [...new Set(inTurn.flat())].slice(0, limit);
  }

  #ranked(query: string): ToolDefinition[] {
    if (!this.#rank) {
      this.#rank = indexWords(this.definitions.map(fieldsOf), { bySubject: true });
      this.#traits = this.definitions.map(traitsOf);
    }
    const intent = intentOf(query);
    const scored = this.#rank(withoutValues(query))
      .map(({ index, score }) => {
        const traits = this.#traits[index]!;
        return { traits, definition: this.definitions[index]!, score: score * fitOf(traits, intent) };
      })
      .sort((a, b) => b.score - a.score);
    const favour = serverShares(scored);
    return scored
      .map(({ definition, traits, score }) => ({
        definition,
        score: score * (1 + SERVER_SHARE * favour(traits.server)),
      }))
      .sort((a, b) => b.score - a.score)
      .map(({ definition }) => definition);
  }

  /** What a host's own ranking names, without what it does not know. @throws what `rank` throws, TypeError for no list */
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

/** How well the best tools of a tool's server do together, against those of the best server: who asks for sales asks a CRM. */
function serverShares(ranked: readonly { readonly traits: Traits; readonly score: number }[]) {
  const best = new Map<string, number[]>();
  for (const { traits, score } of ranked) {
    const scores = best.get(traits.server) ?? [];
    if (scores.length < BEST_OF_SERVER) best.set(traits.server, [...scores, score]);
  }
  const sums = new Map([...best].map(([server, scores]) => [server, scores.reduce((sum, score) => sum + score, 0)]));
  const most = Math.max(...sums.values());
  return (server: string) => sums.get(server)! / most;
}

/** What a tool is beside its words. */
interface Traits {
  readonly server: string;
  readonly serverWords: readonly string[];
  readonly reports: boolean;
  readonly isSaidToReport: boolean;
  readonly ends: boolean;
}

function traitsOf({ name, description }: ToolDefinition): Traits {
  const { server, tool } = partsOf(name);
  return {
    server,
    serverWords: wordsIn(server),
    reports: reportsByName(tool),
    isSaidToReport: reportsByDescription(description),
    ends: endsSomething(tool),
  };
}

/** What a query wants beside what it is about. */
interface Intent {
  readonly words: ReadonlySet<string>;
  /** Those of its words that are written as names. */
  readonly names: ReadonlySet<string>;
  readonly asks: boolean;
  readonly ends: boolean;
}

function intentOf(query: string): Intent {
  const names = wordsIn((query.match(NAME) ?? []).join(" ").toLowerCase());
  const [asks, ends] = [asksForKnowledge(query), asksForAnEnd(query)];
  return { words: new Set(wordsIn(query)), names: new Set(names), asks, ends };
}

/** How well a tool fits a query beside the words they share. */
function fitOf(tool: Traits, { words, names, asks, ends }: Intent): number {
  const isNamed = (by: ReadonlySet<string>) => tool.serverWords.some((part) => isNamedBy(by, part));
  const named = isNamed(names) ? SERVER_NAMED_PROPERLY : isNamed(words) ? SERVER_NAMED : 1;
  const reports = tool.reports || (asks && tool.isSaidToReport);
  const kind = reports === asks ? 1 : asks ? DOES_INSTEAD : TELLS_INSTEAD;
  return named * kind * (!ends && tool.ends ? ENDS_INSTEAD : 1);
}

/** Whether a word of a server's name, or the beginning of one, is said: "Mongo" is mongodb. */
function isNamedBy(words: ReadonlySet<string>, part: string): boolean {
  if (words.has(part)) return true;
  return [...words].some((word) => word.length >= MIN_BEGINNING && part.startsWith(word));
}

function partsOf(name: string): { readonly server: string; readonly tool: string } {
  const parts = splitMcpToolName(name);
  return parts ? { server: parts.server.slice("mcp__".length), tool: parts.tool } : { server: "", tool: name };
}

function fieldsOf({ name, description, inputSchema }: ToolDefinition): RankedField[] {
  const { server, tool } = partsOf(name);
  return [
    { text: tool, weight: NAME_WEIGHT },
    { text: server, weight: SERVER_WEIGHT },
    { text: subjectOf(`${server} ${tool}`), weight: SUBJECT_WEIGHT },
    { text: description.slice(0, MAX_DESCRIPTION_CHARS) },
    { text: parameterNames(inputSchema as JsonValue).join(" "), weight: PARAMETER_WEIGHT },
  ];
}

function parameterNames(schema: JsonValue): string[] {
  const properties: unknown = Reflect.get(Object(schema), "properties");
  return Object.keys(Object(properties)).slice(0, MAX_PARAMETERS);
}

/** What is between quotation marks is a value, not what the tool is about; unless nothing else is said. */
function withoutValues(query: string): string {
  const rest = query.replace(VALUE, " ");
  return wordsIn(rest).length < MIN_WORDS ? query : rest;
}
