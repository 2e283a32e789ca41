import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtinTools } from "loopwright/tools";
import { createMachineWorkspace, dockerMachine, localMachine, type Machine, sshMachine } from "loopwright/workspace";
import { expect, test } from "vitest";
import type { JsonValue } from "../../../src/contracts/json.js";
import { bundled } from "../../bundled.js";
import { callTool } from "../../tools/call-tool.js";
import { processesWith } from "../shell/open-shell.js";
import { counted } from "./counted-machine.js";
import { openMachine, sharedDirectory } from "./open-machine.js";

const bytes = (text: string) => new TextEncoder().encode(text);

async function setUp(options: Partial<Parameters<typeof createMachineWorkspace>[0]> = {}) {
  const root = await sharedDirectory();
  const machine = counted();
  const workspace = await openMachine(machine, { root, ...options });
  const trips = async (work: () => Promise<unknown>) => {
    const before = machine.trips;
    await work().catch(() => {});
    return machine.trips - before;
  };
  return { root, workspace, files: workspace.files, trips };
}

test("a file operation is one round trip, and a second where a link, .. or a missing path is met", async () => {
  const { root, files, workspace, trips } = await setUp();
  await files.write("a/b/c.txt", bytes("x"));
  await symlink("a", join(root, "link"));
  const all = async (path: string) => [
    await trips(() => files.read(path)),
    await trips(() => files.write(path, bytes("y"))),
    await trips(() => files.stat(path)),
    await trips(() => files.open(path)),
  ];

  expect(await all("a/b/c.txt")).toEqual([1, 1, 1, 1]);
  expect(await trips(() => files.write("new/deep/file", bytes("y")))).toBe(1);
  expect(await trips(() => files.list("a"))).toBe(1);
  expect(await trips(() => files.makeDirectory("a/d/e"))).toBe(1);
  expect(await trips(() => files.remove!("a/d/e"))).toBe(1);
  expect(await trips(() => workspace.resolve("a", "read"))).toBe(1);
  expect(await all("a/../a/b/c.txt")).toEqual([2, 2, 2, 2]);
  expect(await trips(() => files.read("missing"))).toBe(2);
  expect(await trips(() => Promise.all(["a", "link", "x/y"].map((path) => workspace.resolve(path, "read"))))).toBe(1);
});

test("modes are kept, set and honoured, and nothing is left beside a file", async () => {
  const { root, files } = await setUp();
  await writeFile(join(root, "script"), "old");
  await chmod(join(root, "script"), 0o751);

  await files.write("script", bytes("new"));
  await files.write("secret", bytes("s"), { mode: 0o600 });
  await files.write("0", bytes("x".repeat(200_001)));

  expect((await stat(join(root, "script"))).mode & 0o7777).toBe(0o751);
  expect((await stat(join(root, "secret"))).mode & 0o7777).toBe(0o600);
  expect(await readFile(join(root, "0"), "utf8")).toBe("x".repeat(200_001));
  expect(readdirSync(root).sort()).toEqual(["0", "script", "secret"]);
  expect((await files.stat("script")).mtimeMs).toBeCloseTo((await stat(join(root, "script"))).mtimeMs, 0);
});

test("links lead where they lead, and none leads out", async () => {
  const { root, files } = await setUp();
  await mkdir(join(root, "real/deep"), { recursive: true });
  await writeFile(join(root, "real/deep/a"), "a");
  await symlink("real/deep", join(root, "way"));
  await symlink("/etc", join(root, "out"));
  await symlink("loop", join(root, "loop"));
  await symlink("gone/x\n", join(root, "dangling"));
  await symlink("/proc/self/cwd", join(root, "cwd"));

  expect(await files.resolve("way/../deep/a", "read")).toBe(join(root, "real/deep/a"));
  expect(new TextDecoder().decode(await files.read("way/a"))).toBe("a");
  await files.write("dangling", bytes("made"));
  expect(await readFile(join(root, "gone/x\n"), "utf8")).toBe("made");
  for (const path of ["out/passwd", "way/../../../x", "cwd/x", "/proc/self/environ", "/dev/null"]) {
    await expect(files.read(path), path).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
  }
  await expect(files.read("loop")).rejects.toMatchObject({ code: "PATH_INVALID" });
  await expect(files.write("n".repeat(256), bytes("x"))).rejects.toMatchObject({ code: "PATH_INVALID" });
});

test("a large file is read piece by piece, and a change in the middle is said", async () => {
  const { root, files } = await setUp();
  const content = Buffer.alloc(9_000_000, "0123456789");
  await writeFile(join(root, "large"), content);

  expect(Buffer.from(await files.read("large")).equals(content)).toBe(true);
  const file = await files.open("large");
  const piece = new Uint8Array(10);
  expect([await file.read(piece, 8_999_995), Buffer.from(piece.subarray(0, 5)).toString()]).toEqual([5, "56789"]);
  await writeFile(join(root, "large"), "other");
  await expect(file.read(piece, 0)).rejects.toMatchObject({ code: "TOOL_FAILED" });
});

