import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { workspaceContract } from "loopwright/testing";
import {
  createMachineWorkspace,
  createWorkspaceOver,
  dockerMachine,
  type Machine,
  sessionFiles,
  sessionMachine,
  sessionShell,
  sshMachine,
} from "loopwright/workspace";
import { afterAll, describe, expect, inject, test } from "vitest";
import { machineShells, openMachine, sharedDirectory } from "../workspace/machines/open-machine.js";
import { swapAttacks } from "../workspace/machines/swap-attacks.js";
import { shellSuite } from "../workspace/shell/shell-suite.js";
import { dockerSession } from "./docker-session.js";

const { host, ssh } = inject("machines");
const DOCKER = { docker: "/usr/bin/docker", host };
const docker = (...args: string[]) =>
  execFileSync(DOCKER.docker, ["--host", host, ...args], { encoding: "utf8" }).trim();
/** What the containers have at the same path. */
const SHARED = join(ssh.directory, "shared");
await mkdir(SHARED, { recursive: true });

function startContainer(image: string): string {
  const limits = ["--network", "none", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];
  return docker("run", "-d", "--rm", "--init", ...limits, "-v", `${SHARED}:${SHARED}`, `${image}:1`, "sleep", "99999");
}

const containers = { busybox: startContainer("busybox"), debian: startContainer("debian") };
afterAll(() => void docker("rm", "-f", ...Object.values(containers)));

const overSsh = () =>
  sshMachine({
    host: "127.0.0.1",
    user: ssh.user,
    port: ssh.port,
    options: [
      `IdentityFile=${ssh.directory}/key`,
      `UserKnownHostsFile=${ssh.directory}/known-hosts`,
      "IdentitiesOnly=yes",
    ],
  });
const machines: Record<string, () => Machine> = {
  "Docker with busybox": () => dockerMachine({ container: containers.busybox, ...DOCKER }),
  "Docker with Debian": () => dockerMachine({ container: containers.debian, ...DOCKER }),
  SSH: overSsh,
};

describe.each(Object.entries(machines))("files over %s", (_name, open) => {
  const create = async () => openMachine(open(), { root: await sharedDirectory(SHARED) });
  for (const { name, run } of workspaceContract(create)) test(name, run);

  swapAttacks(open, SHARED);
});

const session = () => dockerSession([DOCKER.docker, "--host", host], containers.debian);
const overSession = () => sessionMachine(session());
const sessionPlaces = {
  "a session as a machine": async (root: string) => openMachine(overSession(), { root }),
  "a session by its files": async (root: string) =>
    createWorkspaceOver({ root, files: sessionFiles(session()), shell: sessionShell(session()) }),
};

describe.each(Object.entries(sessionPlaces))("files of %s", (_name, open) => {
  for (const { name, run } of workspaceContract(async () => open(await sharedDirectory(SHARED)))) test(name, run);
});

describe("commands of a session", () => shellSuite(machineShells(overSession, SHARED)));

test("a command of a session by its run says where it ended, also by exit, and ends at its timeout", async () => {
  const root = await sharedDirectory(SHARED);
  const workspace = await sessionPlaces["a session by its files"](root);
  let output = "";
  const run = (command: string, rest = {}) =>
    workspace.shell.run({ command, onOutput: (chunk) => (output += Buffer.from(chunk)), ...rest });

  expect(await run("mkdir d; cd d; echo $#; exit 3")).toMatchObject({
    exitCode: 3,
    cwd: `${root}/d`,
    previousCwd: root,
  });
  expect(await run("echo 'no end")).toMatchObject({ exitCode: 2 });
  expect(await run("echo late; sleep 60", { timeoutMs: 200 })).toMatchObject({ timedOut: true, cwd: null });
  expect(output).toMatch(/^0\n.*nterminated/s);
});

