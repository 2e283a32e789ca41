import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import { ConfigurationError, ToolError } from "../../contracts/errors.js";
import type { ArtifactStore, Workspace } from "../../contracts/workspace.js";
import type { WorkspaceCommand } from "../../contracts/workspace-machine.js";
import {
  byDefault,
  checkOptions,
  FLAG,
  numberFrom,
  type OptionTable,
  optionOf,
  PATH,
  recordOf,
  required,
  secret,
  TEXT,
  tableOf,
} from "../../json/check-options.js";
import { quoteName } from "../../text/quote-name.js";
import { temporaryArtifacts } from "../artifacts.js";
import { createWorkspaceOver, RULE_OPTIONS, type WorkspaceOverOptions } from "../over/create-workspace-over.js";
import { withKeptArtifacts } from "./artifact-files.js";
import { CLAIM, type ContainmentClaim, HeldClaim } from "./containment.js";
import { FILE_FUNCTIONS, PROBE } from "./helper-script.js";
import { LanePool } from "./lane-pool.js";
import type { Machine } from "./machine.js";
import { machineFiles } from "./machine-files.js";
import { startOnMachine } from "./machine-program.js";
import { MachineShell } from "./machine-shell.js";

/** For a machine to say what it has, as it is opened. */
const PROBE_TIMEOUT_MS = 60_000;

/** Options of `createMachineWorkspace()`. All paths are those of the machine. */
export interface MachineWorkspaceOptions
  extends Pick<
    WorkspaceOverOptions,
    "readRoots" | "writeRoots" | "outside" | "protectedPaths" | "artifacts" | "journal"
  > {
  /** The machine, which the workspace closes with itself: `dockerMachine(…)`, `sshMachine(…)`. */
  readonly machine: Machine;
  /** The directory tools work in. Absolute. Has to exist, unless `makeRoot`. */
  readonly root: string;
  /** Makes the root when it is missing. Default: `false`. */
  readonly makeRoot?: boolean | undefined;
  /** Shells for file operations at a time, so that a slow one does not hold up the others. Default: 2. */
  readonly lanes?: number | undefined;
  /** Shells that are kept started for the next command; 0 where a process costs money. Default: the machine's, 1 or 0. */
  readonly spares?: number | undefined;
  /** Variables commands get beside the machine's own. They travel by standard input. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The claim of what the machine keeps in, for a permission checker to ask less. Default: no claim, and everything asks as on this machine. */
  readonly contained?: ContainmentClaim | undefined;
}

const OPTIONS = {
  ...RULE_OPTIONS,
  machine: required(
    optionOf(
      (value) => typeof Object(value).start === "function" && typeof Object(value).name === "string",
      "a machine",
    ),
  ),
  root: required(PATH),
  makeRoot: byDefault(false, FLAG),
  lanes: byDefault(2, numberFrom(1, "shells", 64)),
  spares: numberFrom(0, "shells", 64),
  env: byDefault({}, secret(recordOf(TEXT, "strings by name"))),
  contained: tableOf(CLAIM),
} satisfies OptionTable<MachineWorkspaceOptions>;

/**
 * Opens a directory of another machine for tools. It needs a Linux there with a POSIX shell, and leaves nothing behind: what a command
 * has started is ended after it, also when this process is killed. Artifacts stay on this machine.
 *
 * A file operation takes one round trip, and a second where a link, `..` or a missing file is met.
 *
 * @throws ConfigurationError `OPTION_INVALID` when the machine lacks something, which is named, a directory is missing, or what
 *   `contained` claims does not hold
 * @throws ToolError `TOOL_FAILED` when the machine cannot be reached
 */