test.each([
  [undefined, undefined, 1],
  [0, undefined, 0],
  [0, 2, 2],
])(
  "a machine with %s spare shells has its workspace keep as many, unless the options say %s",
  async (own, asked, kept) => {
    let started = 0;
    const inner = localMachine();
    const start: Machine["start"] = (argv) => {
      started++;
      return inner.start(argv);
    };
    const machine = { name: "counted", start, ...(own !== undefined && { spares: own }) };
    const workspace = await openMachine(machine, { root: await sharedDirectory(), lanes: 1, spares: asked });

    await workspace.shell.run({ command: "true" });

    // One for files, and one for the command.
    expect(started).toBe(2 + kept);
    expect(workspace.platform).toBe("linux");
  },
);

test("values with quotes, line breaks and signs reach a command as they are, and none is an argument of a program", async () => {
  const seen: string[] = [];
  const inner = localMachine();
  const machine: Machine = { name: "seen", start: (argv) => inner.start(seen.splice(seen.length, 0, ...argv) && argv) };
  const value = 'it\'s "$HOME" `id` \\ \n\t-e * é';
  const workspace = await openMachine(machine, { root: await sharedDirectory(), env: { SECRET: value } });
  let output = "";

  await workspace.shell.run({ command: 'printf %s "$SECRET"', onOutput: (chunk) => (output += Buffer.from(chunk)) });

  expect(output).toBe(value);
  expect(seen.join("\n")).not.toContain("HOME");
  await expect(workspace.shell.run({ command: "true", env: { "a b": "1" } })).rejects.toMatchObject({
    code: "COMMAND_FAILED",
  });
});

test("an output kept as an artifact is read from here", async () => {
  const { workspace, trips } = await setUp();
  const ref = await workspace.artifacts!.put("kept\n", { sessionId: "s" });

  const [read] = builtinTools(workspace, { names: ["read_file"] });
  expect(await trips(() => callTool(read!, { path: ref.path }))).toBe(0);
  expect((await callTool(read!, { path: ref.path })).output).toContain("kept");
  await expect(workspace.files.write(ref.path, bytes("x"))).rejects.toMatchObject({ code: "PATH_OUTSIDE" });
});

test("a file that is swapped for a link just before tar opens it is not followed, by a tar that follows links", async () => {
  const [root, outside, bin] = await Promise.all([sharedDirectory(), sharedDirectory(), sharedDirectory()]);
  const swap = `[ ! -e ${root}/a ] || ln -sf ${outside}/a ${root}/a`;
  const tar = `#!/bin/sh\n[ "$1" != --no-unquote ] || exit 1\n${swap}\nexec ${execFileSync("which", ["tar"], { encoding: "utf8" }).trim()} -h "$@"\n`;
  writeFileSync(join(bin, "tar"), tar, { mode: 0o755 });
  const machine = localMachine({ prefix: ["env", `PATH=${bin}:${process.env.PATH}`] });
  const workspace = await openMachine(machine, { root });
  writeFileSync(join(outside, "a"), "outside");
  writeFileSync(join(root, "a"), "inside");

  const contents = await workspace.forCall!(workspace).files.many!.readMany([`${root}/a`], 1_000);

  expect(readlinkSync(join(root, "a"))).toBe(`${outside}/a`);
  expect([...contents].map(([path, bytes]) => [path, Buffer.from(bytes).toString()])).toEqual([
    [`${root}/a`, "inside"],
  ]);
});

test.each([{ image: "node:24" }, { container: "c" }])("without Docker %o says what to install", async (which) => {
  const machine = dockerMachine({ ...which, docker: "/nowhere/docker" });

  await expect(createMachineWorkspace({ machine, root: "/work" })).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: `The program "/nowhere/docker" could not be started: spawn /nowhere/docker ENOENT. Install Docker, or name another program by the option "docker", such as "podman".`,
  });
});

test("what a machine lacks is named as it is opened", async () => {
  const root = await sharedDirectory();
  const bin = await sharedDirectory();
  for (const name of ["sh", "stat", "dd", "mv", "mkdir", "rm", "rmdir", "chmod", "sleep", "cat", "uname"]) {
    await symlink(`/bin/${name}`, join(bin, name));
  }
  const bare = localMachine({ prefix: ["env", `PATH=${bin}`] });
  const mac = localMachine({ prefix: ["env", `PATH=${await otherSystem()}:/usr/bin:/bin`] });

  await expect(createMachineWorkspace({ machine: bare, root })).rejects.toMatchObject({
    code: "OPTION_INVALID",
    message: expect.stringMatching(/It lacks: readlink, setsid\. Install/),
  });
  await expect(createMachineWorkspace({ machine: mac, root })).rejects.toMatchObject({
    message: expect.stringContaining("It lacks: Linux (it is Darwin)"),
  });
  await expect(createMachineWorkspace({ machine: localMachine(), root: `${root}/none` })).rejects.toMatchObject({
    code: "OPTION_INVALID",
  });
  const gone = localMachine({ prefix: ["/nowhere/docker"] });
  await expect(createMachineWorkspace({ machine: gone, root })).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: expect.stringContaining("/nowhere/docker"),
  });
});

