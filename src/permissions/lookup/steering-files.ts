// Files of a project that choose what a program runs, where it keeps things, or whom it asks.

import { longPattern } from "../long-pattern.js";
import { type DiskView, textOf } from "./disk-view.js";

const MAX_SIZE = 100_000;
/** Settings of npm that only say how packages are installed and shown. Source: npm-config, npm 10 and pnpm 8. */
const PLAIN_LINE = longPattern`^\s*(?:[#;].*|(?:audit|audit-level|auto-install-peers|engine-strict|fund|git-tag-version|
  install-strategy|legacy-peer-deps|link-workspace-packages|lockfile-version|loglevel|node-linker|package-lock|
  prefer-offline|prefer-workspace-packages|progress|resolution-mode|save|save-exact|save-prefix|save-workspace-protocol|
  shamefully-hoist|strict-peer-dependencies|tag-version-prefix|update-notifier)\s*=\s*["']?[\w.^~*-]*["']?\s*)?$`;

/** The version of a tool to fetch and start, in a file that every project has. `\u` may spell any of it. */
const TOOL_VERSION = /packageManager|\\u|^[ \t\r]*toolchain\b/m;

/** Whether the file is there and may steer a program. */
export function steers(path: string, disk: DiskView): boolean {
  if (disk.kindOf(path) === null && !disk.isLink(path)) return false;
  const [name] = /(?:\.npmrc|package\.json|go\.(?:mod|work))$/.exec(path) ?? [];
  const text = name === undefined ? null : textOf(disk, path, MAX_SIZE);
  if (name !== ".npmrc" || text === null) return text === null || TOOL_VERSION.test(text);
  return !text.split("\n").every((line) => PLAIN_LINE.test(line));
}
