// The one place where optional packages are loaded and checked. The version on the disk decides where it is known; where it
// is not, the package is used when it has what is needed.
import { ConfigurationError, isHarnessError } from "../contracts/errors.js";
import { findInstalled, type InstalledPeer } from "./installed-peer.js";
import { isSupported, PEERS, type PeerName } from "./peer-table.js";

/**
 * Loads an optional package of which `uses` are needed. `load` imports it by its literal name, in a `try` with a `catch`: a
 * bundler then takes it in where it is installed, and does not fail where it is not.
 *
 * @throws ConfigurationError `PEER_MISSING` when it is not installed or cannot be loaded, `PEER_UNSUPPORTED` for a version that
 * does not work
 */
export async function loadPeer<T extends object>(
  name: PeerName,
  load: () => Promise<T>,
  uses: readonly (keyof T & string)[],
): Promise<T> {
  const installed = checkedVersion(name);
  const loaded = await load().catch((cause) => {
    throw missing(name, installed, cause);
  });
  checkUses(name, loaded, uses, installed);
  return loaded;
}

/** The error that a `load` throws: the failure of its import, as it is. */
export const notLoaded = (cause: unknown): unknown => cause;

/** The same for a package that one can do without: `undefined` instead of `PEER_MISSING`. */
export async function loadPeerIfInstalled<T extends object>(
  ...peer: Parameters<typeof loadPeer<T>>
): Promise<T | undefined> {
  try {
    return await loadPeer(...peer);
  } catch (error) {
    if (isHarnessError(error, "PEER_MISSING")) return undefined;
    throw error;
  }
}

/** Checks a package that was loaded already. @throws ConfigurationError `PEER_UNSUPPORTED` */
export function checkPeer<T extends object>(name: PeerName, loaded: T, uses: readonly (keyof T & string)[]): void {
  checkUses(name, loaded, uses, checkedVersion(name));
}

function checkedVersion(name: PeerName): InstalledPeer | null {
  const installed = findInstalled(name);
  if (installed && !isSupported(name, installed.version)) throw unsupported(name, installed);
  return installed;
}

function checkUses(name: PeerName, loaded: object, uses: readonly string[], installed: InstalledPeer | null): void {
  const lacking = uses.filter((use) => Reflect.get(loaded, use) === undefined);
  if (lacking.length > 0) throw unsupported(name, installed, lacking);
}

function missing(name: PeerName, installed: InstalledPeer | null, cause: unknown): ConfigurationError {
  const { usedBy } = PEERS[name];
  const what = installed
    ? `of which ${installed.version} is installed in "${installed.directory}" and cannot be loaded (see the cause)`
    : "which is not installed or cannot be loaded";
  return new ConfigurationError("PEER_MISSING", {
    message: `${usedBy} needs the package "${name}", ${what}. ${remedy(name)}`,
    details: detailsOf(name, installed),
    cause,
  });
}

/** A version that is too old or too new, or one without what is used. */
export function unsupported(
  name: PeerName,
  installed: InstalledPeer | null,
  lacking: readonly string[] = [],
): ConfigurationError {
  const { range, usedBy } = PEERS[name];
  const which = installed
    ? `version ${installed.version} of the package "${name}", found in "${installed.directory}"`
    : `the package "${name}" that was found`;
  const why = lacking.length > 0 ? `: it has no ${lacking.join(", ")}` : "";
  return new ConfigurationError("PEER_UNSUPPORTED", {
    message: `${usedBy} does not work with ${which}${why}. Versions ${range} work. ${remedy(name)}`,
    details: { ...detailsOf(name, installed), ...(lacking.length > 0 && { lacking: [...lacking] }) },
  });
}

const remedy = (name: PeerName) => `Run: npm install "${name}@${PEERS[name].range}".`;

const detailsOf = (name: PeerName, installed: InstalledPeer | null) => ({
  package: name,
  range: PEERS[name].range,
  ...(installed && { found: installed.version, directory: installed.directory }),
});
