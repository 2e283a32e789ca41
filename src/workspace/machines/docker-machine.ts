import { ToolError } from "../../contracts/errors.js";
import { checkOptions, listOf, type OptionTable, oneOf, optionError, TEXT } from "../../json/check-options.js";
import type { Machine } from "./machine.js";
import { assertName } from "./machine-name.js";
import { startClient } from "./program-process.js";

/** Options of `dockerMachine()`: a container to join, or an image to start one from. */
export interface DockerMachineOptions {
  /** The id or name of a container that runs. It is left as it is. */
  readonly container?: string | undefined;
  /** The image of a container that is started for the workspace, without a network or capabilities, and removed by `close`. */
  readonly image?: string | undefined;
  /** The network of a container that is started: none, or the one of the engine. Default: `"none"`. */
  readonly network?: "none" | "bridge" | undefined;
  /** Further arguments of `docker run`, for a container that is started, such as `["--memory", "2g"]`. */
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
  run: listOf(TEXT, "strings"),
  user: TEXT,
  docker: TEXT,
  host: TEXT,
} satisfies OptionTable<DockerMachineOptions>;

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
    user,
    docker = "docker",
    host,
    network = "none",
    run = [],
  } = checkOptions("dockerMachine()", options, OPTIONS);
  for (const [name, value] of Object.entries({ container, image, user, host }))
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
  ];
  let starting: Promise<string> | undefined;

  async function startContainer(): Promise<string> {
    const args = [...engine, "run", "-d", "--rm", "--init", ...limits, ...run, "--", image!, ...HELD_OPEN];
    return (await finish(docker, args)).trim();
  }

  function running(): Promise<string> {
    starting ??= container === undefined ? startContainer() : Promise.resolve(container);
    return starting;
  }

  return {
    name: `docker:${container ?? image}`,
    // A name may be given to another container later.
    async id() {
      const found = await finish(docker, [...engine, "inspect", "--format", "{{.Id}}", "--", await running()]);
      return `docker:${found.trim()}`;
    },
    async start(argv) {
      return startClient(docker, [...engine, "exec", "-i", ...asUser, "--", await running(), ...argv], process.env);
    },
    async close() {
      const started = container === undefined ? await starting?.catch(() => undefined) : undefined;
      if (started !== undefined) await finish(docker, [...engine, "rm", "-f", "--", started]).catch(() => {});
    },
  };
}

/** Runs the program to its end. @throws ToolError `TOOL_FAILED` with what it said */
async function finish(docker: string, args: readonly string[]): Promise<string> {
  const { execFile } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve, reject) => {
    execFile(docker, [...args], (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const message = `"${docker} ${args.find((each) => /^(run|rm|inspect)$/.test(each))}" failed: ${stderr.trim() || error.message}`;
      reject(new ToolError("TOOL_FAILED", { message, cause: error }));
    });
  });
}
