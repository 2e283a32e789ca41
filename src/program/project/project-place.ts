// The place of a command line's project, and of its tools: on this machine, on this machine's files in a container, or on
// another host.
import { resolve } from "node:path";
import type { Workspace } from "../../contracts/workspace.js";
import type { MachineWorkspaceOptions } from "../../workspace/machines/create-machine-workspace.js";
import type { CommandLine } from "../command-line.js";
import { UsageError } from "../exit-codes.js";
import type { ProgramIo } from "../program-io.js";
import { type ProjectState, projectStateOf, stateFor } from "./project-state.js";

/** The program's options for the workspace: its stores, and the paths of its own. */
export type PlaceOptions = Pick<MachineWorkspaceOptions, "artifacts" | "journal" | "protectedPaths">;

export interface ProjectPlace {
  readonly state: ProjectState;
  /** Directories beside the project that the agent may read and change, as the place has them. */
  readonly addDirectories: readonly string[];
  /** Opens the workspace where the tools run. Without it, they run on this machine. */
  readonly open?: (options: PlaceOptions) => Promise<Workspace>;
}

type PlaceLine = Pick<CommandLine, "directory" | "docker" | "dockerNetwork" | "ssh" | "addDirectories">;

/** @throws UsageError when there is no such directory, and for a host that cannot be read */
export function projectPlaceOf(line: PlaceLine, { cwd, env }: Pick<ProgramIo, "cwd" | "env">): ProjectPlace {
  if (line.ssh !== undefined) return onHost(line.ssh, line.addDirectories, env);
  const state = projectStateOf(resolve(cwd, line.directory ?? "."), env);
  const addDirectories = line.addDirectories.map((directory) => resolve(cwd, directory));
  if (line.docker === undefined) return { state, addDirectories };
  return inContainer(line.docker, line.dockerNetwork, state, addDirectories);
}

function inContainer(
  image: string,
  hasNetwork: boolean,
  state: ProjectState,
  addDirectories: readonly string[],
): ProjectPlace {
  if (!process.getuid)
    throw new UsageError("--docker needs the ids of a user, which Windows does not have. Run it in WSL.");
  return {
    state,
    addDirectories,
    async open(options) {
      const { dockerMachine } = await import("../../workspace/machines/docker/docker-machine.js");
      const network = hasNetwork ? "bridge" : "none";
      const machine = dockerMachine({ image, network, mount: [state.root, ...addDirectories] });
      // The user need not have an account there, nor a directory.
      return openOn({ machine, root: state.root, writeRoots: addDirectories, env: { HOME: "/tmp" }, ...options });
    },
  };
}

async function openOn(options: MachineWorkspaceOptions): Promise<Workspace> {
  const { createMachineWorkspace } = await import("../../workspace/machines/create-machine-workspace.js");
  return createMachineWorkspace(options);
}

/** `user@host:/dir`, or `ssh://user@host:port/dir`. */
const SSH_PLACE = /^(?:ssh:\/\/(?:([^@/]+)@)?([^@:/]+)(?::(\d+))?(\/.*)|(?:([^@:/]+)@)?([^@:/]+):(\/.*))$/;

function onHost(text: string, addDirectories: readonly string[], env: ProgramIo["env"]): ProjectPlace {
  const found = SSH_PLACE.exec(text);
  if (!found) {
    throw new UsageError(
      `--ssh is "${text}". It takes a host and a directory there, as in user@host:/srv/app or ssh://user@host:2222/srv/app.`,
    );
  }
  const [, urlUser, urlHost, port, urlRoot, user = urlUser, host = urlHost!, root = urlRoot!] = found;
  const relative = addDirectories.find((directory) => !directory.startsWith("/"));
  if (relative !== undefined) throw new UsageError(`--add-dir is "${relative}". With --ssh it takes an absolute path.`);
  const place = `ssh:${user === undefined ? "" : `${user}@`}${host}${port === undefined ? "" : `:${port}`}:${root}`;
  return {
    state: stateFor(root, place, env),
    addDirectories,
    async open(options) {
      const { sshMachine } = await import("../../workspace/machines/ssh-machine.js");
      const machine = sshMachine({ host, user, port: port === undefined ? undefined : Number(port) });
      return openOn({ machine, root, writeRoots: addDirectories, ...options });
    },
  };
}
