import { basename } from "node:path";
import type { EffectName } from "../../contracts/label.js";
import type { ResolvedPath } from "../request/resolve-path.js";

/** Later agents read them as instructions. */
const INSTRUCTIONS =
  /^(?:agents|claude|gemini|qwen|crush|warp|replit|memory|copilot-instructions|skill|\.(?:\w*rules|goosehints|augment-guidelines))(?:(?:\.\w+)?\.md)?$/i;
/** Their content runs when somebody builds, installs, commits or opens the project. */
const SCRIPTS =
  /^(?:package\.json|makefile|gnumakefile|justfile|rakefile|setup\.py|conftest\.py|build\.gradle(?:\.kts)?|build\.rs|dockerfile|crontab|lefthook.*|mise(?:\.\w+)?\.toml|appveyor\.yml|.*\.code-workspace)$/i;
/** Hidden files configure what reads them, but for these. */
const HIDDEN = /^\.(?!(?:\w*ignore|\w*keep|editorconfig|mailmap|nvmrc|\w+-version|env\.(?:example|sample|template))$)/i;
/** What is in them runs on a build server or instructs agents. */
const DIRECTORIES =
  /[\\/]\.(?:github|gitlab|circleci|buildkite|woodpecker|junie|trae|continue|clinerules|augment)(?:[\\/]|$)/i;

/** The effects of writing there. Writing a file inside the workspace that is nothing but content has none of this kind. */
export function effectsOnPlace({ access, status, asked, real }: ResolvedPath): readonly EffectName[] {
  if (access !== "write") return [];
  const name = basename(real);
  if (INSTRUCTIONS.test(name)) return ["remembers"];
  if (status === "temporary") return [];
  if (status !== "inside") return ["writes"];
  return asked !== null || [SCRIPTS, HIDDEN].some((names) => names.test(name)) || DIRECTORIES.test(real)
    ? ["runs"]
    : [];
}
