import { stat } from "node:fs/promises";
import { ToolError } from "../../../contracts/errors.js";
import {
  checkOptions,
  eitherOf,
  listOf,
  type OptionTable,
  oneOf,
  optionError,
  PATH,
  TEXT,
} from "../../../json/check-options.js";
import { type Fields, fieldsOf } from "../../../json/is-object.js";
import type { Machine } from "../machine.js";
import { assertName } from "../machine-name.js";
import { notStarted, startClient } from "../program-process.js";
import { breachIn, type Mount, mountsOf } from "./docker-walls.js";
import { lookAtMount, lookAtMounts } from "./mounted-files.js";

/** Options of `dockerMachine()`: a container to join, or an image to start one from. */
export interface DockerMachineOptions {
  /** The id or name of a container that runs. It is left as it is. */
  readonly container?: string | undefined;
  /** The image of a container that is started for the workspace, without a network or capabilities, and removed by `close`. */
  readonly image?: string | undefined;
  /** The network of a container that is started: none, or the one of the engine. Default: `"none"`. */
  readonly network?: "none" | "bridge" | undefined;
  /**
   * A directory of this machine, or several, that a container that is started has at the same path, with `.git` and each file that is
   * run or trusted here read-only. Programs then run as the user of this process, unless `user` says otherwise.
   */
  readonly mount?: string | readonly string[] | undefined;
  /** The memory of a container that is started, as of `docker run`. Default: `"4g"`. */
  readonly memory?: string | undefined;
  /** Further arguments of `docker run`, for a container that is started, such as `["--tmpfs", "/run"]`. */
  readonly run?: readonly string[] | undefined;
  /** The user programs run as: a name or id. Default: the container's. */
  readonly user?: string | undefined;
  /** The program. Default: `"docker"`. `podman` and `nerdctl` take the same arguments. */
  readonly docker?: string | undefined;
  /** The address of the engine, as `unix:///run/docker.sock`. Default: the program's own. */
  readonly host?: string | undefined;
}

const OPTIONS = {
  container: TEXT,
  image: TEXT,
  network: oneOf("none", "bridge"),
  mount: eitherOf(PATH, listOf(PATH, "paths")),
  memory: TEXT,
  run: listOf(TEXT, "strings"),
  user: TEXT,
  docker: TEXT,
  host: TEXT,
} satisfies OptionTable<DockerMachineOptions>;

const ADVICE = 'Install Docker, or name another program by the option "docker", such as "podman".';
/** For the engine to answer a question about a container. */
const TIMEOUT_MS = 30_000;
/** Ends by itself when the engine's own reaper does; no image needs to have it. */
const HELD_OPEN = ["sh", "-c", "trap exit TERM; while :; do sleep 3600 & wait $!; done"];

/**
 * A container as a machine, by the program `docker`. One that is started has no network, no capabilities and no new privileges, and is
 * removed when the workspace closes.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a name that begins with "-" or holds white space or a control character
 * @example
 * const workspace = await createMachineWorkspace({ machine: dockerMachine({ image: "node:24" }), root: "/work", makeRoot: true });
 */