async function otherSystem(): Promise<string> {
  const bin = await sharedDirectory();
  await writeFile(join(bin, "uname"), "#!/bin/sh\necho Darwin\n", { mode: 0o755 });
  return bin;
}

test("an answer without end fails the call, and the next one is asked of another shell", async () => {
  const root = await sharedDirectory();
  const inner = localMachine();
  let isNoisy = false;
  const machine: Machine = {
    name: "noisy",
    async start(argv) {
      const process = await inner.start(argv);
      const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
        await new Promise(setImmediate);
        controller.enqueue(new Uint8Array(65_536));
      };
      return isNoisy ? { ...process, stdout: new ReadableStream({ pull }) } : process;
    },
  };
  const workspace = await openMachine(machine, { root, lanes: 2, spares: 0 });
  isNoisy = true;
  const first = workspace.files.list(".");
  const second = workspace.files.list(".").catch((error) => error);
  expect(await first).toEqual([]);
  expect(await second).toMatchObject({
    code: "TOOL_FAILED",
    message: expect.stringMatching(/"noisy" answered more than \d+ bytes/),
  });
  isNoisy = false;
  expect(await Promise.all([workspace.files.list("."), workspace.files.list(".")])).toEqual([[], []]);
});

test.each(["-oProxyCommand=id", "a b", "a\nb", "", "a\u0000", "\u202ea"])("the name %j is refused", (name) => {
  const refused = { code: "OPTION_INVALID" };
  const makes = [
    () => sshMachine({ host: name }),
    () => sshMachine({ host: "h", user: name }),
    () => dockerMachine({ container: name }),
    () => dockerMachine({ image: name }),
    () => dockerMachine({ container: "c", user: name }),
  ];
  for (const make of makes) expect(make).toThrow(expect.objectContaining(refused));
});

test.each([
  "StrictHostKeyChecking=no",
  "forwardagent=yes",
  "SendEnv=*",
  "PermitLocalCommand=yes",
  "LocalCommand=id",
  "ControlPath=/tmp/x",
  "BatchMode=no",
  "-A",
  "Include=/tmp/x",
])("the option %j, which would undo what keeps SSH safe, is refused", (option) => {
  expect(() => sshMachine({ host: "h", options: [option] })).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID" }),
  );
});

test("a container or an image, and not both", () => {
  for (const options of [{}, { container: "a", image: "b" }]) {
    expect(() => dockerMachine(options)).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
  }
});

test("nothing is left on the machine when the host process is killed", async () => {
  const root = await sharedDirectory();
  const module = await bundled(new URL("../../../src/workspace/index.ts", import.meta.url));
  const mark = `mark-${Math.random()}`;
  const program = `
    import { createMachineWorkspace, localMachine } from ${JSON.stringify(module)};
    const env = { TEST_MARK: ${JSON.stringify(mark)}, TMPDIR: ${JSON.stringify(root)} };
    const machine = localMachine({ prefix: ["env", "TMPDIR=${root}"] });
    const workspace = await createMachineWorkspace({ machine, root: ${JSON.stringify(root)}, env });
    await workspace.shell.run({
      command: "setsid sleep 60 & trap '' TERM; echo up; sleep 60; sleep 60",
      onOutput: () => process.kill(process.pid, "SIGKILL"),
    });
  `;
  const host: ChildProcess = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "inherit" });

  expect(await once(host, "exit")).toEqual([null, "SIGKILL"]);

  await expect.poll(() => processesWith(mark)).toEqual([]);
  await expect.poll(() => readdirSync(root).filter((name) => name.startsWith("loopwright-"))).toEqual([]);
  expect(existsSync(root)).toBe(true);
});

test("a file tool follows a path once for the length of its call", async () => {
  const { workspace, trips } = await setUp();
  const tools = new Map(builtinTools(workspace).map((tool) => [tool.name, tool]));
  const call = (name: string, input: JsonValue) => trips(() => callTool(tools.get(name)!, input));

  const edit = { path: "a.txt", old_text: "one", new_text: "two" };

  expect({
    write_file: await call("write_file", { path: "a.txt", content: "one\n" }),
    read_file: await call("read_file", { path: "a.txt" }),
    edit_file: await call("edit_file", edit),
    list_dir: await call("list_dir", {}),
  }).toEqual({ write_file: 6, read_file: 2, edit_file: 4, list_dir: 2 });
  expect(Buffer.from(await workspace.files.read("a.txt")).toString()).toBe("two\n");
});
