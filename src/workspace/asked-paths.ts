import { relative, sep } from "node:path";
import type { PathAccess } from "../contracts/workspace.js";
import { fold } from "./protected-paths.js";

const SHELL_START_FILES = new Set([
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".logout",
  ".inputrc",
  "config.fish",
]);
const TRUSTED_FILES = new Set([
  ...[".gitconfig", ".gitmodules", ".mcp.json", ".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs"],
  // They say which compiler runs, even for its version.
  ...["rust-toolchain", "rust-toolchain.toml"],
]);
const TRUSTED_FOLDERS = new Set([".vscode", ".idea", ".husky", ".claude", ".cargo", ".mvn"]);

/** Why a path inside `root` needs a human's yes, judged by its names alone; `null` when it does not. */
export function askedReason(path: string, root: string, access: PathAccess): string | null {
  const names = fold(relative(root, path)).split(sep);
  const name = names.at(-1) ?? "";
  if (name.startsWith(".env")) return `"${name}" usually holds secrets`;
  if (access === "read") return null;
  if (SHELL_START_FILES.has(name)) return `"${name}" is run when a shell starts`;
  if (TRUSTED_FILES.has(name)) return `"${name}" decides what other programs run`;
  const folder = names.find((each) => TRUSTED_FOLDERS.has(each));
  if (folder) return `what is in "${folder}" is run or trusted by other programs`;
  const workflows = names.some((each, index) => each === ".github" && names[index + 1] === "workflows");
  return workflows ? `what is in ".github/workflows" is run by others` : null;
}
