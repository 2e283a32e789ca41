// What hostile and odd paths do to a workspace, as cases free of a test runner: they run in the tests' own process, and
// again as a user without rights.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, relative } from "node:path";
import { isHarnessError } from "../../src/contracts/errors.js";
import type { FileAccess, Workspace } from "../../src/contracts/workspace.js";
import { createWorkspace } from "../../src/workspace/create-workspace.js";
import { runs } from "../runs.js";

interface Scene {
  readonly root: string;
  readonly outside: string;
  readonly workspace: Workspace;
  /** The program that exchanges files and directories for links. */
  readonly flipScript: string;
}

type Attack = (scene: Scene) => Promise<void>;

const RACES = runs(150, 150, 10_000);

const bytes = (text: string) => Buffer.from(text);

/** Everything a tool can do with a path. */
const uses: Readonly<Record<string, (files: FileAccess, path: string) => Promise<unknown>>> = {
  "resolve to read": (files, path) => files.resolve(path, "read"),
  "resolve to write": (files, path) => files.resolve(path, "write"),
  stat: (files, path) => files.stat(path),
  open: async (files, path) => (await files.open(path)).close(),
  read: (files, path) => files.read(path),
  write: (files, path) => files.write(path, bytes("written by a tool")),
  makeDirectory: (files, path) => files.makeDirectory(path),
  list: (files, path) => files.list(path),
  lock: (files, path) => files.withLock(path, "write", async () => {}),
};

/** The code every use of the path is refused with. */
async function refusals(files: FileAccess, path: string): Promise<Record<string, string>> {
  const codes: Record<string, string> = {};
  for (const [name, use] of Object.entries(uses)) {
    codes[name] = await use(files, path).then(
      () => "granted",
      (error: unknown) => (isHarnessError(error) ? error.code : String(error)),
    );
  }
  return codes;
}

async function expectRefused(files: FileAccess, path: string, allowed: readonly string[]): Promise<void> {
  for (const [use, code] of Object.entries(await refusals(files, path))) {
    assert.ok(allowed.includes(code), `${use} of ${JSON.stringify(path)}: ${code}; expected ${allowed.join(" or ")}`);
  }
}

