// Where the result of a call comes from, as far as the checker knows it better than the tool.
import type { Label, LabelHints, Source } from "../../contracts/label.js";
import type { PermissionRequest } from "../../contracts/permission.js";
import type { Workspace } from "../../contracts/workspace.js";
import { frozenLabel, joinLabels, NO_LABEL } from "../../labels/join-labels.js";
import { labelFrom, readHints } from "../../labels/read-label.js";
import type { ResolvedRequest } from "../request/resolved-request.js";
import { hostOf } from "../rules/input-pattern.js";
import { type FlowOptions, namesSource } from "./flow-options.js";
import { noteWrittenFrom, writtenFrom } from "./written-files.js";

/** The label of a call's result, where the checker knows it better than the tool, or the host has said so. */
export function labelOfCall(
  call: ResolvedRequest,
  request: PermissionRequest,
  flow: FlowOptions,
  workspace?: Workspace,
): LabelHints | undefined {
  // A tool that says that its results are untrusted knows it better.
  const declared = declaredBy(request);
  const known = declared.integrity === "untrusted" ? undefined : hintsOf(call, request, workspace);
  const sources = known?.sources ?? declared.sources ?? [];
  const audience = namesSource(flow.private ?? [], call.canonical, sources) ? { audience: [] } : undefined;
  if (namesSource(flow.untrusted ?? [], call.canonical, sources))
    return { ...declared, ...known, ...audience, integrity: "untrusted" };
  if (namesSource(flow.trusted ?? [], call.canonical, sources))
    return { ...declared, ...known, ...audience, integrity: "trusted" };
  return audience ? { integrity: "untrusted" as const, ...declared, ...known, ...audience } : known;
}

/** What the tool says of all of its results. */
function declaredBy({ tool }: PermissionRequest): LabelHints {
  const { returns } = Object(tool) as { readonly returns?: unknown };
  return readHints(returns) ?? {};
}

function hintsOf(call: ResolvedRequest, { input }: PermissionRequest, workspace?: Workspace): LabelHints | undefined {
  if (call.shell) return labelOfLine(call.shell, workspace);
  if (call.subject === "path") return labelOfPlaces(call, workspace);
  if (call.canonical !== "web_fetch") return undefined;
  const host = hostOf(String(Object(input).url));
  return host === null ? undefined : { integrity: "untrusted", sources: [{ kind: "web", name: host }] };
}

/** What a line prints is untrusted where it connects, or where that cannot be known; and where it reads what is not the project's. */
function labelOfLine(
  { analysis, script, effects, isUnclear }: NonNullable<ResolvedRequest["shell"]>,
  workspace?: Workspace,
): LabelHints {
  const isOpen = analysis.opaque || analysis.unparsed !== null || isUnclear;
  const connects = analysis.effects.some(({ kind }) => kind === "network");
  const read = effects.flatMap(({ effect, place }) => (effect.kind === "read" && place ? [place] : []));
  const source = { kind: "command", name: script.trim().split("\n")[0]!.slice(0, 80) } as const;
  // Code reads whatever it likes.
  const runsCode = analysis.commands.some(({ readOnly, program }) => !readOnly && program !== "");
  const written = writtenFrom(workspace, runsCode ? "all" : read.map(({ real }) => real));
  return labelled(source, isOpen || connects || read.some(isForeign), written);
}

function labelOfPlaces({ places }: ResolvedRequest, workspace?: Workspace): LabelHints {
  const foreign = places.find(isForeign);
  const name = (foreign ?? places[0])?.path ?? ".";
  const read = places.flatMap(({ access, real }) => (access === "read" ? [real] : []));
  return labelled({ kind: "workspace", name }, foreign !== undefined, writtenFrom(workspace, read));
}

/** What is in a file that was written from untrusted content is as untrusted, and from the same places. */
function labelled(source: Source, isUntrusted: boolean, written: Label): LabelHints {
  const own = frozenLabel(isUntrusted ? "untrusted" : "trusted", "anyone", [
    { ...source, ...(isUntrusted && { untrusted: true }) },
  ]);
  return joinLabels(own, written);
}

/** Notes which files an allowed call may write from untrusted content: what it was made from, and what its own line reads. */
export function noteWrites(
  { shell, places }: ResolvedRequest,
  { context = NO_LABEL }: PermissionRequest,
  said: LabelHints | undefined,
  workspace: Workspace,
): void {
  const label = shell && said ? joinLabels(context, labelFrom(said, NO_LABEL)) : context;
  if (label.integrity === "trusted") return;
  const written = shell
    ? shell.effects.flatMap(({ effect, place }) => (effect.kind === "write" && place ? [place] : []))
    : places;
  for (const { access, real } of written) if (access === "write") noteWrittenFrom(workspace, real, label);
}

/** Installed packages are other people's files, and so is what lies outside. */
const PACKAGES =
  /(?:^|[\\/])(?:node_modules|\.venv|venv|site-packages|vendor|\.cargo[\\/]registry|go[\\/]pkg[\\/]mod)(?:[\\/]|$)/;

function isForeign({ real, status, access }: ResolvedRequest["places"][number]): boolean {
  return access === "read" && (status === "outside" || PACKAGES.test(real));
}