test("a session whose machine lacks something is refused by name, and so is one that starts nothing", async () => {
  const root = join(ssh.directory, "busybox");
  const inRoot = ["sh", "-c", `while [ "$1" != ${root} ]; do shift; done; exec chroot "$@"`, "sh"];
  const machine = sessionMachine(dockerSession(inRoot, root));

  await expect(createMachineWorkspace({ machine, root: "/tmp" })).rejects.toMatchObject({
    code: "OPTION_INVALID",
    details: { missing: ["/proc"] },
  });
  expect(() => sessionMachine({})).toThrow(/it has no "spawn"\. Use sessionFiles/);
});

describe("commands over Docker with Debian", () => shellSuite(machineShells(machines["Docker with Debian"]!, SHARED)));
describe("commands over SSH", () => shellSuite(machineShells(overSsh, SHARED)));

test("commands without bash keep output, codes and ends", async () => {
  const workspace = await openMachine(machines["Docker with busybox"]!(), { root: await sharedDirectory(SHARED) });
  const output: Buffer[] = [];
  const run = (command: string, rest = {}) =>
    workspace.shell.run({ command, onOutput: (chunk) => output.push(Buffer.from(chunk)), ...rest });

  expect(await run("mkdir a; cd a; echo out; echo err >&2; exit 3")).toMatchObject({
    exitCode: 3,
    cwd: `${workspace.root}/a`,
  });
  expect(Buffer.concat(output).toString()).toBe("out\nerr\n");
  expect(await run("trap '' TERM; setsid sleep 61 & sleep 61; sleep 61", { timeoutMs: 100 })).toMatchObject({
    timedOut: true,
    signal: "SIGKILL",
  });
  expect(await run("kill -9 $$")).toMatchObject({ signal: "SIGKILL", cwd: null });
  await expect.poll(() => docker("exec", containers.busybox, "ps")).not.toContain("sleep 61");
});

test("a container that is removed in the middle ends what runs with an error, at once", async () => {
  const container = startContainer("busybox");
  const workspace = await openMachine(dockerMachine({ container, ...DOCKER }), { root: "/tmp" });
  const running = workspace.shell.run({ command: "sleep 60" }).catch((error) => error.code);
  await workspace.files.list(".");

  docker("rm", "-f", container);
  const removedAt = performance.now();

  expect(await running).toBe("COMMAND_FAILED");
  await expect(workspace.files.read("a")).rejects.toMatchObject({ code: "TOOL_FAILED" });
  // A second is the promise; a busy machine gets more.
  expect(performance.now() - removedAt).toBeLessThan(10_000);
});

test("a container that was started has no network, and is gone after close", async () => {
  const machine = dockerMachine({ image: "busybox:1", ...DOCKER });
  const workspace = await createMachineWorkspace({ machine, root: "/work", makeRoot: true });
  const output: Buffer[] = [];
  await workspace.shell.run({
    command: "ls /sys/class/net; hostname",
    onOutput: (chunk) => output.push(Buffer.from(chunk)),
  });
  const [network, id] = Buffer.concat(output).toString().trim().split("\n");

  expect(network).toBe("lo");
  expect(docker("ps", "-q")).toContain(id);
  await workspace.close();
  expect(docker("ps", "-aq")).not.toContain(id);
});

test("more commands at a time than one SSH connection has sessions for", async () => {
  const workspace = await openMachine(overSsh(), { root: await sharedDirectory(SHARED) });
  const word = randomBytes(4).toString("hex");

  const all = Array.from({ length: 15 }, (_, index) =>
    workspace.shell.run({ command: `sleep 1; echo ${word}; exit ${index}` }),
  );

  expect((await Promise.all(all)).map(({ exitCode }) => exitCode)).toEqual(all.map((_, index) => index));
});

test("a host whose key is not known is refused, with the reason", async () => {
  const machine = sshMachine({
    host: "127.0.0.1",
    user: ssh.user,
    port: ssh.port,
    options: ["UserKnownHostsFile=/dev/null"],
  });

  await expect(createMachineWorkspace({ machine, root: "/tmp" })).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: expect.stringContaining("Host key verification failed"),
  });
});