/** Every file and directory below, with the content of each file. */
function snapshot(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${relative(directory, path)}: ${entry.isFile() ? readFileSync(path, "utf8") : "no file"}`;
    })
    .sort();
}

function makeOutside(outside: string): void {
  mkdirSync(join(outside, "sub"));
  writeFileSync(join(outside, "secret.txt"), "secret");
  writeFileSync(join(outside, "sub/deep.txt"), "deep secret");
}

export const attacks: Readonly<Record<string, Attack>> = {
  "no link of any kind, however spelled and chained, leads out": async ({ root, outside, workspace }) => {
    makeOutside(outside);
    const before = snapshot(outside);
    const targets = [
      join(outside, "secret.txt"),
      outside,
      join(outside, "not-yet"),
      join(outside, "not-yet/deeper"),
      join(outside, "sub/../secret.txt"),
      `${root}-evil`,
      "/",
      "/etc/passwd",
      "/proc/self/cwd",
      `/proc/self/root${outside}`,
      "/proc/self/environ",
      "/proc/self/fd/0",
      "/proc/thread-self/root",
      "/dev/fd/0",
      "/dev/stdin",
      "/dev/null",
      "/dev/shm",
      "/sys",
    ];
    let count = 0;
    for (const target of targets) {
      for (const spelled of [target, relative(root, target), `${target}/`, `${target}/.`]) {
        const name = `link-${count++}`;
        symlinkSync(spelled, join(root, name));
        symlinkSync(name, join(root, `chain-${name}`));
        symlinkSync(join(root, `chain-${name}`), join(root, `long-${name}`));
        mkdirSync(join(root, `directory-${name}`));
        symlinkSync(`../long-${name}`, join(root, `directory-${name}/inner`));
        for (const path of [name, `chain-${name}`, `long-${name}`, `directory-${name}/inner`, join(root, name)]) {
          await expectRefused(workspace.files, path, ["PATH_OUTSIDE"]);
        }
        for (const path of [`${name}/`, `${name}/.`, `${name}/secret.txt`, `./x/../${name}`]) {
          await expectRefused(workspace.files, path, ["PATH_OUTSIDE"]);
        }
      }
    }
    assert.deepEqual(snapshot(outside), before);
  },

  "no spelling leads out": async ({ root, outside, workspace }) => {
    makeOutside(outside);
    writeFileSync(join(dirname(root), "root-evil"), "secret");
    const before = snapshot(outside);
    const spellings = [
      "..",
      "../",
      "../root-evil",
      `${root}-evil`,
      `${root}/../root-evil`,
      "../outside/secret.txt",
      "x/../../outside/secret.txt",
      "..//..///",
      `${"../".repeat(100)}etc/passwd`,
      `${"x/../".repeat(500)}../outside/secret.txt`,
      `${root}/../outside`,
      `/./${outside}`,
      `//${outside}`,
      "/",
      "//",
      "/etc/passwd",
      `/proc/self/root${root}/a`,
      "/proc/self/cwd/package.json",
      `/proc/${process.pid}/root/etc/passwd`,
      "/dev/fd/1",
      "/dev/tty",
    ];

    for (const path of spellings) await expectRefused(workspace.files, path, ["PATH_OUTSIDE"]);
    assert.deepEqual(snapshot(outside), before);
  },

  "what is not a file, directory or path is refused": async ({ root, workspace }) => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    const socket = createServer().listen(join(root, "socket"));
    await new Promise((done) => socket.once("listening", done));
    symlinkSync("pipe", join(root, "to-pipe"));
    symlinkSync("loop-b", join(root, "loop-a"));
    symlinkSync("loop-a", join(root, "loop-b"));
    symlinkSync("self", join(root, "self"));
    symlinkSync("self/x", join(root, "into-self"));
    const paths = [
      "pipe",
      "to-pipe",
      "socket",
      "loop-a",
      "loop-a/x",
      "self",
      "into-self",
      "",
      "a\0b",
      "\0",
      "half\ud800",
      "~",
      "~/x",
      "~root",
      "file:///etc/passwd",
      "FILE:x",
      "n".repeat(256),
      `${"n".repeat(250)}/`.repeat(20),
      `x/${"../x/".repeat(10_000)}`,
    ];

    for (const path of paths) await expectRefused(workspace.files, path, ["PATH_INVALID"]);
    socket.close();
  },

  "odd names of real files are names like others": async ({ root, workspace }) => {
    const { files } = workspace;
    const names = [
      "..foo",
      "...",
      "....",
      ". .",
      "a.",
      "a ",
      " a",
      "-rf",
      "--",
      "line\nbreak",
      "tab\t",
      "quote\"'`",
      "$(x) ; & |",
      "*?[x]{y}",
      "a\\b",
      "..\\..\\b",
      "%2e%2e",
      "con",
      "caf\u00e9",
      "cafe\u0301",
      "😀",
      "\u202egnp.txt",
      "n".repeat(255),
      "é".repeat(127),
    ];
    const spelled = new Map(names.map((name) => [name, name]));
    for (const name of ["~x", "~", "file:x"]) spelled.set(name, `./${name}`);

    for (const [name, path] of spelled) {
      await files.write(path, bytes(name));
      assert.equal(Buffer.from(await files.read(path)).toString(), name);
      assert.equal(readFileSync(join(root, name), "utf8"), name);
    }
    const listed = await files.list(".");
    assert.deepEqual(listed.map(({ name }) => name).sort(), [...spelled.keys()].sort());
    const deep = Array.from({ length: 15 }, () => "d".repeat(200)).join("/");
    await files.write(`${deep}/x`, bytes("deep"));
    assert.equal(Buffer.from(await files.read(`${deep}/x`)).toString(), "deep");
  },

  "secrets and git's own files are refused in every spelling": async ({ root, outside, workspace }) => {
    mkdirSync(join(root, "sub/.git/hooks"), { recursive: true });
    symlinkSync("sub/.git", join(root, "alias"));
    symlinkSync("../outside", join(root, "out"));
    const names = ["id_rsa", "ID_RSA", "x/id_ed25519", "server.key", "SERVER.KEY", "new.pem", "store.p12", "id_rsa."];
    for (const path of names) await expectRefused(workspace.files, path, ["PATH_PROTECTED"]);
    const git = [".git/config", ".GIT/config", ".Git./hooks/x", ".git /x", "sub/.git/hooks/x", "alias/hooks/x"];
    for (const path of [...git, "GIT~1/x", ".g\u200cit/x", "sub/../.git/x", "./.git//x"]) {
      for (const use of [() => workspace.files.write(path, bytes("x")), () => workspace.files.makeDirectory(path)]) {
        await assert.rejects(use, (error) => isHarnessError(error, "PATH_PROTECTED"), path);
      }
    }
    assert.deepEqual([snapshot(join(root, "sub/.git")), snapshot(outside)], [["hooks: no file"], []]);
  },

  "a refusal says the same of what is there and what is not": async ({ root, outside, workspace }) => {
    makeOutside(outside);
    mkdirSync(join(outside, "locked"), { mode: 0 });
    execFileSync("mkfifo", [join(outside, "pipe")]);
    symlinkSync("loop", join(outside, "loop"));
    const named = [
      "secret.txt",
      "sub",
      "missing",
      "missing/x",
      "secret.txt/x",
      "locked/x",
      "pipe",
      "loop",
      "n".repeat(300),
    ];
    const messages = new Map<string, Set<string>>();
    for (const [index, name] of named.entries()) {
      symlinkSync(join(outside, name), join(root, `link-${index}`));
      for (const path of [join(outside, name), `link-${index}`]) {
        for (const [use, run] of Object.entries(uses)) {
          const error = await run(workspace.files, path).catch((refused: Error) => refused);
          assert.ok(isHarnessError(error, "PATH_OUTSIDE"), `${use} of ${path}`);
          const text = `${error.message} ${JSON.stringify(error.details)}`;
          if (path !== join(outside, name)) assert.ok(!text.includes(outside), text);
          const kind = `${use} by ${path === join(outside, name) ? "path" : "link"}`;
          const seen = messages.get(kind) ?? new Set();
          messages.set(kind, seen.add(text.replaceAll(name, "NAME").replaceAll(path, "PATH")));
        }
      }
    }
    for (const [kind, texts] of messages) assert.equal(texts.size, 1, `${kind}: ${[...texts].join("\n")}`);
    chmodSync(join(outside, "locked"), 0o700);
  },

  "messages name paths as the workspace does, not by where it lies": async ({ root, workspace }) => {
    const { files } = workspace;
    mkdirSync(join(root, "directory"));
    writeFileSync(join(root, "file"), "");
    const failing: Readonly<Record<string, () => Promise<unknown>>> = {
      directory: () => files.read(join(root, "directory")),
      file: () => files.list(join(root, "file")),
      missing: () => files.read(join(root, "missing")),
    };
    for (const [name, fails] of Object.entries(failing)) {
      await assert.rejects(fails, ({ message }: Error) => message.includes(`"${name}"`) && !message.includes(root));
    }
  },

  "a directory or file exchanged for a link between check and use never leads out": async (scene) => {
    const { outside, workspace } = scene;
    const { files } = workspace;
    writeFileSync(join(outside, "secret.txt"), "the secret");
    writeFileSync(join(outside, "canary"), "");
    const before = snapshot(outside);
    const flipper = spawn(process.execPath, [scene.flipScript, scene.root, outside], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(flipper.stdout, "data");
    const outcomes: Record<string, number> = {};
    const attempt = async (name: string, work: () => Promise<void>) => {
      const outcome = await work().then(
        () => name,
        (error: unknown) => (isHarnessError(error) ? error.code : Promise.reject(error)),
      );
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    };
    try {
      for (let count = 0; count < RACES; count++) {
        await attempt("read", async () => {
          assert.notEqual(Buffer.from(await files.read("flip/secret.txt")).toString(), "the secret");
        });
        await attempt("told", async () => {
          assert.notEqual((await files.stat("flip/secret.txt")).size, "the secret".length);
        });
        await attempt("listed", async () => {
          assert.ok(!(await files.list("flip")).some(({ name }) => name === "canary"));
        });
        await attempt("written", async () => void (await files.write(`flip/new/${count}`, bytes("x"))));
        await attempt("overwritten", async () => void (await files.write("flip/secret.txt", bytes("harmless"))));
        await attempt("made", () => files.makeDirectory(`flip/made/${count % 7}`));
      }
    } finally {
      flipper.kill("SIGKILL");
    }
    assert.deepEqual(snapshot(outside), before);
    for (const outcome of ["read", "written", "made", "PATH_OUTSIDE"]) {
      assert.ok(outcomes[outcome]! > 0, `no attempt ended as ${outcome}: ${JSON.stringify(outcomes)}`);
    }
  },
};

