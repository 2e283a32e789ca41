// A request's content, read once: the decision that follows waits for nothing.
import type { JsonObject, JsonValue } from "../../contracts/json.js";
import type {
  GatedTool,
  PermissionMode,
  PermissionRequest,
  PermissionResult,
  ToolPermission,
} from "../../contracts/permission.js";
import type { Workspace } from "../../contracts/workspace.js";
import { findKnownTool, type RuleSubject } from "../../rules/tool-names.js";
import { type DiskView, fixedPart, LOCAL_DISK, moved, treeOf, treeView, UNKNOWN_DISK } from "../lookup/disk-view.js";
import { FetchedView } from "../lookup/fetched-view.js";
import { hostOf, textsIn } from "../rules/input-pattern.js";
import type { RuleDirectories } from "../rules/path-pattern.js";
import { createShellReader, type ShellCall } from "./read-command.js";
import { createPathResolver, type ResolvedPath, temporaryOf, whenAll } from "./resolve-path.js";

/** A request with everything looked up that a decision needs. */
export interface ResolvedRequest {
  /** The tool's own name. */
  readonly tool: string;
  /** The name rules know it by. */
  readonly canonical: string;
  readonly subject: RuleSubject;
  readonly permission: ToolPermission;
  readonly ownTools: GatedTool["ownTools"];
  readonly mode: PermissionMode;
  readonly sessionId: string;
  readonly hook: PermissionRequest["hook"];
  readonly isOffer: boolean;
  /** The tool's own answer; a check that failed denies. */
  readonly own: PermissionResult | undefined;
  /** The files and directories a tool with paths would touch. */
  readonly places: readonly ResolvedPath[];
  /** The texts that rules about hosts, names and values are compared with. */
  readonly texts: readonly string[];
  readonly shell: ShellCall | null;
  /** The target of the tool could not be read from the input. */
  readonly isUnclear: boolean;
  /** It rests on what an earlier call may change: where the shell stands, or where a path leads. */
  readonly provisional: boolean;
}

/** Reads requests for one checker. `decide` is what is then decided, so that it is known what that looks at. */
export type RequestReader = (
  request: PermissionRequest,
  mode: PermissionMode,
  decide?: Decide,
) => ResolvedRequest | Promise<ResolvedRequest>;

const PATH_FIELDS = ["path", "file_path", "notebook_path"];
const NAME_FIELDS = ["subagent_type", "agent", "agent_type", "name", "skill", "command"];
/** Answers at once when there is no workspace whose paths have to be waited for. */
export function createRequestReader(workspace: Workspace | undefined, directories: RuleDirectories): RequestReader {
  // This machine's disk says nothing about a workspace that keeps its files elsewhere.
  const readAsIs = readerOver(workspace, directories, workspace && !workspace.files.onDisk ? UNKNOWN_DISK : LOCAL_DISK);

  function read(request: PermissionRequest, mode: PermissionMode, own: PermissionResult | undefined, decide?: Decide) {
    const there = workspace?.forCall?.(workspace);
    if (!there?.files.many) return readAsIs(request, mode, own);
    const tree = treeOf(request.tool) ?? there;
    const many = tree.root === there.root ? undefined : tree.forCall?.(tree).files.many;
    const view = new FetchedView(many ?? there.files.many, many ? tree.root : there.root, there.homes ?? []);
    return view.settle(async () => {
      const call = await readerOver(there, directories, view)(request, mode, own);
      decide?.(call);
      return call;
    });
  }

  return (request, mode, decide) => {
    const own = ownOpinion(request);
    if (!(own instanceof Promise)) return read(request, mode, own, decide);
    return own.then((opinion) => read(request, mode, opinion, decide));
  };
}

/** The directory of an agent's shell. A tool that works in another tree of the same files stands at the same place of this one. */
function standingOf(workspace: Workspace | undefined, tool: PermissionRequest["tool"], transcriptId: string) {
  const tree = treeOf(tool);
  const there = tree?.shellDirectories.get(transcriptId);
  if (!workspace || !tree || there === undefined) return there ?? workspace?.shellDirectories.get(transcriptId);
  return moved(there, tree.root, workspace.root);
}

type Decide = (call: ResolvedRequest) => unknown;

