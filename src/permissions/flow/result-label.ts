// Where the result of a call comes from, as far as the checker knows it better than the tool.
import type { LabelHints } from "../../contracts/label.js";
import type { PermissionRequest } from "../../contracts/permission.js";
import { readHints } from "../../labels/read-label.js";
import type { ResolvedRequest } from "../request/resolved-request.js";
import { hostOf } from "../rules/input-pattern.js";
import { type FlowOptions, namesSource } from "./flow-options.js";

/** The label of a call's result, where the checker knows it better than the tool, or the host has said so. */
export function labelOfCall(
  call: ResolvedRequest,
  request: PermissionRequest,
  flow: FlowOptions,
): LabelHints | undefined {
  // A tool that says that its results are untrusted knows it better.
  const declared = declaredBy(request);
  const known = declared.integrity === "untrusted" ? undefined : hintsOf(call, request);
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

function hintsOf(call: ResolvedRequest, { input }: PermissionRequest): LabelHints | undefined {
  if (call.shell) return labelOfLine(call.shell);
  if (call.subject === "path") return labelOfPlaces(call);
  if (call.canonical !== "web_fetch") return undefined;
  const host = hostOf(String(Object(input).url));
  return host === null ? undefined : { integrity: "untrusted", sources: [{ kind: "web", name: host }] };
}

/** What a line prints is untrusted where it connects, or where that cannot be known; and where it reads what is not the project's. */
function labelOfLine({ analysis, script, effects, isUnclear }: NonNullable<ResolvedRequest["shell"]>): LabelHints {
  const isOpen = analysis.opaque || analysis.unparsed !== null || isUnclear;
  const connects = analysis.effects.some(({ kind }) => kind === "network");
  const leaves = effects.some(({ effect, place }) => effect.kind === "read" && place !== null && isForeign(place));
  const integrity = isOpen || connects || leaves ? "untrusted" : "trusted";
  return { integrity, sources: [{ kind: "command", name: script.trim().split("\n")[0]!.slice(0, 80) }] };
}

function labelOfPlaces({ places }: ResolvedRequest): LabelHints {
  const foreign = places.find(isForeign);
  const name = (foreign ?? places[0])?.path ?? ".";
  return { integrity: foreign ? "untrusted" : "trusted", sources: [{ kind: "workspace", name }] };
}

/** Installed packages are other people's files, and so is what lies outside. */
const PACKAGES =
  /(?:^|[\\/])(?:node_modules|\.venv|venv|site-packages|vendor|\.cargo[\\/]registry|go[\\/]pkg[\\/]mod)(?:[\\/]|$)/;

function isForeign({ real, status, access }: ResolvedRequest["places"][number]): boolean {
  return access === "read" && (status === "outside" || PACKAGES.test(real));
}
