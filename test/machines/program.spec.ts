// `loopwright --docker` and `--ssh`, with a real engine, a real SSH server and a recorded model.
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { bundleProgram, calling, directoryWith, modelServer, runProgramFile } from "../program/kit.js";
import { sharedDirectory } from "../workspace/machines/open-machine.js";
import { clientPrograms } from "./client-programs.js";

const { host, ssh } = inject("machines");
let program: Awaited<ReturnType<typeof bundleProgram>>;
beforeAll(async () => {
  program = await bundleProgram();
});
afterAll(() => program.remove());

async function run(args: readonly string[], url: string, { cwd = directoryWith(), home = directoryWith() } = {}) {
  const env = { PATH: clientPrograms(), DOCKER_HOST: host, OPENAI_BASE_URL: url, OPENAI_API_KEY: "test" };
  const model = ["--model", "openai/gpt-5.1"];
  return { cwd, home, ...(await runProgramFile(program.file, ["-p", ...model, ...args], { cwd, home, env })) };
}

test("--docker runs commands in a container, on the files of the directory", async () => {
  const cwd = directoryWith({
    "a.txt": "Hello\n",
    ".git/hooks/pre-commit": "",
    ".claude/settings.json": JSON.stringify({ permissions: { allow: ["Edit"] } }),
  });
  const command = "cat a.txt; hostname; id -u > id";
  const { url, requests } = await modelServer(
    calling("bash", { command }),
    calling("write_file", { path: "b.txt", content: "made" }),
    { text: "Done." },
  );

  const ended = await run(["--docker", "busybox:1", "--allowed-tools", "Bash Write", "Go"], url, {
    cwd,
  });

  expect(ended).toMatchObject({ code: 0, stdout: "Done.\n" });
  const results = requests.map(({ body }) => JSON.stringify((body as { messages: object[] }).messages));
  expect(results[1]).toContain("Hello\\n");
  expect(results[1]).not.toContain(hostname());
  expect(readFileSync(join(cwd, "b.txt"), "utf8")).toBe("made");
  expect(statSync(join(cwd, "b.txt")).uid).toBe(process.getuid!());
  expect(readFileSync(join(cwd, "id"), "utf8")).toBe(`${process.getuid!()}\n`);
  // A machine's files only forbid: the allow rule of the project does not count, and nobody was asked to trust it.
  expect(ended.stderr).toBe("loopwright: this project is not trusted, so its settings do not count.\n");
});

test("--ssh runs the tools on the host, and its sessions are those of that place", async () => {
  const root = await sharedDirectory(ssh.directory);
  writeFileSync(join(root, "AGENTS.md"), "Speak softly.");
  chmodSync(join(root, "AGENTS.md"), 0o644);
  mkdirSync(join(root, ".claude"));
  writeFileSync(join(root, ".claude/settings.json"), JSON.stringify({ permissions: { deny: ["Read(secret.txt)"] } }));
  writeFileSync(join(root, "secret.txt"), "hidden words");
  const place = `ssh://${ssh.user}@127.0.0.1:${ssh.port}${root}`;
  const { url, requests } = await modelServer(
    calling("bash", { command: "id -un; pwd" }),
    calling("write_file", { path: "b.txt", content: "made" }),
    calling("read_file", { path: "secret.txt" }),
    { text: "Done." },
  );

  const { code, stdout, home, cwd } = await run(["--ssh", place, "--allowed-tools", "Bash Write", "Go"], url);

  expect({ code, stdout }).toEqual({ code: 0, stdout: "Done.\n" });
  expect(JSON.stringify(requests[0]!.body)).toContain("Speak softly.");
  expect(JSON.stringify(requests[1]!.body)).toContain(`${ssh.user}\\n${root}`);
  expect(readFileSync(join(root, "b.txt"), "utf8")).toBe("made");
  expect(JSON.stringify(requests[3]!.body)).toContain("secret.txt");
  expect(JSON.stringify(requests[3]!.body)).not.toContain("hidden words");
  expect(readdirSync(cwd)).toEqual([]);
  const list = (...args: string[]) => runProgramFile(program.file, ["sessions", ...args], { cwd, home });
  expect((await list("--ssh", place)).stdout).toMatch(/Go\n$/);
  expect((await list()).stdout).toContain("no sessions");
});

test("a long output is kept on this machine and can be read from there", async () => {
  const home = directoryWith();
  const cwd = directoryWith();
  const { url } = await modelServer(calling("bash", { command: "seq 1 200000" }), { text: "Done." });

  const { code } = await run(["--docker", "busybox:1", "--allowed-tools", "Bash", "Go"], url, { cwd, home });

  expect(code).toBe(0);
  const [project] = readdirSync(join(home, ".loopwright/projects"));
  const artifacts = join(home, ".loopwright/projects", project!, "artifacts");
  const [kept] = readdirSync(artifacts).filter((name) => name.endsWith(".txt"));
  const path = join(artifacts, kept!);
  const second = await modelServer(calling("read_file", { path, offset: 150_000, limit: 1 }), { text: "Read." });
  const read = await run(["--docker", "busybox:1", "Read"], second.url, { cwd, home });
  expect(read).toMatchObject({ code: 0, stdout: "Read.\n" });
  expect(JSON.stringify(second.requests[1]!.body)).toContain("150000\\t150000");
});

test("an image that is not there, and a host that cannot be reached, are one line and a code", async () => {
  const { url } = await modelServer();

  const image = await run(["--docker", "nothing:0", "Go"], url);
  const server = await run(["--ssh", `${ssh.user}@127.0.0.1:/tmp`, "Go"], url);

  expect(image.code).toBe(1);
  expect(image.stderr).toMatch(/^loopwright: "docker run" failed: .*nothing:0/s);
  expect(server.code).toBe(1);
  expect(server.stderr).toMatch(/^loopwright: The host "127.0.0.1" cannot be reached by SSH: /);
});
