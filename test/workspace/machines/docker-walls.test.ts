import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { breachIn, mountsOf } from "../../../src/workspace/machines/docker/docker-walls.js";
import { lookAtMount, lookAtMounts } from "../../../src/workspace/machines/docker/mounted-files.js";
import { sharedDirectory } from "./open-machine.js";

/** Of a container without a network that Docker 28.2 has started with `--cap-drop ALL` and one mount. */
const text = readFileSync(new URL("inspected.json", import.meta.url), "utf8");
type Loose = Record<string, Record<string, unknown>>;
const inspected = (): Loose & { Mounts: Record<string, unknown>[] } => JSON.parse(text);

describe("the positive list", () => {
  test("has every field of a container that is started so, and knows its mount", () => {
    expect(breachIn(inspected(), "none")).toBeNull();
    expect(mountsOf(inspected())).toEqual([{ source: "/srv/data", at: "/mnt", writable: true }]);
  });

  test("another value of a field that matters, and a field that is not on it, is a breach by its name", () => {
    const other: Loose = {
      HostConfig: {
        Annotations: { a: "b" },
        CapAdd: ["SYS_ADMIN"],
        CapDrop: ["NET_RAW"],
        CgroupParent: "/other",
        DeviceRequests: [{ Driver: "nvidia" }],
        Devices: [{ PathOnHost: "/dev/sda" }],
        IpcMode: "shareable",
        LogConfig: { Type: "gelf", Config: {} },
        MaskedPaths: null,
        Mounts: [{ Type: "bind", Source: "/", Target: "/host", BindOptions: { Propagation: "rshared" } }],
        NetworkMode: "bridge",
        PidMode: "host",
        PortBindings: { "80/tcp": [{ HostPort: "80" }] },
        Privileged: true,
        ReadonlyPaths: [],
        Runtime: "sysbox-runc",
        SecurityOpt: ["no-new-privileges", "apparmor=unconfined"],
        Sysctls: { "kernel.shm_rmid_forced": "1" },
        UTSMode: "host",
        UsernsMode: "host",
        VolumesFrom: ["other"],
        NewInTheNextVersion: "",
        constructor: "",
      },
      NetworkSettings: { IPAddress: "172.17.0.2", Networks: { bridge: {} }, Ports: { "80/tcp": null }, Tunnels: [] },
    };
    for (const [part, fields] of Object.entries(other)) {
      for (const [name, value] of Object.entries(fields)) {
        const changed = inspected();
        Object.defineProperty(changed[part]!, name, { value, enumerable: true });
        expect(breachIn(changed, "none"), name).toMatch(new RegExp(`^${part}\\.${name} is `));
      }
    }
    for (const [name, value] of Object.entries({
      Type: "npipe",
      Propagation: "rslave",
      Driver: "nfs",
      RW: 1,
      Mode: "shared",
      New: 1,
    })) {
      const changed = inspected();
      changed.Mounts[0]![name] = value;
      expect(breachIn(changed, "none"), name).toMatch(`Mounts[0].${name} is `);
    }
  });

  test("what is missing counts as a breach where nothing is not harmless", () => {
    for (const name of ["CapDrop", "SecurityOpt", "MaskedPaths", "ReadonlyPaths", "NetworkMode", "IpcMode"]) {
      const changed = inspected();
      delete changed.HostConfig![name];
      expect(breachIn(changed, "none")).toMatch(`HostConfig.${name} is null`);
    }
    for (const part of ["HostConfig", "Mounts", "NetworkSettings"]) {
      const changed: Record<string, unknown> = inspected();
      delete changed[part];
      expect(breachIn(changed, "none")).toMatch(new RegExp(`^${part}.* is missing`));
    }
    const older = inspected();
    delete older.HostConfig!.KernelMemoryTCP;
    expect(breachIn(older, "none")).toBeNull();
  });

  test("a network is no breach where none is denied, unless it is the host's or another container's", () => {
    const changed = inspected();
    const networks = { bridged: { NetworkID: "1", EndpointID: "2", IPAddress: "172.18.0.2", Aliases: ["a"] } };
    Object.assign(changed.NetworkSettings!, { Networks: networks, Ports: { "80/tcp": null } });
    changed.HostConfig!.NetworkMode = "bridged";
    expect(breachIn(changed, "any")).toBeNull();
    for (const mode of ["host", "container:1", "ns:/proc/1/ns/net"]) {
      changed.HostConfig!.NetworkMode = mode;
      expect(breachIn(changed, "any")).toMatch("HostConfig.NetworkMode");
    }
    changed.HostConfig!.NetworkMode = "none";
    Object.assign(changed.NetworkSettings!, { Networks: { host: networks.bridged } });
    expect(breachIn(changed, "any")).toMatch("NetworkSettings.Networks");
  });
});

describe("what is mounted", () => {
  test("is looked through for whatever is no file, links not followed", async () => {
    const directory = await sharedDirectory();
    mkdirSync(join(directory, "a/b"), { recursive: true });
    symlinkSync("/dev", join(directory, "a/link"));
    symlinkSync("/nowhere", join(directory, "a/broken"));
    expect(await lookAtMount(directory)).toEqual({ breach: null, trusted: [] });

    execFileSync("mkfifo", [join(directory, "a/b/pipe")]);
    expect((await lookAtMount(directory)).breach).toContain('"a/b/pipe", which is a socket, a pipe or a device');
    const server = createServer().listen(join(directory, "socket"));
    onTestFinished(() => void server.close());
    expect((await lookAtMount(join(directory, "socket"))).breach).toContain("is no file and no directory");
    expect((await lookAtMount(join(directory, "missing"))).breach).toContain("cannot be looked at from here: ENOENT");
    expect((await lookAtMount("/")).breach).toMatch(/holds the mount/);
  });

  test("names what others run or trust, wherever it lies, but in installed packages", async () => {
    const directory = await sharedDirectory();
    const files =
      ".git/config a/.git/HEAD a/.vscode/tasks.json .npmrc .env src/a.ts node_modules/b/.npmrc package.json";
    for (const file of files.split(" ")) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), "");
    }
    const { breach, trusted } = await lookAtMount(directory);

    expect(breach).toBeNull();
    const expected = [".env", ".git", ".npmrc", "a/.git", "a/.vscode"];
    expect([...trusted].sort()).toEqual(expected.map((path) => join(directory, path)));
    expect((await lookAtMount(join(directory, ".npmrc"))).trusted).toEqual([join(directory, ".npmrc")]);
    expect((await lookAtMount(join(directory, ".git"))).trusted).toEqual([join(directory, ".git")]);
  });

  test("has to be among the mounts of the first process, read-only where it is said to be", async () => {
    const mount = { source: "/proc", at: "/proc", writable: true };
    expect((await lookAtMounts([{ ...mount, at: "/not-mounted" }], process.pid)).breach).toContain("any more");
    expect((await lookAtMounts([{ ...mount, writable: false }], process.pid)).breach).toContain("any more");
    expect((await lookAtMounts([mount], 0)).breach).toContain("any more");
    expect(await lookAtMounts([], 0)).toEqual({ breach: null, trusted: [] });
  });
});
