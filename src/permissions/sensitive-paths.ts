// What is decided by names alone: secrets outside every workspace, and, without a workspace, what one would ask about.
import { relative, sep } from "node:path";
import type { PathAccess } from "../contracts/workspace.js";
import { fold } from "./rules/path-names.js";

/** What opens other machines, in whatever's home directory. */
const SECRETS = [
  ".ssh",
  ".aws",
  ".kube",
  ".gnupg",
  ".netrc",
  ".git-credentials",
  ".config/gcloud",
  ".docker/config.json",
];
const PRIVATE_KEY = /^id_(rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)$|\.(ppk|p12|pfx)$/;

/** Why nobody may touch a path outside the workspace; `null` when the names in it say nothing. */
export function secretReason(path: string): string | null {
  const folded = fold(path).split(sep).join("/");
  const secret = SECRETS.find((each) => `${folded}/`.includes(`/${each}/`));
  if (secret) return `"${secret}" holds what opens other machines`;
  const name = folded.slice(folded.lastIndexOf("/") + 1);
  if (PRIVATE_KEY.test(name)) return "it is a private key";
  return /^\/etc\/(g?shadow-?|sudoers)$/.test(folded) ? "it holds the passwords of this machine" : null;
}

/** Why nobody may write a path, whatever the workspace: git runs what its own files say. */
export function gitsOwnReason(path: string): string | null {
  const names = fold(path).split(sep);
  return names.includes(".git") ? "git's own files run code; change them with git" : null;
}

/**
 * Why a path needs approval when there is no workspace to say so: hidden files are what others run or trust, and `.env` what
 * holds secrets.
 */
export function hiddenReason(path: string, root: string, access: PathAccess): string | null {
  const hidden = fold(relative(root, path))
    .split(sep)
    .filter((name) => name.startsWith(".") && name !== "." && name !== "..");
  const name = access === "read" ? hidden.find((each) => each.startsWith(".env")) : hidden[0];
  return name ? `"${name}" may hold secrets, or be run or trusted by other programs` : null;
}
