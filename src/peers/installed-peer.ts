// The copy of an optional package that an import of this library finds, and its version. The file is looked for on the disk, as
// Node looks for packages: asked for by name, it is hidden by the `exports` of most packages.

export interface InstalledPeer {
  readonly version: string;
  /** The directory of the package. */
  readonly directory: string;
}

interface Manifest {
  readonly name?: unknown;
  readonly version?: unknown;
}

interface Host {
  readonly process?: { readonly getBuiltinModule?: typeof process.getBuiltinModule };
}

/**
 * `null` where the package is not found, or nothing can be said about it: outside Node and its likes, in a bundle, whose parts
 * need not be those on the disk, and for another package under this name.
 *
 * `importer` is the module that would import it; `resolve` knows where packages are in places without `node_modules`.
 */
export function findInstalled(
  name: string,
  importer: string = import.meta.url,
  resolve: (name: string) => string = (specifier) => import.meta.resolve(specifier),
): InstalledPeer | null {
  const host = (globalThis as Host).process;
  if (!host?.getBuiltinModule || !importer?.startsWith("file:")) return null;
  const { readFileSync } = host.getBuiltinModule("node:fs");
  const { dirname, join } = host.getBuiltinModule("node:path");
  const { fileURLToPath } = host.getBuiltinModule("node:url");

  const manifestIn = (directory: string): Manifest | null => {
    try {
      return JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
    } catch {
      return null;
    }
  };
  const above = (url: string): string[] => {
    const found = [dirname(fileURLToPath(url))];
    while (dirname(found.at(-1)!) !== found.at(-1)) found.push(dirname(found.at(-1)!));
    return found;
  };
  const own = above(importer);
  if (own.map(manifestIn).find(Boolean)?.name !== "loopwright") return null;
  const nearest = own.map((directory) => join(directory, "node_modules", name)).find(manifestIn);
  const directory = nearest ?? above(resolved(name, resolve) ?? importer).find((at) => manifestIn(at)?.name === name);
  const manifest = directory && manifestIn(directory);
  if (!manifest || manifest.name !== name || typeof manifest.version !== "string") return null;
  return { version: manifest.version, directory };
}

function resolved(name: string, resolve: (name: string) => string): string | undefined {
  try {
    const url = resolve(name);
    return url.startsWith("file:") ? url : undefined;
  } catch {
    return undefined;
  }
}
