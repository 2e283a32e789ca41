// The examples of machines, as programs of their own. Those that need no machine run by `npm run examples`.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { clientPrograms } from "./client-programs.js";

const { host, ssh } = inject("machines");
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

async function runExample(name: string, args: readonly string[], env: Record<string, string> = {}) {
  const all = { ...process.env, PATH: clientPrograms(), DOCKER_HOST: host, ...env };
  const command = ["--import", "tsx", `examples/machines/${name}`, ...args];
  return promisify(execFile)(process.execPath, command, { cwd: ROOT, env: all });
}

test("the example of Docker works in a container without a network", async () => {
  const { stdout } = await runExample("docker.ts", ["debian:1"]);

  expect(stdout).toMatch(/^100\nlo$/m);
  expect(stdout).toContain("It counts to 100.");
});

test("the example of SSH works on the host", async () => {
  const { stdout } = await runExample("ssh.ts", [`ssh://${ssh.user}@127.0.0.1:${ssh.port}`]);

  expect(stdout).toMatch(/^two$/m);
  expect(stdout).toContain("The note says two.");
});

test("the example of a container for each user keeps them apart", async () => {
  const { stdout } = await runExample("container-per-user.ts", ["debian:1"]);

  expect(stdout).toBe("ann.txt\nlo\nbob.txt\nlo\n");
});

test.each([
  ["docker.ts", ["debian:1"], { DOCKER_HOST: "unix:///nowhere/docker.sock" }, /needs a Docker engine and the image/],
  ["docker.ts", ["debian:1"], { PATH: "/nowhere" }, /needs a Docker engine.* Install Docker, or name another/],
  ["container-per-user.ts", ["nothing:0"], {}, /needs a Docker engine and the image "nothing:0"/],
  ["ssh.ts", [], {}, /needs a host: npx tsx/],
  ["ssh.ts", ["ssh://127.0.0.1:1"], {}, /needs a login on "127\.0\.0\.1"/],
] as const)("the example %s says what it needs when it is not there", async (name, args, env, said) => {
  await expect(runExample(name, args, env)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(said) });
});
