import { basename } from "node:path";
import type { EffectName } from "../../contracts/label.js";
import type { ResolvedPath } from "../request/resolve-path.js";

/** Later agents read them as instructions. */
const INSTRUCTIONS =
  /^(?:agents|claude|gemini|memory|copilot-instructions|skill|\.cursorrules|\.windsurfrules)(?:\.local)?(?:\.md)?$/i;
/** Their content runs when somebody builds, installs or tests. */
const SCRIPTS =
  /^(?:package\.json|makefile|gnumakefile|justfile|rakefile|setup\.py|conftest\.py|build\.gradle(?:\.kts)?|build\.rs|dockerfile|crontab)$/i;
const BUILD_SERVERS = /[\\/]\.(?:github|gitlab|circleci|buildkite)(?:[\\/]|$)/i;

/** The effects of writing there. Writing a file inside the workspace that is nothing but content has none of this kind. */
export function effectsOnPlace({ access, status, asked, real }: ResolvedPath): readonly EffectName[] {
  if (access !== "write") return [];
  const name = basename(real);
  if (INSTRUCTIONS.test(name)) return ["remembers"];
  if (status === "temporary") return [];
  if (status !== "inside") return ["writes"];
  return asked !== null || SCRIPTS.test(name) || BUILD_SERVERS.test(real) ? ["runs"] : [];
}
