// What a request says, read once: the judgement that follows waits for nothing.
import type { JsonObject, JsonValue } from "../contracts/json.js";
import type { PermissionMode, PermissionRequest, PermissionResult } from "../contracts/permission.js";
import type { ToolPermission } from "../contracts/tool.js";
import type { Workspace } from "../contracts/workspace.js";
import { createGitIgnore } from "./git-ignore.js";
import { hostOf, textsIn } from "./input-pattern.js";
import { linksListed } from "./listed-files.js";
import { createPlaceFinder, type Place } from "./places.js";
import type { RuleFolders } from "./rules.js";
import type { CommandAnalysis, Destruction, Effect, NameListing } from "./shell/analysis.js";
import { analyzeCommand } from "./shell/analyze-command.js";
import { assessDestruction } from "./shell/destruction.js";
import { findKnownTool, type RuleSubject } from "./tool-names.js";
import { linksBehindWildcards, WILDCARD_BUDGET, type WildcardBudget } from "./wildcard-links.js";

/** A request with everything looked up that a judgement needs. */
export interface Call {
  /** The tool's own name. */
  readonly tool: string;
  /** The name rules know it by. */
  readonly canonical: string;
  readonly subject: RuleSubject;
  readonly permission: ToolPermission;
  readonly mode: PermissionMode;
  readonly sessionId: string;
  readonly hook: PermissionRequest["hook"];
  /** What the tool says itself; a check that failed denies. */
  readonly own: PermissionResult | undefined;
  /** The files and folders a tool with paths would touch. */
  readonly places: readonly Place[];
  /** What rules about hosts, names and values are compared with. */
  readonly texts: readonly string[];
  readonly shell: ShellCall | null;
  /** What the tool would act on could not be read from the input. */
  readonly isUnclear: boolean;
  /** It rests on what an earlier call may change: where the shell stands, or where a path leads. */
  readonly provisional: boolean;
}

/** A command line, taken apart. */
export interface ShellCall {
  readonly script: string;
  readonly analysis: CommandAnalysis;
  readonly destructions: readonly Destruction[];
  /** Those of the analysis, and one for each link that its wildcards lead through. */
  readonly effects: readonly Effect[];
  /** Where the paths of `effects` lead, in the same order; `null` for effects without a known path. */
  readonly places: readonly (Place | null)[];
}

/** Reads requests for one checker. */
export type CallReader = (request: PermissionRequest, mode: PermissionMode) => Call | Promise<Call>;

