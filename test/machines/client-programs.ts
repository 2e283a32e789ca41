import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/** A `PATH` with programs as a user has them: `docker` of the system, and `ssh` with a configuration that knows the host. */
export function clientPrograms(): string {
  const { ssh } = inject("machines");
  const bin = mkdtempSync(join(ssh.directory, "programs-"));
  const options = `-o IdentityFile=${ssh.directory}/key -o UserKnownHostsFile=${ssh.directory}/known-hosts`;
  writeFileSync(join(bin, "ssh"), `#!/bin/sh\nexec /usr/bin/ssh ${options} "$@"\n`, { mode: 0o755 });
  return `${bin}:/usr/sbin:/usr/bin:/sbin:/bin`;
}
