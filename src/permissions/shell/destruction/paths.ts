import { longPattern } from "../../long-pattern.js";
import type { DestructionOptions } from "../analysis.js";
import { containsPath } from "../words/paths.js";

const REGENERABLE = new Set(
  `node_modules dist build target coverage out tmp temp venv htmlcov storybook-static _build bower_components .cache
  __pycache__ .next .nuxt .turbo .parcel-cache .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv .gradle
  .nyc_output .svelte-kit .vite .angular .output .eggs .eslintcache .terraform .dart_tool .tmp .temp .sass-cache
  .rollup.cache .docusaurus .vercel .serverless .webpack .ipynb_checkpoints .hypothesis cmake-build-debug
  cmake-build-release DerivedData Pods`.split(/\s+/),
);
const REGENERABLE_NAME = /(?:\.(?:log|tmp|temp|pyc|pyo|o|class|tsbuildinfo|egg-info|swp|bak)|~|\.DS_Store)$/;
const TEMPORARY = /^(?:\/private)?(?:\/var)?\/tmp\/./;
const SYSTEM = longPattern`^\/(?:(?:home|Users)\/[^/]+|bin|boot|dev|etc|home|lib\w*|media|mnt|opt|proc|root|run|sbin|
  srv|sys|usr|var|Users|System|Library|Applications|private)(?:\/(?:bin|lib\w*|local|share|etc|log))?$`;
const BLOCK_DEVICE = /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|r?disk|mapper\/|md|loop|dm-|mem$|kmem$|port$|block\/)/;

export function isBlockDevice(path: string): boolean {
  return BLOCK_DEVICE.test(path);
}

/** The place that is deleted with a directory and all below it; `null` when it is nothing of that size. */
export function whatGoesWith(path: string, pattern: boolean, { root, home }: DestructionOptions): string | null {
  const directory = pattern ? withoutLastWildcards(path) : path;
  if (directory === null) return null;
  if (directory === "/") return "the whole machine";
  if (home !== undefined && containsPath(directory, home)) return "the home directory";
  if (containsPath(directory, root)) return "the workspace itself";
  return SYSTEM.test(directory) ? `the system directory "${directory}"` : null;
}

/** A pattern that fits everything in a directory, as `/*`, means the directory; any other means only some of it. */
function withoutLastWildcards(path: string): string | null {
  const match = /^(.*?)\/(?:\*|\.\*|\.\?\*|\.\[!\.\]\*|\{\*,\.\*\}|\?\*)(?:\/)?$/.exec(path);
  if (!match) return null;
  return match[1] === "" ? "/" : match[1]!;
}

/** Removing it loses nothing that a build, an installation or the next run does not make again. */
export function isRegenerable(path: string, { root, isRegenerable: asked }: DestructionOptions): boolean {
  // A workspace may itself stand in the temporary directory; what is in it is work all the same.
  if (TEMPORARY.test(path) && !containsPath(path, root) && !containsPath(root, path)) return true;
  const below = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path.slice(1);
  const names = below.split("/");
  if (names.some((name) => REGENERABLE.has(name) || REGENERABLE_NAME.test(name))) return true;
  return asked?.(path) ?? false;
}

export function isRegenerableName(name: string): boolean {
  return REGENERABLE.has(name) || REGENERABLE_NAME.test(name);
}
