// What a container keeps in, as a real engine says: a false claim is refused as the workspace opens, and one that was true is lost
// when it is no longer.
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Target, TracedTarget } from "loopwright";
import { createPermissionChecker } from "loopwright/permissions";
import { builtinTools } from "loopwright/tools";
import {
  type ContainmentClaim,
  createMachineWorkspace,
  type DockerMachineOptions,
  dockerMachine,
  sshMachine,
  type Workspace,
} from "loopwright/workspace";
import { afterAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { repository } from "../flow/repository.js";
import { sharedDirectory } from "../workspace/machines/open-machine.js";

const { host, ssh } = inject("machines");
const DOCKER = { docker: "/usr/bin/docker", host };
const docker = (...args: string[]) =>
  execFileSync(DOCKER.docker, ["--host", host, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trim();
const SHARED = join(ssh.directory, "contained");
await mkdir(SHARED, { recursive: true });

const LIMITS = ["--network", "none", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];
const started: string[] = [];
afterAll(() => void (started.length > 0 && docker("rm", "-f", ...started)));

function run(...args: string[]): string {
  const id = docker("run", "-d", "--rm", "--init", ...args, "busybox:1", "sleep", "99999");
  started.push(id);
  return id;
}

/** One that does not run: it is refused before that matters, and not every machine for tests can run it. */
function create(...args: string[]): string {
  const id = docker("create", "--init", ...args, "busybox:1", "sleep", "99999");
  started.push(id);
  return id;
}

async function open(
  machine: Partial<DockerMachineOptions>,
  contained: ContainmentClaim,
  more = {},
): Promise<Workspace> {
  const workspace = await createMachineWorkspace({
    machine: dockerMachine({ ...DOCKER, ...machine }),
    root: "/work",
    makeRoot: true,
    contained,
    ...more,
  });
  onTestFinished(() => workspace.close());
  return workspace;
}

/** The decision about a call of the workspace's own tool. */
async function decide(workspace: Workspace, command: string) {
  const [tool] = builtinTools(workspace, { names: ["bash"] });
  return createPermissionChecker({ workspace }).decide({ tool: tool!, input: { command } });
}

const NONE = { network: "none" } as const;

test("a container that is started for the workspace runs anything unasked, and the reason says why", async () => {
  const workspace = await open({ image: "busybox:1" }, NONE);

  expect(await decide(workspace, "node x.js; rm -rf src; cat /etc/passwd")).toEqual({
    behavior: "allow",
    reason: 'Contained, as the engine says: "docker:busybox:1" has no network, and nothing there is kept.',
    provisional: true,
  });
  expect((await decide(workspace, "rm -rf /")).behavior).toBe("deny");
  expect(await workspace.contained!()).toMatchObject({ by: "engine", network: "none", kept: [] });
});

test("without the option nothing is claimed", async () => {
  const workspace = await createMachineWorkspace({
    machine: dockerMachine({ image: "busybox:1", ...DOCKER }),
    root: "/work",
    makeRoot: true,
  });
  onTestFinished(() => workspace.close());

  expect(workspace.contained).toBeUndefined();
  expect((await decide(workspace, "node x.js")).behavior).toBe("ask");
});

describe("a container that is joined", () => {
  test("is taken at its claim when every field is known to be harmless", async () => {
    const container = run(
      ...LIMITS,
      "--memory",
      "1g",
      "--tmpfs",
      "/run",
      "--pids-limit",
      "100",
      "--read-only",
      "--tmpfs",
      "/tmp",
      "--tmpfs",
      "/work",
    );
    const workspace = await open({ container }, { ...NONE, kept: [] });
    expect((await decide(workspace, "node x.js")).behavior).toBe("allow");
  });

  test.each<[string, string[], string]>([
    ["privileged", [...LIMITS, "--privileged"], "HostConfig.Privileged is true"],
    ["with a capability", [...LIMITS, "--cap-add", "SYS_PTRACE"], "HostConfig.CapAdd"],
    ["with the usual capabilities", ["--network", "none", "--security-opt", "no-new-privileges"], "HostConfig.CapDrop"],
    ["that may gain privileges", ["--network", "none", "--cap-drop", "ALL"], "HostConfig.SecurityOpt"],
    ["without a filter of system calls", [...LIMITS, "--security-opt", "seccomp=unconfined"], "HostConfig.SecurityOpt"],
    ["with all of /proc", [...LIMITS, "--security-opt", "systempaths=unconfined"], "HostConfig.MaskedPaths"],
    ["among the host's processes", [...LIMITS, "--pid", "host"], "HostConfig.PidMode"],
    ["in the host's shared memory", [...LIMITS, "--ipc", "host"], "HostConfig.IpcMode"],
    [
      "with the host's name",
      ["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--network", "none", "--uts", "host"],
      "HostConfig.UTSMode",
    ],
    ["with a device", [...LIMITS, "--device", "/dev/null:/dev/kmsg"], "HostConfig.Devices"],
    [
      "with a log elsewhere",
      [...LIMITS, "--log-driver", "syslog", "--log-opt", "syslog-address=udp://127.0.0.1:1"],
      "HostConfig.LogConfig",
    ],
    ["in a group of the host's", [...LIMITS, "--group-add", "0"], "HostConfig.GroupAdd"],
    ["in the host's network", ["--network", "host", ...LIMITS.slice(2)], "HostConfig.NetworkMode"],
  ])("is refused %s, by the field's name", async (_name, args, field) => {
    await expect(open({ container: create(...args) }, { ...NONE, kept: [] })).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringContaining(field),
    });
  });

  test("is refused with a network, whatever is claimed of the host's", async () => {
    docker("network", "create", "bridged");
    onTestFinished(() => void docker("network", "rm", "bridged"));
    const container = run("--network", "bridged", ...LIMITS.slice(2));
    onTestFinished(() => void docker("rm", "-f", container));
    await expect(open({ container }, { ...NONE, kept: [] })).rejects.toThrow("HostConfig.NetworkMode");

    const workspace = await open({ container }, { network: "any", kept: [] });
    expect((await decide(workspace, "touch x && cp x y")).behavior).toBe("allow");
    expect((await decide(workspace, "node x.js")).behavior).toBe("ask");

    const inHosts = create("--network", "host", ...LIMITS.slice(2));
    await expect(open({ container: inHosts }, { network: "any" })).rejects.toThrow("HostConfig.NetworkMode");
    const shared = run("--network", `container:${container}`, ...LIMITS.slice(2));
    await expect(open({ container: shared }, { network: "any" })).rejects.toThrow("HostConfig.NetworkMode");
  });

  test("is refused with a field nobody knows", async () => {
    const program = join(await sharedDirectory(SHARED), "docker");
    const script = `#!/bin/sh\n/usr/bin/docker "$@" | sed 's/"HostConfig": {/&"Teleport": "",/'\n`;
    await writeFile(program, script);
    await chmod(program, 0o755);
    await expect(open({ container: run(...LIMITS), docker: program }, NONE)).rejects.toThrow(
      "HostConfig.Teleport is not known",
    );
  });

  test("is refused with a mount that is not named, that is a socket, or that holds one", async () => {
    const directory = await sharedDirectory(SHARED);
    const at = (source: string) => run(...LIMITS, "-v", `${source}:/data`);
    await expect(open({ container: at(directory) }, { ...NONE, kept: [] })).rejects.toThrow('"/data" can be written');
    expect((await open({ container: at(directory) }, NONE)).contained).toBeDefined();

    const socket = host.slice("unix://".length);
    await expect(open({ container: at(socket) }, NONE)).rejects.toThrow("is no file and no directory");
    await expect(open({ container: run(...LIMITS, "-v", `${dirname(socket)}:/data:ro`) }, NONE)).rejects.toThrow(
      "Mounts[0].Propagation",
    );
    const server = createServer().listen(join(directory, "x.sock"));
    onTestFinished(() => void server.close());
    const readOnly = run(...LIMITS, "-v", `${directory}:/data:ro`);
    await expect(open({ container: readOnly }, NONE)).rejects.toThrow('"x.sock", which is a socket');
    const container = create(
      ...LIMITS,
      "--mount",
      `type=bind,source=${directory},target=/data,bind-propagation=rslave`,
    );
    await expect(open({ container }, NONE)).rejects.toThrow("HostConfig.Mounts");
  });

  test("loses its claim within five seconds of a network", async () => {
    docker("network", "create", "late");
    onTestFinished(() => void docker("network", "rm", "late"));
    const container = run(...LIMITS);
    const workspace = await open({ container }, { ...NONE, kept: [] });
    expect((await decide(workspace, "node x.js")).behavior).toBe("allow");

    docker("network", "disconnect", "none", container);
    docker("network", "connect", "late", container);
    onTestFinished(() => void docker("rm", "-f", container));
    const connectedAt = performance.now();

    await expect.poll(async () => (await decide(workspace, "node x.js")).behavior).toBe("ask");
    expect(performance.now() - connectedAt).toBeLessThan(60_000);
    expect((await decide(workspace, "node x.js")).reason).toContain("NetworkSettings.Networks");
  });

  test("loses it with a socket in a mount, and is refused when it is gone or another has its name", async () => {
    const directory = await sharedDirectory(SHARED);
    const name = `held-${process.pid}`;
    run(...LIMITS, "--name", name, "-v", `${directory}:/data:ro`);
    const workspace = await open({ container: name }, { ...NONE, kept: [] });
    expect((await decide(workspace, "node x.js")).behavior).toBe("allow");

    const server = createServer().listen(join(directory, "late.sock"));
    await expect.poll(async () => (await decide(workspace, "node x.js")).reason).toContain("late.sock");
    await new Promise((resolve) => server.close(resolve));
    await expect.poll(async () => (await decide(workspace, "node x.js")).behavior).toBe("allow");

    docker("rm", "-f", name);
    run("--name", name, "--network", "none");
    // Another container is not looked into, so nothing is known of what would run: that is refused, not asked.
    const decision = await decide(workspace, "node x.js");
    expect(decision).toMatchObject({ behavior: "deny", reason: expect.stringContaining(`docker:${name}`) });
    await expect(workspace.files.list("/")).rejects.toMatchObject({ code: "TOOL_FAILED" });
  });
});

describe("a project that is mounted", () => {
  async function project(): Promise<string> {
    const directory = await sharedDirectory(SHARED);
    for (const each of [".git/hooks", ".github/workflows", "src", "node_modules/a/.github/workflows"])
      await mkdir(join(directory, each), { recursive: true });
    await writeFile(join(directory, ".git/config"), "[core]\n");
    await writeFile(join(directory, ".npmrc"), "ignore-scripts=true\n");
    await writeFile(join(directory, "src/a.ts"), "a\n");
    await symlink("/etc", join(directory, "src/link"));
    return directory;
  }

  test("has what others run or trust read-only, and changes of the rest need no question where they are accepted", async () => {
    const root = await project();
    const workspace = await open({ image: "busybox:1", mount: root }, { ...NONE, acceptChanges: true }, { root });
    const output: string[] = [];
    const shell = (command: string) =>
      workspace.shell.run({ command, onOutput: (chunk) => output.push(Buffer.from(chunk).toString()) });

    expect(await workspace.contained!()).toMatchObject({ kept: [root], acceptChanges: true });
    expect((await decide(workspace, "node x.js")).behavior).toBe("allow");
    expect((await decide(workspace, "rm -rf src")).behavior).toBe("ask");
    expect((await decide(workspace, "echo x > .github/workflows/b.yml")).behavior).toBe("ask");
    for (const file of [".git/hooks/pre-commit", ".git/config", ".git/commondir", ".npmrc", ".github/workflows/b.yml"])
      expect((await shell(`echo x > ${file}`)).exitCode, file).toBe(1);
    expect((await shell("mv .git .git2 || mv .npmrc x || rm .npmrc || rmdir .github/workflows")).exitCode).toBe(1);
    expect((await shell("echo b > src/a.ts && echo x > package.json")).exitCode, output.join("")).toBe(0);
    expect(await readFile(join(root, "src/a.ts"), "utf8")).toBe("b\n");
    expect(await readFile(join(root, ".git/config"), "utf8")).toBe("[core]\n");
  });

  test("is not accepted to change while something trusted can be written, then or later", async () => {
    const root = await project();
    const accepting = { ...NONE, acceptChanges: true };
    const mounts = ["-v", `${root}:${root}`, "-v", `${root}/.git/hooks:${root}/.git/hooks:ro`];
    await expect(open({ image: "busybox:1", run: mounts }, accepting, { root })).rejects.toThrow("Make it read-only");
    expect((await open({ image: "busybox:1", run: mounts }, NONE, { root })).contained).toBeDefined();

    const workspace = await open({ image: "busybox:1", mount: root }, accepting, { root });
    expect((await decide(workspace, "node x.js")).behavior).toBe("allow");
    await workspace.shell.run({ command: "mkdir src/.vscode && echo x > src/.vscode/tasks.json" });
    await expect.poll(async () => (await decide(workspace, "node x.js")).reason).toContain(".vscode");
  });

  test("a file that is saved here in one step is noticed to be mounted no longer", async () => {
    const root = await project();
    const workspace = await open({ image: "busybox:1", mount: root }, { ...NONE, acceptChanges: true }, { root });
    expect((await decide(workspace, "node x.js")).behavior).toBe("allow");

    await writeFile(join(root, "saved"), "ignore-scripts=true\n");
    await rename(join(root, "saved"), join(root, ".npmrc"));

    await expect.poll(async () => (await decide(workspace, "node x.js")).reason).toContain("any more");
  });

  test("without accepted changes it is read unasked, and nothing else", async () => {
    const root = await project();
    const workspace = await open({ image: "busybox:1", mount: root }, NONE, { root });
    expect((await decide(workspace, "cat /etc/passwd")).behavior).toBe("allow");
    for (const line of ["node x.js", "touch x", "cp src/a.ts /bin/ls", "rm src/a.ts"])
      expect((await decide(workspace, line)).behavior, line).toBe("ask");
  });

  test("a directory with a socket cannot be mounted", async () => {
    const root = await project();
    const server = createServer().listen(join(root, "x.sock"));
    onTestFinished(() => void server.close());
    await expect(open({ image: "busybox:1", mount: root }, NONE, { root })).rejects.toThrow("x.sock");
    await rm(join(root, "x.sock"), { force: true });
  });
});

test("a host behind SSH has a network, whatever it claims; without that claim its word counts, and is named", async () => {
  const machine = () =>
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
  const root = await sharedDirectory(SHARED);
  const options = { machine: machine(), root };
  await expect(createMachineWorkspace({ ...options, contained: NONE })).rejects.toThrow("network device");

  const workspace = await createMachineWorkspace({ machine: machine(), root, contained: { network: "any", kept: [] } });
  onTestFinished(() => workspace.close());
  expect(await decide(workspace, "touch x")).toMatchObject({
    behavior: "allow",
    reason: expect.stringMatching(/^Contained, as the host says: it only touches files of "ssh:/),
  });
  expect((await decide(workspace, "curl https://example.com")).behavior).toBe("ask");
});

test("code in a container that removes the record of untrusted files leaves them untrusted for later sessions", async () => {
  const { root } = repository("README.md");
  const id = run(...LIMITS);
  docker("exec", id, "mkdir", "/work");
  docker("cp", `${root}/.`, `${id}:/work`);
  docker("exec", id, "chown", "-R", "0:0", "/work");
  const session = async () => {
    const workspace = await open({ container: id }, { network: "none", kept: [] });
    const [bash, read] = builtinTools(workspace, { names: ["bash", "read_file"] });
    const checker = createPermissionChecker({ workspace, rules: { allow: ["Bash", "Read"] }, flow: {} });
    const sources = [{ kind: "web", name: "x.example", untrusted: true }] as const;
    const context = { integrity: "untrusted", audience: "anyone", sources } as const;
    const origin = (target: Target): TracedTarget => ({ ...target, known: "unknown" });
    const label = async () => (await checker.decide({ tool: read!, input: { path: "README.md" } })).label?.integrity;
    return {
      workspace,
      label,
      decide: (command: string) => checker.decide({ tool: bash!, input: { command }, context, origin }),
    };
  };

  const first = await session();
  expect(await first.label()).toBe("trusted");
  expect((await first.decide("perl c.pl")).behavior).toBe("allow");
  await first.workspace.shell.run({ command: "rm .git/loopwright-untrusted" });
  expect(await (await session()).label()).toBe("untrusted");
});
