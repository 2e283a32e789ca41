import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The chat for several users as a process that can be killed and started again at its address. */
export class UsersProcess {
  readonly #data = mkdtempSync(join(tmpdir(), "loopwright-users-"));
  #child: ChildProcess | undefined;
  port = 0;

  constructor(private readonly paceMs: number) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const server = "examples/chat-for-users/server.ts";
    const options = ["--port", String(this.port), "--data", this.#data, "--pace", String(this.paceMs)];
    const child = spawn(process.execPath, ["--import", "tsx", server, ...options], {
      cwd: ROOT,
      env: { PATH: process.env.PATH },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    let printed = "";
    this.port = await new Promise<number>((resolve, reject) => {
      const read = (text: Buffer) => {
        printed += text;
        const port = /127\.0\.0\.1:(\d+)/.exec(printed)?.[1];
        if (port) resolve(Number(port));
      };
      child.stdout!.on("data", read);
      child.stderr!.on("data", read);
      child.once("exit", () => reject(new Error(`The server ended: ${printed}`)));
    });
  }

  /** Ends the process at once, as a crash would. */
  async kill(): Promise<void> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#data, { recursive: true, force: true });
  }
}
