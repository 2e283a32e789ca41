import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The web chat as a process of its own that can be killed and started again, behind a wire that can be cut. */
export class ChatProcess {
  readonly #data = mkdtempSync(join(tmpdir(), "loopwright-web-chat-"));
  readonly #open = new Set<Socket>();
  #wire: Server | undefined;
  #child: ChildProcess | undefined;
  #port = 0;
  url = "";

  /** `paceMs`: how long the recorded model waits before each few characters. */
  constructor(
    private readonly paceMs: number,
    private readonly maxEvents = 10_000,
  ) {}

  async start(): Promise<void> {
    const args = ["--import", "tsx", "examples/web-chat/server.ts", "--port", "0", "--data", this.#data];
    const child = spawn(
      process.execPath,
      [...args, "--pace", String(this.paceMs), "--max-events", String(this.maxEvents)],
      {
        cwd: ROOT,
        env: { PATH: process.env.PATH },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    this.#child = child;
    let printed = "";
    this.#port = await new Promise<number>((resolve, reject) => {
      const read = (text: Buffer) => {
        printed += text;
        const port = /127\.0\.0\.1:(\d+)/.exec(printed)?.[1];
        if (port) resolve(Number(port));
      };
      child.stdout!.on("data", read);
      child.stderr!.on("data", read);
      child.once("exit", () => reject(new Error(`The server ended: ${printed}`)));
    });
    if (!this.#wire) await this.#layWire();
  }

  /** Ends the process at once, as a crash or a loss of power would. */
  async kill(): Promise<void> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    this.cut();
  }

  /** Breaks every connection there is. New ones are made at once. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  async close(): Promise<void> {
    await this.kill();
    await new Promise((resolve) => this.#wire?.close(resolve) ?? resolve(undefined));
    rmSync(this.#data, { recursive: true, force: true });
  }

  /** One address, whatever port the process has. */
  async #layWire(): Promise<void> {
    const wire = createServer((client) => {
      const upstream = connect(this.#port, "127.0.0.1");
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#open.add(socket);
        socket.pipe(other);
        socket.on("error", () => other.destroy());
        socket.on("close", () => {
          this.#open.delete(socket);
          other.destroy();
        });
      }
    });
    await new Promise<void>((resolve) => wire.listen(0, "127.0.0.1", resolve));
    this.#wire = wire;
    const { port } = wire.address() as { port: number };
    this.url = `http://127.0.0.1:${port}/`;
  }
}
