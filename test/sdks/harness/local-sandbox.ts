// A sandbox of the AI SDK that is a directory of this machine, with a home and a port of its own: what a host hands over. Harnesses that
// work elsewhere leave it alone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { HarnessV1NetworkSandboxSession, HarnessV1SandboxProvider } from "@ai-sdk/harness";

/** Has `pnpm`, by which adapters install what they start in a sandbox. */
const PROGRAMS = join(import.meta.dirname, "../node_modules/.bin");

export function localSandbox(directory: string): HarnessV1SandboxProvider {
  const session = async () => sessionIn(directory, await freePort());
  return {
    specificationVersion: "harness-sandbox-v1",
    providerId: "local",
    createSession: session,
    resumeSession: session,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = Object(server.address()) as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

interface Command {
  readonly command: string;
  readonly workingDirectory?: string;
  readonly env?: Record<string, string>;
  readonly abortSignal?: AbortSignal;
}

function sessionIn(directory: string, port: number): HarnessV1NetworkSandboxSession {
  const at = (path: string) => resolve(directory, path);
  const read = (path: string) => readFile(at(path)).catch(() => null);
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), content);
  };
  const start = ({ command, workingDirectory = directory, env, abortSignal }: Command) => {
    const PATH = [dirname(process.execPath), PROGRAMS, process.env.PATH].join(delimiter);
    return spawn("bash", ["-c", command], {
      cwd: at(workingDirectory),
      env: { ...process.env, PATH, HOME: directory, ...env },
      detached: true,
      ...(abortSignal && { signal: abortSignal }),
    });
  };
  const refuse = () => Promise.reject(new Error("This sandbox has no streams of files."));
  const session = {
    id: "local",
    description: "A directory of this machine.",
    defaultWorkingDirectory: directory,
    ports: [port],
    readFile: refuse,
    readBinaryFile: async ({ path }: { path: string }) => read(path),
    readTextFile: async ({ path }: { path: string }) => (await read(path))?.toString("utf8") ?? null,
    writeFile: refuse,
    writeBinaryFile: ({ path, content }: { path: string; content: Uint8Array }) => write(path, content),
    writeTextFile: ({ path, content }: { path: string; content: string }) => write(path, content),
    run: async (command: Command) => {
      const child = start(command);
      child.stdin.end();
      const ended = once(child, "close");
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      await ended;
      return { exitCode: child.exitCode ?? 1, stdout, stderr };
    },
    spawn: async (command: Command) => {
      const child = start(command);
      const ended = once(child, "close");
      return {
        pid: child.pid,
        stdout: Readable.toWeb(child.stdout),
        stderr: Readable.toWeb(child.stderr),
        wait: async () => ({ exitCode: Number((await ended)[0] ?? 1) }),
        kill: async () => {
          if (child.exitCode === null) process.kill(-child.pid!, "SIGKILL");
        },
      };
    },
    getPortEndpoint: async () => ({ url: `ws://127.0.0.1:${port}` }),
    getPortUrl: async () => `ws://127.0.0.1:${port}`,
    stop: async () => {},
    destroy: async () => {},
    restricted: () => session,
  } as unknown as HarnessV1NetworkSandboxSession;
  return session;
}
