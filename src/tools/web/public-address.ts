import ipaddr from "ipaddr.js";

/** Where clouds answer their machines on addresses that are public by number. */
const INTERNAL_SERVICES = new Set(["168.63.129.16"]);
/** All that is given to the public of IPv6. */
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