export function dockerMachine(options: DockerMachineOptions): Machine {
  const {
    container,
    image,
    mount,
    memory = "4g",
    user = mount === undefined ? undefined : ownIds(),
    docker = "docker",
    host,
    network = "none",
    run = [],
  } = checkOptions("dockerMachine()", options, OPTIONS);
  for (const [name, value] of Object.entries({ container, image, user, memory, host }))
    assertName("dockerMachine()", name, value);
  if ((container === undefined) === (image === undefined)) {
    throw optionError("dockerMachine()", "container", container, "a container, or an image and no container");
  }
  const engine = host === undefined ? [] : ["--host", host];
  const asUser = user === undefined ? [] : ["--user", user];
  const limits = [
    "--network",
    network,
    "--cap-drop",
    "ALL",
    "--security-opt",
    "no-new-privileges",
    "--pids-limit",
    "4096",
    "--memory",
    memory,
  ];
  let starting: Promise<string> | undefined;
  let here: Promise<void> | undefined;

  async function startContainer(): Promise<string> {
    const mounts = (await Promise.all([mount ?? []].flat().map(mountsFor))).flat();
    const args = [...engine, "run", "-d", "--rm", "--init", ...limits, ...mounts, ...run, "--", image!, ...HELD_OPEN];
    return (await finish(docker, args)).trim();
  }

  function running(): Promise<string> {
    starting ??= container === undefined ? startContainer() : Promise.resolve(container);
    return starting;
  }

  /** By its id from then on, since a name may be given to another container. */
  async function inspect(): Promise<Fields> {
    const said = await finish(docker, [...engine, "inspect", "--type", "container", "--", await running()]);
    const [inspected]: readonly Fields[] = JSON.parse(said);
    starting = Promise.resolve(String(inspected!.Id));
    return inspected!;
  }

  /** The files here are those of the mounts: an engine elsewhere has others at the same paths. */
  async function assertHere(mounts: readonly Mount[]): Promise<void> {
    for (const { source, at } of mounts) {
      const { dev, ino } = await stat(source, { bigint: true });
      const said = await finish(docker, [...engine, "exec", "--", await starting!, "stat", "-c", "%d:%i", at]);
      if (said.trim() !== `${dev}:${ino}`) throw new Error(`"${at}" there is not "${source}" of this machine`);
    }
  }

  return {
    name: `docker:${container ?? image}`,
    async id() {
      return `docker:${(await inspect()).Id}`;
    },
    async start(argv) {
      const args = [...engine, "exec", "-i", ...asUser, "--", await running(), ...argv];
      return startClient(docker, args, process.env, ADVICE);
    },
    async walls(network) {
      const inspected = await inspect();
      const isDisposable = container === undefined;
      const breach = breachIn(inspected, network);
      if (breach !== null) return { breach, writable: [], trusted: [], isDisposable };
      const mounts = mountsOf(inspected);
      here ??= assertHere(mounts);
      await here;
      const writable = mounts.flatMap((mount) => (mount.writable ? mount.at : []));
      return { ...(await lookAtMounts(mounts, Number(fieldsOf(inspected.State).Pid))), writable, isDisposable };
    },
    async close() {
      const started = container === undefined ? await starting?.catch(() => undefined) : undefined;
      if (started !== undefined) await finish(docker, [...engine, "rm", "-f", "--", started]).catch(() => {});
    },
  };
}

function ownIds(): string {
  return `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
}

/** A directory at its own path, and over it what others run or trust, read-only. @throws ConfigurationError */
async function mountsFor(directory: string): Promise<readonly string[]> {
  const { breach, trusted } = await lookAtMount(directory);
  const odd = [directory, ...trusted].find((path) => !path.startsWith("/") || /[,"\n\r]/.test(path));
  if (breach ?? odd) {
    const why = breach ?? `"${odd}" cannot be written in a list.`;
    throw optionError("dockerMachine()", "mount", directory, `an absolute path with nothing but files: ${why}`);
  }
  const bind = (path: string, more = "") => ["--mount", `type=bind,source=${path},target=${path}${more}`];
  return [...bind(directory), ...trusted.flatMap((path) => bind(path, ",readonly"))];
}

/** Runs the program to its end. @throws ToolError `TOOL_FAILED` with what it said */
async function finish(docker: string, args: readonly string[]): Promise<string> {
  const { execFile } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve, reject) => {
    execFile(
      docker,
      [...args],
      { timeout: args.includes("run") ? 0 : TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (!error) return resolve(stdout);
        if (error.code === "ENOENT") return reject(notStarted(docker, error, ADVICE));
        const message = `"${docker} ${args.find((each) => /^(run|rm|inspect|exec)$/.test(each))}" failed: ${stderr.trim() || error.message}`;
        reject(new ToolError("TOOL_FAILED", { message, cause: error }));
      },
    );
  });
}
