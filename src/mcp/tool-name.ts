// The names under which tools of MCP servers are offered to a model. Idea: `mcp__server__tool` where that is a valid name
// that can be read back in one way only; otherwise the offending part is spelled in plain characters and ends in a digest of
// what it was. Invariant: a name depends on the names of its server and its tool alone, so it is the same after a restart,
// and two tools, also of two servers, never share one.
import { strongDigest } from "../json/digest.js";
import { firstCharacters } from "../text/cut.js";

/** A name that every provider accepts. */
const MAX_NAME_CHARS = 64;
const PREFIX = "mcp__";
const SEAM = "__";
/** Leaves a tool at least 29 characters. */
const MAX_SERVER_CHARS = 28;
const DIGEST_CHARS = 10;

/** No `__` and no `_` at its end, so that the first `__` behind it is where the tool begins. */
const PLAIN_SERVER = /^[a-zA-Z0-9-]+(?:_[a-zA-Z0-9-]+)*$/;
const PLAIN_TOOL = /^[a-zA-Z0-9_-]+$/;
/** The ending that only a changed part of a name may have. */
const DIGESTED = new RegExp(`_[0-9a-f]{${DIGEST_CHARS}}$`);

/**
 * A name for each tool of a server, by the tool's own name: `mcp__server__tool`, of `a–z A–Z 0–9 _ -` and at most 64
 * characters, beginning with a letter. Parts that are too long or have other characters end in a digest.
 */
export function mcpToolNames(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const prefix = `${PREFIX}${plainPart(server, PLAIN_SERVER, MAX_SERVER_CHARS)}${SEAM}`;
  return new Map(tools.map((tool) => [tool, prefix + plainPart(tool, PLAIN_TOOL, MAX_NAME_CHARS - prefix.length)]));
}

/** The prefix of the names of a server's tools, and the rest of the name; `null` for another tool's name. */
export function splitMcpToolName(name: string): { readonly server: string; readonly tool: string } | null {
  const seam = name.indexOf(SEAM, PREFIX.length);
  if (!name.startsWith(PREFIX) || seam < 0) return null;
  return { server: name.slice(0, seam), tool: name.slice(seam + SEAM.length) };
}

function plainPart(part: string, plain: RegExp, maxChars: number): string {
  if (plain.test(part) && part.length <= maxChars && !DIGESTED.test(part)) return part;
  const digest = strongDigest(part).slice(0, DIGEST_CHARS);
  const spelled = part
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-zA-Z0-9-]+/g, "_")
    .replace(/^_+/, "");
  const start = firstCharacters(spelled, maxChars - DIGEST_CHARS - 1).replace(/_+$/, "");
  return start === "" ? `x_${digest}` : `${start}_${digest}`;
}