/** What only a user without rights meets; root may do all of it. */
export const attacksWithoutRights: Readonly<Record<string, Attack>> = {
  "what may not be read, written or entered is said so, and nothing is left behind": async ({ root, workspace }) => {
    const { files } = workspace;
    mkdirSync(join(root, "locked"));
    writeFileSync(join(root, "locked/x"), "x");
    mkdirSync(join(root, "frozen"));
    writeFileSync(join(root, "frozen/x"), "x");
    writeFileSync(join(root, "unreadable"), "x");
    chmodSync(join(root, "unreadable"), 0o200);
    chmodSync(join(root, "frozen"), 0o500);
    chmodSync(join(root, "locked"), 0);
    const failsWith = (work: Promise<unknown>, code: "PATH_INVALID" | "TOOL_FAILED") =>
      assert.rejects(work, (error: Error) => isHarnessError(error, code) && !error.message.includes(root));

    await failsWith(files.read("locked/x"), "PATH_INVALID");
    await failsWith(files.write("locked/x", bytes("y")), "PATH_INVALID");
    await failsWith(files.write("frozen/x", bytes("y")), "TOOL_FAILED");
    await failsWith(files.write("frozen/new", bytes("y")), "TOOL_FAILED");
    await failsWith(files.makeDirectory("frozen/new"), "TOOL_FAILED");
    await failsWith(files.read("unreadable"), "TOOL_FAILED");
    assert.deepEqual(readdirSync(join(root, "frozen")), ["x"]);
    assert.equal((await files.stat("unreadable")).size, 1);
    await files.write("unreadable", bytes("replaced"));
    assert.equal((await files.stat("unreadable")).mode, 0o200);
    chmodSync(join(root, "locked"), 0o700);
    chmodSync(join(root, "frozen"), 0o700);
  },
};

/** Runs one attack in a directory of its own. */
export async function runAttack(attack: Attack, base: string, flipScript: string): Promise<void> {
  const real = realpathSync(base);
  const [root, outside] = [join(real, "root"), join(real, "outside")];
  mkdirSync(root);
  mkdirSync(outside);
  const workspace = await createWorkspace({ root });
  try {
    await attack({ root, outside, workspace, flipScript });
  } finally {
    await workspace.close();
  }
}
