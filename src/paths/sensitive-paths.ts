// The one list of files that hold secrets, or that other programs run or trust. Paths are judged by their names alone, as
// `foldPath` spells them, so a file need not exist. The workspace and the permission checker both use it.
import { relative, sep } from "node:path";
import type { PathAccess } from "../contracts/workspace.js";
import { AGENT_DIRECTORIES } from "./agent-directories.js";
import { foldPath } from "./fold.js";
import { SECRET_LOCATIONS, SECRETS_OF_A_HOME } from "./secret-locations.js";

const PRIVATE_KEY_NAME =
  /^id_(rsa|dsa|ecdsa|ed25519|xmss|ecdsa_sk|ed25519_sk)$|\.(ppk|p12|pfx|pkcs12|jks|keystore|kdbx)$/;
const MACHINE_SECRETS =
  /^(\/private)?\/etc\/(g?shadow-?|master\.passwd|sudoers(\.d\/.*)?|krb5\.keytab|ssh\/ssh_host_[^/]*_key)$/;
/** Certificates and public keys have such endings, too. */
const KEY_NAME = /[^/\\]\.(pem|key)$/;
/** The bytes at the start of a file that say whether it is a key. */
export const SNIFFED_BYTES = 4096;
/** `git~1` is the short name Windows may give to `.git`. */
const GIT_DIRECTORIES = new Set([".git", "git~1"]);

/** The record of files written from untrusted content, in the directory of git's own that all work trees share. */
export const UNTRUSTED_RECORD = "loopwright-untrusted";

const ENVIRONMENT_FILE = /^\.env(rc)?(?![a-z])/;
const ENVIRONMENT_SAMPLE = /[._-](example|sample|template|dist)$/;
const HISTORY = /^\.[\w-]*history$|^fish_history$|^\.(dbshell|lesshst|viminfo)$/;
const HISTORY_DIRECTORIES = new Set([".mongodb/mongosh", ".zsh_sessions", ".bash_sessions"]);