export async function createMachineWorkspace(options: MachineWorkspaceOptions): Promise<Workspace> {
  const settings = checkOptions("createMachineWorkspace()", options, OPTIONS);
  const {
    machine,
    root,
    makeRoot,
    lanes: most,
    spares = machine.spares ?? 1,
    env,
    artifacts,
    contained,
    ...rest
  } = settings;
  const claim = contained && new HeldClaim(machine, contained);
  const lanes = new LanePool(machine, most, FILE_FUNCTIONS);
  const own = artifacts ? undefined : await temporaryArtifacts();
  const kept = artifacts ?? own!;
  let shell: MachineShell | undefined;
  const onClose = async () => {
    shell?.close();
    lanes.close(new ToolError("TOOL_FAILED", { message: `The workspace on ${quoteName(machine.name)} was closed.` }));
    await machine.close?.();
    await own?.close();
  };
  try {
    await claim?.open();
    const { homes, programs, ...found } = await probe(machine, lanes);
    await claim?.tryFromInside(lanes);
    shell = new MachineShell({ machine, root, env, spares, ...found });
    const files = machineFiles(lanes, programs);
    if (makeRoot) await files.makeDirectory(root).catch(() => {});
    const about = {
      ...rest,
      root,
      files,
      shell,
      homes,
      name: machine.name,
      id: `${(await machine.id?.()) ?? machine.name}:${root}`,
      platform: "linux",
      artifacts: kept,
      onClose,
    };
    const opened = await createWorkspaceOver(about);
    const realOf = async (path: string) => (await files.walk(path)).path;
    const own = [opened.root, ...(rest.writeRoots ?? []).map((path) => posix.resolve(opened.root, path))];
    const inDirectory = (dir: string) => createMachineWorkspace(elsewhere(settings, dir, kept));
    const claimed = claim ? { contained: await claim.member(own, realOf) } : {};
    const startProgram = ({ cwd = opened.root, ...program }: WorkspaceCommand) =>
      startOnMachine(machine, { shell: opened.shell, hasGrep: found.hasGrep }, { ...program, cwd });
    // The same object: its `forCall` knows itself by identity.
    const workspace = Object.assign(opened, { inDirectory, startProgram, ...claimed });
    return kept.directory === undefined ? workspace : withKeptArtifacts(workspace, kept.directory);
  } catch (error) {
    await onClose();
    throw error;
  }
}

/** The options for another directory there. Roots, journal and claim are those of the first. */
function elsewhere(
  { machine, env, lanes, spares, outside, protectedPaths }: MachineWorkspaceOptions,
  root: string,
  artifacts: ArtifactStore,
): MachineWorkspaceOptions {
  const { name, walls: _, close: __, ...rest } = machine;
  const shared: Machine = {
    ...rest,
    name,
    start: (argv) => machine.start(argv),
    ...(machine.id && { id: () => machine.id!() }),
  };
  return { machine: shared, root, env, lanes, spares, outside, protectedPaths, artifacts };
}

/** @throws ConfigurationError that names all that the machine lacks */
async function probe(machine: Machine, lanes: LanePool) {
  const script = `set -- ${randomBytes(8).toString("hex")}\n${PROBE}`;
  const { bytes } = await lanes.ask({ script, maxBytes: 64 * 1024, timeoutMs: PROBE_TIMEOUT_MS });
  const lines = new TextDecoder().decode(bytes).split("\n");
  const said = (word: string) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  const missing = said("missing");
  if (missing.length > 0) {
    throw new ConfigurationError("OPTION_INVALID", {
      message: `The machine ${quoteName(machine.name)} cannot be a workspace. It lacks: ${missing.join(", ")}. Install what is missing there.`,
      details: { machine: machine.name, missing },
    });
  }
  return {
    homes: [...new Set(said("home"))].filter((home) => home.startsWith("/") && home !== "/"),
    temporary: said("temporary")[0] ?? "/tmp",
    hasBash: said("shell").includes("bash"),
    hasGrep: said("grep").includes("binary"),
    programs: { tree: said("tree")[0], tar: said("tar")[0], hasRipgrep: said("search").includes("rg") },
  };
}
