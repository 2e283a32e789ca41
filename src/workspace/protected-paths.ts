import { closeSync, constants, openSync, readSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { basename, extname, join, relative, sep } from "node:path";
import type { PathAccess } from "../contracts/workspace.js";
import { type Walk, walkPath } from "./path-walk.js";

/** Refused in every home folder, whatever the root: what they hold opens other machines. */
const HOME_SECRETS = [
  ".ssh",
  ".aws",
  ".kube",
  ".gnupg",
  ".netrc",
  ".npmrc",
  join(".config", "gcloud"),
  join(".docker", "config.json"),
];
const PRIVATE_KEY_NAME = /^id_(rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)$|\.(ppk|p12|pfx)$/;
const KEY_EXTENSIONS = new Set([".pem", ".key"]);
/** `git~1` is what Windows may call `.git` for short. */
const GIT_FOLDERS = new Set([".git", "git~1"]);
/** Zero-width and directional marks. */
const IGNORED_CHARACTERS = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const SNIFFED_BYTES = 4096;

/** The paths in home folders that nobody gets at, whatever the root. Absolute. */
export function homeSecrets(): string[] {
  return homeFolders().flatMap((home) => HOME_SECRETS.map((secret) => join(home, secret)));
}

/** The paths nobody gets at, for one sandbox. */
export class ProtectedPaths {
  readonly #folded: ReadonlySet<string>;
  /** Of the protected path with the most names: longer beginnings of a path need not be looked at. */
  readonly #maxNames: number;

  /** `paths` are absolute; they and what they lead to are refused, with everything below. */
  constructor(paths: readonly string[]) {
    const all = [...homeSecrets(), ...paths];
    this.#folded = new Set(all.flatMap((path) => [fold(path), fold(walkPath(path).path)]));
    this.#maxNames = Math.max(...[...this.#folded].map((path) => path.split(sep).length));
  }

  /** Why the file or folder a path leads to may not be touched; `null` when it may. */
  reason(walk: Walk, access: PathAccess, root: string): string | null {
    for (const path of [...walk.links, walk.path]) {
      if (this.#isListed(path)) return "it is on the list of protected paths";
      if (access === "write" && isGitsOwn(path, root)) return "git's own files run code; change them with git";
    }
    return !walk.stats?.isDirectory() && isPrivateKey(walk.path) ? "it is a private key" : null;
  }

  #isListed(path: string): boolean {
    const names = fold(path).split(sep);
    return names.slice(0, this.#maxNames).some((_, index) => this.#folded.has(names.slice(0, index + 1).join(sep)));
  }
}

/**
 * One spelling for all names a file system may take for the same: letter case, trailing dots and blanks, and characters
 * that some ignore. Protects too much rather than too little where names do differ.
 */
export function fold(path: string): string {
  const names = path.normalize("NFC").toUpperCase().toLowerCase().replace(IGNORED_CHARACTERS, "").split(sep);
  return names.map((name) => name.replace(/[. ]+$/, "") || name).join(sep);
}

function isGitsOwn(path: string, root: string): boolean {
  return fold(relative(root, path))
    .split(sep)
    .some((name) => GIT_FOLDERS.has(name));
}

function homeFolders(): string[] {
  const homes = new Set<string>();
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      homes.add(find());
    } catch {
      // An account without a home, as in some containers, has nothing there to protect.
    }
  }
  return [...homes].filter((home) => home !== "");
}

function isPrivateKey(path: string): boolean {
  const name = fold(basename(path));
  if (PRIVATE_KEY_NAME.test(name)) return true;
  // Certificates and public keys share these endings and may be read; anything else that ends so is taken for a secret.
  return KEY_EXTENSIONS.has(extname(name)) && !holdsPublicPart(path);
}

function holdsPublicPart(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch {
    return false;
  }
  try {
    const start = Buffer.alloc(SNIFFED_BYTES);
    const text = start.toString("latin1", 0, readSync(file, start, 0, SNIFFED_BYTES, 0));
    return /-----BEGIN (TRUSTED )?CERTIFICATE|PUBLIC KEY-----/.test(text) && !text.includes("PRIVATE KEY");
  } catch {
    return false;
  } finally {
    closeSync(file);
  }
}