function readerOver(workspace: Workspace | undefined, directories: RuleDirectories, disk: DiskView) {
  const find = createPathResolver(workspace, directories, disk);
  const readShell = createShellReader(find, directories, disk);
  return read;

  function shellReaderFor(tool: PermissionRequest["tool"]): typeof readShell {
    const tree = workspace && treeOf(tool);
    if (!tree || tree.root === workspace.root) return readShell;
    return createShellReader(find, directories, treeView(disk, workspace.root, tree.root));
  }

  function read(
    request: PermissionRequest,
    mode: PermissionMode,
    own: PermissionResult | undefined,
  ): ResolvedRequest | Promise<ResolvedRequest> {
    const { tool, input, sessionId = "", transcriptId = sessionId, hook, isOffer = false } = request;
    const name = typeof tool === "string" ? tool : tool.name;
    const known = findKnownTool(name);
    const subject = known?.subject ?? "values";
    const about = {
      tool: name,
      canonical: known?.name ?? name,
      subject,
      permission: typeof tool === "string" ? (known?.permission ?? "execute") : tool.permission,
      ownTools: typeof tool === "string" ? undefined : tool.ownTools,
      mode,
      sessionId,
      hook,
      isOffer,
      own,
    };
    const fields = asObject(input);
    if (subject === "command") return withShell(fields.command, standingOf(workspace, tool, transcriptId));
    if (subject === "path") return withPlaces(pathsIn(known!.name, fields));
    const texts = subject === "values" ? textsIn(input) : textsOf(subject, fields);
    const isUnclear = subject !== "values" && texts.length === 0;
    return { ...about, places: [], texts, shell: null, isUnclear, provisional: false };

    function withPlaces(paths: readonly string[]): ResolvedRequest | Promise<ResolvedRequest> {
      const access = known!.access!;
      return whenAll(
        paths.map((path) => find(path, access, sessionId)),
        (places) => ({ ...about, places, texts: [], shell: null, isUnclear: paths.length === 0, provisional: true }),
      );
    }

    function withShell(
      command: JsonValue | undefined,
      standsIn: string | undefined,
    ): ResolvedRequest | Promise<ResolvedRequest> {
      const script = typeof command === "string" ? command : "";
      const place = { cwd: standsIn ?? directories.root, sessionId, temporary: temporaryOf(workspace, sessionId) };
      return whenAll([shellReaderFor(tool)(script, place)], ([shell]) => ({
        ...about,
        places: [],
        texts: [],
        shell: shell!,
        isUnclear: typeof command !== "string" || shell!.isUnclear,
        provisional: shell!.effects.length > 0,
      }));
    }
  }
}

/** The opinion of the tool itself. One that fails, or that is not understood, denies. */
function ownOpinion({ tool, input, agentPath = [], sessionId = "" }: PermissionRequest) {
  if (typeof tool === "string") return undefined;
  const checked = (own: PermissionResult | undefined): PermissionResult | undefined => {
    if (own === undefined || ["allow", "deny", "ask", "passthrough"].includes(own?.behavior)) return own;
    return { behavior: "deny", reason: `"${tool.name}" returned a permission result that is not valid.` };
  };
  const failed = (error: unknown): PermissionResult => {
    const why = error instanceof Error ? error.message : String(error);
    return { behavior: "deny", reason: `"${tool.name}" could not check its input: ${why}` };
  };
  try {
    const own = tool.checkPermission?.(input, { agentPath, sessionId });
    return own instanceof Promise ? own.then(checked, failed) : checked(own);
  } catch (error) {
    return failed(error);
  }
}

function pathsIn(tool: string, fields: JsonObject): string[] {
  const given = PATH_FIELDS.map((field) => fields[field]).filter((path) => typeof path === "string");
  const isSearch = tool === "glob" || tool === "grep" || tool === "list_dir";
  if (given.length > 0 || !isSearch) return tool === "glob" ? [...given, ...startOf(fields, given[0])] : given;
  return tool === "glob" ? [".", ...startOf(fields, undefined)] : ["."];
}

/** A glob may begin with a directory of its own. */
function startOf({ pattern }: JsonObject, directory = "."): string[] {
  if (typeof pattern !== "string" || !/^(\/|~)|(^|\/)\.\.(\/|$)/.test(pattern)) return [];
  const start = fixedPart(pattern);
  return [start.startsWith("/") || start.startsWith("~") ? start : `${directory}/${start}`];
}

function textsOf(subject: "url" | "name", fields: JsonObject): string[] {
  if (subject === "name") return NAME_FIELDS.map((field) => fields[field]).filter((text) => typeof text === "string");
  const host = typeof fields.url === "string" ? hostOf(fields.url) : null;
  return host === null ? [] : [host];
}

function asObject(input: JsonValue): JsonObject {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
}
