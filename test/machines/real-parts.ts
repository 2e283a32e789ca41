// Starts what the tests of machines need: a Docker engine with two images, and an SSH server for a user of its own. Says what is
// missing and fails, rather than leaving anything out. The Debian image is made once and kept in /var/cache.
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestProject } from "vitest/node";

const PACKAGES = {
  dockerd: "docker.io",
  sshd: "openssh-server",
  busybox: "busybox-static",
  debootstrap: "debootstrap",
};
const CACHE = "/var/cache/loopwright-machines";
const USER = "loopwright-test";
const SYSTEM = { ...process.env, PATH: `/usr/sbin:/usr/bin:/sbin:/bin:${process.env.PATH}` };

/** What runs: the address of the engine, which has the images `busybox:1` and `debian:1`, and a login with the keys in a directory. */
export interface RealParts {
  readonly host: string;
  readonly ssh: { readonly port: number; readonly directory: string; readonly user: string };
}

declare module "vitest" {
  export interface ProvidedContext {
    machines: RealParts;
  }
}

const run = (file: string, args: readonly string[], options: { input?: Buffer; cwd?: string } = {}) =>
  execFileSync(file, [...args], {
    env: SYSTEM,
    stdio: [options.input ? "pipe" : "ignore", "pipe", "pipe"],
    maxBuffer: 2 ** 31 - 1,
    ...options,
  });

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { parts, stop } = await startRealParts();
  project.provide("machines", parts);
  return stop;
}

/** To be stopped, also when what uses them failed. */
export async function startRealParts(): Promise<{ readonly parts: RealParts; stop(): Promise<void> }> {
  assertMachine();
  const base = mkdtempSync(join(tmpdir(), "real-parts-"));
  chmodSync(base, 0o755);
  const started: number[] = [];
  const host = `unix://${base}/docker.sock`;
  const docker = (...args: string[]) => run("/usr/bin/docker", ["--host", host, ...args]);

  started.push(start("dockerd", engineArguments(base, host)));
  await until("the Docker engine", () => docker("info"));
  importImage(docker, "busybox", busyboxRoot(base));
  importImage(docker, "debian", debianRoot());
  const port = 20_000 + (process.pid % 10_000);
  started.push(start("/usr/sbin/sshd", ["-D", "-f", sshConfiguration(base, port)]));
  await until("the SSH server", () => run("ssh-keyscan", ["-p", String(port), "127.0.0.1"]).length > 0 || fail());

  async function stop(): Promise<void> {
    const running = docker("ps", "-aq").toString().split("\n").filter(Boolean);
    if (running.length > 0) docker("rm", "-f", ...running);
    for (const id of started) process.kill(id, "SIGTERM");
    await until("the end of all parts", () => !started.some(isAlive) || fail());
    rmSync(base, { recursive: true, force: true });
  }
  return { parts: { host, ssh: { port, directory: base, user: USER } }, stop };
}

function assertMachine(): void {
  const missing = Object.entries(PACKAGES).filter(
    ([name]) => !SYSTEM.PATH.split(":").some((each) => existsSync(join(each, name))),
  );
  const isRoot = process.getuid?.() === 0;
  if (process.platform === "linux" && isRoot && missing.length === 0) return;
  const packages = missing.map(([, name]) => name).join(" ");
  const install = packages === "" ? "" : ` Install: apt-get install -y --no-install-recommends ${packages}`;
  throw new Error(`The tests of machines need Linux, root and a few programs, and some of that is missing.${install}`);
}

function engineArguments(base: string, host: string): string[] {
  const places = ["--data-root", `${base}/data`, "--exec-root", `${base}/exec`, "--pidfile", `${base}/docker.pid`];
  return [...["--iptables=false", "--bridge=none", "--storage-driver=vfs"], ...places, "--host", host];
}

function start(file: string, args: readonly string[]): number {
  const child = spawn(file, [...args], { env: SYSTEM, stdio: "ignore", detached: true });
  child.on("error", (error) => console.error(error));
  child.unref();
  return child.pid!;
}

function isAlive(id: number): boolean {
  try {
    // A zombie waits for its parent and does nothing any more.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${id}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function fail(): never {
  throw new Error("not yet");
}

async function until(what: string, works: () => unknown): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return void works();
    } catch (cause) {
      if (attempt === 300) throw new Error(`Waited for ${what} in vain.`, { cause });
      await sleep(200);
    }
  }
}

function importImage(docker: (...args: string[]) => unknown, name: string, root: string): void {
  run("tar", ["-C", root, "-cf", `${root}.tar`, "."]);
  docker("import", `${root}.tar`, `${name}:1`);
  rmSync(`${root}.tar`);
}

function busyboxRoot(base: string): string {
  const root = join(base, "busybox");
  for (const directory of ["bin", "tmp", "proc", "dev", "etc", "root"])
    mkdirSync(join(root, directory), { recursive: true });
  chmodSync(join(root, "tmp"), 0o1777);
  run("cp", ["/bin/busybox", join(root, "bin/busybox")]);
  for (const name of run("/bin/busybox", ["--list"]).toString().split("\n")) {
    if (name !== "" && name !== "busybox") symlinkSync("busybox", join(root, "bin", name));
  }
  return root;
}

function debianRoot(): string {
  const root = join(CACHE, "debian");
  if (existsSync(root)) return root;
  mkdirSync(CACHE, { recursive: true });
  const unfinished = mkdtempSync(join(CACHE, "making-"));
  run("debootstrap", ["--variant=minbase", "--include=git,procps", "bookworm", unfinished]);
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, root);
  return root;
}

/** A user with a plain shell, whose key is in `base`, on a server with keys of its own. */
function sshConfiguration(base: string, port: number): string {
  if (!readFileSync("/etc/passwd", "utf8").includes(`\n${USER}:`)) run("useradd", ["-m", "-s", "/bin/sh", USER]);
  // A locked account may not log in by key either.
  run("usermod", ["-p", "*", USER]);
  for (const name of ["host-key", "key"]) run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(base, name)]);
  mkdirSync("/run/sshd", { recursive: true });
  const hostKey = readFileSync(join(base, "host-key.pub"), "utf8");
  writeFileSync(join(base, "known-hosts"), `[127.0.0.1]:${port} ${hostKey}`);
  writeFileSync(join(base, "authorized"), readFileSync(join(base, "key.pub")));
  const lines = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${base}/host-key`,
    `AuthorizedKeysFile ${base}/authorized`,
  ];
  const rest = ["UsePAM no", "StrictModes no", "PasswordAuthentication no", `PidFile ${base}/sshd.pid`, ""];
  writeFileSync(join(base, "sshd-config"), [...lines, ...rest].join("\n"));
  return join(base, "sshd-config");
}
