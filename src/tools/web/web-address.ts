import { lookup as systemLookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { ToolError } from "../../contracts/errors.js";
import { clip } from "../../text/cut.js";

/** One address of a host name, as `lookup` of `node:dns/promises` answers them. */
export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** The addresses that the web tools may reach. */
export interface WebAddressRules {
  /** Only these hosts: `docs.example.com`, or `*.example.com` for all below it. Default: every public one. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Resolves a name to all its addresses. Default: the system's resolver. */
  readonly lookup?:
    | ((hostname: string, options: { readonly all: true }) => Promise<readonly HostAddress[]>)
    | undefined;
  /** Opens your own network to the model: for tests against a local server, and for nothing else. Default: `false`. */
  readonly dangerouslyAllowPrivateAddresses?: boolean | undefined;
}

const MAX_URL_CHARS = 8_000;
const FIRST_UNPRIVILEGED_PORT = 1024;

/**
 * Reads a URL that may be fetched by its spelling: http or https, no credentials, a port that serves pages, and a host
 * that is allowed and no internal name or address.
 *
 * `URL` has brought decimal, octal, hexadecimal and short addresses, full-width digits and escapes to their one form.
 *
 * @throws ToolError `ADDRESS_REFUSED`
 */
export function readWebUrl(text: string, rules: WebAddressRules, base?: URL): URL {
  const parsed = text.length <= MAX_URL_CHARS && URL.canParse(text, base) ? new URL(text, base) : null;
  if (!parsed) throw refused(text, "is not a URL that can be read", "Give a whole one, as in https://example.com/page");
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") {
    throw refused(text, `has the scheme "${parsed.protocol}"`, "Only http: and https: are fetched");
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw refused(parsed.host, "came with a user name or password", "Leave them out");
  }
  parsed.hash = "";
  const host = hostOf(parsed);
  const port = Number(parsed.port);
  if (parsed.port !== "" && port < FIRST_UNPRIVILEGED_PORT && port !== 80 && port !== 443) {
    throw refused(text, `has the port ${port}, which serves no pages`, "Use 80, 443 or one from 1024 on");
  }
  const { allowHosts } = rules;
  if (allowHosts && !allowHosts.some((pattern) => matchesHost(pattern, host))) {
    throw refused(text, "is on a host that is not allowed here", `Allowed are: ${allowHosts.join(", ") || "none"}`);
  }
  if (!rules.dangerouslyAllowPrivateAddresses) {
    if (!(isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host))) throw notPublic(text);
  }
  return parsed;
}

/**
 * The addresses of a URL's host, every one of them public. `null` when there are not.
 *
 * @throws ToolError `ADDRESS_REFUSED` when one of them is not public
 */
export async function resolveHost(url: URL, rules: WebAddressRules): Promise<readonly HostAddress[] | null> {
  const host = hostOf(url);
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const found = await lookUp(host, rules);
  if (!rules.dangerouslyAllowPrivateAddresses && !found.every(({ address }) => isPublicAddress(address))) {
    throw notPublic(url.href);
  }
  return found.length > 0 ? found.map(({ address }) => ({ address, family: isIP(address) })) : null;
}

async function lookUp(host: string, { lookup = systemLookup }: WebAddressRules): Promise<readonly HostAddress[]> {
  try {
    const found = await lookup(host, { all: true });
    if (!Array.isArray(found)) throw new TypeError("lookup() has to answer a list of { address, family }.");
    return found;
  } catch (error) {
    // Not found and not answered are the same to who asks; anything else is a fault of the host's own function.
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}

/** The host as an address or a lower-case name, without brackets and dots at the end. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
}

function matchesHost(pattern: string, host: string): boolean {
  const wanted = pattern.toLowerCase();
  return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) : host === wanted;
}

function notPublic(url: string): ToolError {
  return refused(
    url,
    "does not lead to the public internet",
    "Local, private and internal addresses are never fetched",
  );
}

/** Does not say what a name resolved to: that would let a caller map the network. */
function refused(url: string, what: string, remedy: string): ToolError {
  return new ToolError("ADDRESS_REFUSED", { message: `"${clip(url, 200)}" ${what}. ${remedy}.` });
}

/** The addresses, public by number, at which clouds answer their machines. */
const INTERNAL_SERVICES = new Set(["168.63.129.16"]);
/** The addresses of IPv6 that are given to the public. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** Names that never mean a machine of the public internet, with everything below them. */
const INTERNAL_NAMES = ["localhost", "local", "localdomain", "internal", "intranet", "private", "corp", "home", "lan"];
const INTERNAL_SUFFIXES = [...INTERNAL_NAMES, "home.arpa"];

/**
 * Whether an IP address belongs to the public internet.
 *
 * Private, loopback, link-local, shared, multicast, documentation, benchmark and reserved ranges do not, nor does what
 * represents another address: IPv4 in IPv6, NAT64, 6to4, Teredo. Text that is not an address does not either.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || INTERNAL_SERVICES.has(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/** Whether a host name, without a dot at its end, can be a public one. Says nothing of where it leads. */
export function isPublicName(name: string): boolean {
  return name.includes(".") && !INTERNAL_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
}