/** More paths than this in one command line are not looked up, but compared with rules by their text: the call is then unclear. */
const MAX_PLACES = 100;
/** Of words that may name files so many are looked up; the others are compared with rules by their text. */
const MAX_GUESSES = 50;
/** The same for the names in all of them: each is a look at the disk. */
const MAX_NAMES = 3_000;
/** More lists of names than this in one command line are not looked through. */
const MAX_LISTINGS = 4;
const PATH_FIELDS = ["path", "file_path", "notebook_path"];
const NAME_FIELDS = ["subagent_type", "agent", "agent_type", "name", "skill", "command"];
/** What bash itself serves without a file behind it. */
const HARMLESS_DEVICES = /^\/dev\/(null|zero|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** Answers at once when there is no workspace whose paths have to be waited for. */
export function createCallReader(workspace: Workspace | undefined, folders: RuleFolders): CallReader {
  const find = createPlaceFinder(workspace, folders);

  return (request, mode) => {
    const { tool, input, agentPath = [], sessionId = "", transcriptId = sessionId, hook } = request;
    const name = typeof tool === "string" ? tool : tool.name;
    const known = findKnownTool(name);
    const subject = known?.subject ?? "values";
    const about = {
      tool: name,
      canonical: known?.name ?? name,
      subject,
      permission: typeof tool === "string" ? (known?.permission ?? "execute") : tool.permission,
      mode,
      sessionId,
      hook,
      own: typeof tool === "string" ? undefined : ownOpinion(tool, input, { agentPath, sessionId }),
    };
    const fields = asObject(input);
    if (subject === "command") return withShell(fields.command, workspace?.shellFolders.get(transcriptId));
    if (subject === "path") return withPlaces(pathsIn(known!.name, fields));
    const texts = subject === "values" ? textsIn(input) : textsOf(subject, fields);
    const isUnclear = subject !== "values" && texts.length === 0;
    return { ...about, places: [], texts, shell: null, isUnclear, provisional: false };

    function withPlaces(paths: readonly string[]): Call | Promise<Call> {
      const access = known!.access!;
      return whenAll(
        paths.map((path) => find(path, access)),
        (places) => ({ ...about, places, texts: [], shell: null, isUnclear: paths.length === 0, provisional: true }),
      );
    }

    function withShell(command: JsonValue | undefined, standsIn: string | undefined): Call | Promise<Call> {
      const script = typeof command === "string" ? command : "";
      const cwd = standsIn ?? folders.root;
      const analysis = analyzeCommand(script, { cwd, home: folders.home });
      const destructions = assessDestruction(analysis, { ...folders, isRegenerable: createGitIgnore(folders.root) });
      const budget = { left: WILDCARD_BUDGET };
      const listings: Listings = new Map();
      const effects = analysis.effects.flatMap((effect) => withLinks(effect, budget, listings));
      const known = new Map<string, Place | Promise<Place>>();
      let names = 0;
      const found = effects.map((effect) => {
        if (effect.kind !== "read" && effect.kind !== "write") return null;
        if (effect.path === null || isHarmlessDevice(effect.path)) return null;
        const path = effect.pattern ? fixedPart(effect.path) : effect.path;
        const key = `${effect.kind} ${path}`;
        const most = effect.guess ? MAX_GUESSES : MAX_PLACES;
        if (!known.has(key) && known.size < most && names < MAX_NAMES) {
          names += path.split("/").length;
          known.set(key, find(path, effect.kind));
        }
        return known.get(key) ?? null;
      });
      const isUnclear = typeof command !== "string" || known.size >= MAX_PLACES || names >= MAX_NAMES;
      return whenAll(found, (places) => {
        const shell = { script, analysis, destructions, effects, places };
        return { ...about, places: [], texts: [], shell, isUnclear, provisional: effects.length > 0 };
      });
    }
  };
}

/** What the lists of names in one command line lead to, each looked up once. */
type Listings = Map<string, readonly string[] | null>;

function linksIn(path: string, listing: NameListing, known: Listings): readonly string[] | null {
  const key = `${path} ${JSON.stringify(listing)}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= MAX_LISTINGS) return null;
  const links = linksListed(path, listing);
  known.set(key, links);
  return links;
}

/** A wildcard word may lead through links to places its text does not show; more than can be looked at are unknown. */
function withLinks(effect: Effect, budget: WildcardBudget, listings: Listings): Effect[] {
  if ((effect.kind !== "read" && effect.kind !== "write") || !effect.pattern || effect.path === null) return [effect];
  const links = effect.listing
    ? linksIn(effect.path, effect.listing, listings)
    : linksBehindWildcards(effect.path, budget);
  if (links === null) return [effect, { ...effect, path: null }];
  return [
    effect,
    ...links.map((path): Effect => ({ ...effect, path, pattern: !effect.listing && /[*?[]/.test(path) })),
  ];
}

/** Whether an effect has no file behind it. */
export function isHarmlessDevice(path: string | null): boolean {
  return path !== null && HARMLESS_DEVICES.test(path);
}

function ownOpinion(
  tool: Exclude<PermissionRequest["tool"], string>,
  input: JsonValue,
  about: { readonly agentPath: readonly string[]; readonly sessionId: string },
): PermissionResult | undefined {
  try {
    const own = tool.checkPermission?.(input, about);
    if (own === undefined || ["allow", "deny", "ask", "passthrough"].includes(own?.behavior)) return own;
    return { behavior: "deny", reason: `"${tool.name}" gave an opinion on its input that is not understood.` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { behavior: "deny", reason: `"${tool.name}" could not check its input: ${why}` };
  }
}

function pathsIn(tool: string, fields: JsonObject): string[] {
  const given = PATH_FIELDS.map((field) => fields[field]).filter((path) => typeof path === "string");
  const isSearch = tool === "glob" || tool === "grep" || tool === "list_dir";
  if (given.length > 0 || !isSearch) return tool === "glob" ? [...given, ...startOf(fields, given[0])] : given;
  return tool === "glob" ? [".", ...startOf(fields, undefined)] : ["."];
}

/** A glob may begin with a folder of its own. */
function startOf({ pattern }: JsonObject, folder = "."): string[] {
  if (typeof pattern !== "string" || !/^(\/|~)|(^|\/)\.\.(\/|$)/.test(pattern)) return [];
  const start = fixedPart(pattern);
  return [start.startsWith("/") || start.startsWith("~") ? start : `${folder}/${start}`];
}

/** The folders before the first wildcard. */
function fixedPart(path: string): string {
  const wild = path.search(/[*?[{]/);
  if (wild < 0) return path;
  return path.slice(0, path.lastIndexOf("/", wild)) || "/";
}

function textsOf(subject: "url" | "name", fields: JsonObject): string[] {
  if (subject === "name") return NAME_FIELDS.map((field) => fields[field]).filter((text) => typeof text === "string");
  const host = typeof fields.url === "string" ? hostOf(fields.url) : null;
  return host === null ? [] : [host];
}

function asObject(input: JsonValue): JsonObject {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
}

function whenAll<T, R>(values: readonly (T | Promise<T>)[], then: (values: T[]) => R): R | Promise<R> {
  if (values.some((value) => value instanceof Promise)) return Promise.all(values).then(then);
  return then(values as T[]);
}