const START_FILES = new Set([
  ...[".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".inputrc"],
  ...[".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login"],
  ...[".logout", ".shrc", ".shinit", "config.fish", ".xonshrc", ".elvishrc", ".pam_environment"],
  ...[".xinitrc", ".xsession", ".xsessionrc", ".xprofile"],
  ...[".psqlrc", ".sqliterc", ".mongorc.js", ".mongoshrc.js", ".mysqlrc", ".duckdbrc"],
  ...[".pythonrc", ".pythonrc.py", ".pythonstartup", ".irbrc", ".pryrc", ".rprofile", ".renviron", ".node_repl_rc"],
]);
const TRUSTED_FILES = new Set([
  ...[".gitconfig", ".gitmodules", ".mcp.json", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".hgrc"],
  ...[".vimrc", ".exrc", ".gdbinit", ".lldbinit", ".emacs", ".tmux.conf", ".screenrc", ".curlrc", ".wgetrc"],
  ...[".pre-commit-config.yaml", ".rhosts", ".shosts", ".forward"],
  ...[".nvimrc", ".nvim.lua", ".lvimrc", ".dir-locals.el", ".erlang", ".iex.exs", "opencode.json"],
  // They run on a build server, often with its secrets.
  ...[".gitlab-ci.yml", ".travis.yml", ".drone.yml", "jenkinsfile", "azure-pipelines.yml", "bitbucket-pipelines.yml"],
  // They say which compiler runs, even when it is only asked for its version.
  ...["rust-toolchain", "rust-toolchain.toml"],
]);
const TRUSTED_DIRECTORIES = [
  ...[".vscode", ".idea", ".zed", ".fleet", ".helix", ".husky", ".cargo", ".mvn", ".devcontainer", ".hg", ".jj"],
  ...[...AGENT_DIRECTORIES, ".cursor", ".codex", ".gemini", ".windsurf", ".kiro", ".roo", ".amazonq", ".opencode"],
  ...[".github/workflows", ".github/actions", ".circleci", ".buildkite", ".bashrc.d", ".zshrc.d"],
  ...[".config/git", ".config/fish", ".config/autostart", ".config/systemd", ".config/environment.d"],
  ...["library/launchagents", ".local/share/systemd"],
].map((path) => path.split("/"));

/**
 * Recognises the paths that nobody may touch: keys, tokens, passwords, and the profiles that hold them.
 *
 * Most are recognised by their names wherever they lie; those that have an innocent namesake in a project, such as
 * `.npmrc`, only directly inside one of `homes`. The test returns the reason, or `null`.
 */
export function createSecretTest(homes: readonly string[]): (path: string) => string | null {
  const foldedHomes = homes.map(foldPath);
  return (path) => {
    const folded = foldPath(path);
    const names = folded.split(sep);
    if (PRIVATE_KEY_NAME.test(names.at(-1)!)) return "it is a private key";
    if (MACHINE_SECRETS.test(folded)) return "it holds the passwords or keys of this machine";
    const secret = findSecret(names, SECRET_BY_NAME) ?? findHomeSecret(folded, foldedHomes);
    return secret ? `"${secret}" holds keys, tokens or passwords` : null;
  };
}

/** The absolute paths of everything secret in the given home directories, existing or not. */
export function secretPathsIn(homes: readonly string[]): string[] {
  const secrets = [...SECRET_LOCATIONS, ...SECRETS_OF_A_HOME];
  return homes.flatMap((home) => secrets.map((secret) => home + sep + secret.split("/").join(sep)));
}

/** Whether a file of this name may be a private key, which its first bytes then say. */
export function hasKeyName(path: string): boolean {
  return KEY_NAME.test(foldPath(path));
}

/** Whether the first bytes of a file with the name of a key are those of a private one. */
export function holdsPrivateKey(start: Uint8Array): boolean {
  const text = new TextDecoder("latin1").decode(start);
  return !/-----BEGIN (TRUSTED )?CERTIFICATE|PUBLIC KEY-----/.test(text) || text.includes("PRIVATE KEY");
}

/** The reason why a path may not be written in any workspace: git runs what its own files say. `null` for other paths. */
export function gitsOwnReason(path: string): string | null {
  const isGits = foldPath(path)
    .split(sep)
    .some((name) => GIT_DIRECTORIES.has(name));
  return isGits ? "git's own files run code; change them with git" : null;
}

/**
 * The reason why a path below `root` needs approval; `null` when it does not.
 *
 * Files that usually hold secrets (`.env`, histories, start files) need it for reading, too; files that other programs run
 * or trust only for writing.
 */
export function askedReason(path: string, root: string, access: PathAccess): string | null {
  const names = foldPath(relative(root, path)).split(sep);
  const name = names.at(-1) ?? "";
  const environment = names.find((each) => ENVIRONMENT_FILE.test(each) && !ENVIRONMENT_SAMPLE.test(each));
  if (environment) return `"${environment}" usually holds secrets`;
  if (HISTORY.test(name)) return `"${name}" may hold secrets that were typed in`;
  const history = names.findIndex(
    (each, at) => HISTORY_DIRECTORIES.has(each) || HISTORY_DIRECTORIES.has(`${each}/${names[at + 1]}`),
  );
  if (history !== -1) return `what is in "${names[history]}" may hold secrets that were typed in`;
  if (START_FILES.has(name)) return `"${name}" is run when a program starts, and may hold secrets`;
  if (access === "read") return null;
  if (TRUSTED_FILES.has(name)) return `"${name}" decides what other programs run`;
  const directory =
    TRUSTED_DIRECTORIES.find((trusted) => holdsSequence(names, trusted)) ??
    // A file in the place of `.github` may bring workflows.
    TRUSTED_DIRECTORIES.find(([first, ...more]) => more.length > 0 && first === name && name.startsWith("."));
  return directory ? `what is in "${directory.join("/")}" is run or trusted by other programs` : null;
}

/** The lists by their first name, so that a path is compared with few of them. */
function byFirstName(paths: readonly string[]): ReadonlyMap<string, readonly (readonly string[])[]> {
  const map = new Map<string, string[][]>();
  for (const path of paths) {
    const names = path.toLowerCase().split("/");
    map.set(names[0]!, [...(map.get(names[0]!) ?? []), names]);
  }
  return map;
}

const SECRET_BY_NAME = byFirstName(SECRET_LOCATIONS);
const HOME_SECRET_BY_NAME = byFirstName(SECRETS_OF_A_HOME);

function findSecret(names: readonly string[], secrets: typeof SECRET_BY_NAME, first = 0, last = names.length - 1) {
  for (let at = first; at <= last; at++) {
    for (const secret of secrets.get(names[at]!) ?? []) if (matchesAt(names, secret, at)) return secret.join("/");
  }
  return undefined;
}

function findHomeSecret(folded: string, homes: readonly string[]): string | undefined {
  for (const home of homes) {
    if (!folded.startsWith(home + sep)) continue;
    const found = findSecret(folded.slice(home.length + 1).split(sep), HOME_SECRET_BY_NAME, 0, 0);
    if (found) return found;
  }
  return undefined;
}

function holdsSequence(names: readonly string[], wanted: readonly string[]): boolean {
  return names.some((_, at) => matchesAt(names, wanted, at));
}

function matchesAt(names: readonly string[], wanted: readonly string[], at: number): boolean {
  return wanted.every((name, index) => names[at + index] === name);
}
