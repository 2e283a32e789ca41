import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { dockerMachine, localMachine, type Machine, sshMachine } from "../../src/workspace/index.js";
import type { RealParts } from "../../test/machines/real-parts.js";

/** A machine, and the program by which a user runs a command line there without the library. */
export interface Backend {
  readonly name: string;
  readonly client: string;
  open(): Machine;
  bare(line: string): readonly [file: string, ...args: string[]];
}

/** Backends that have `shared` at the same path. */
export function backends({ host, ssh }: RealParts, shared: string): readonly Backend[] {
  const docker = ["/usr/bin/docker", "--host", host] as const;
  const limits = ["--network", "none", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];
  const container = (image: string): Backend => {
    const run = ["run", "-d", "--rm", "--init", ...limits, "-v", `${shared}:${shared}`, image, "sleep", "99999"];
    const id = execFileSync(docker[0], [...docker.slice(1), ...run], { encoding: "utf8" }).trim();
    return {
      name: `Docker, ${image.split(":")[0]}`,
      client: "docker exec",
      open: () => dockerMachine({ container: id, docker: docker[0], host }),
      bare: (line) => [...docker, "exec", "-i", id, "sh", "-c", line],
    };
  };
  const keys = [`IdentityFile=${ssh.directory}/key`, `UserKnownHostsFile=${ssh.directory}/known-hosts`];
  // One connection for all its commands, as somebody who minds the time sets it up.
  const shares = ["ControlMaster=auto", `ControlPath=${join(ssh.directory, "bare")}`, "ControlPersist=60"];
  const options = [...keys, ...shares].flatMap((each) => ["-o", each]);
  return [
    { name: "this machine", client: "sh -c", open: () => localMachine(), bare: (line) => ["sh", "-c", line] },
    container("busybox:1"),
    container("debian:1"),
    {
      name: "SSH",
      client: "ssh, one connection",
      open: () => sshMachine({ host: "127.0.0.1", user: ssh.user, port: ssh.port, options: keys }),
      bare: (line) => ["ssh", ...options, "-p", String(ssh.port), `${ssh.user}@127.0.0.1`, line],
    },
  ];
}
