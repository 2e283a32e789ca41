// A sandbox of the AI SDK that is a directory of this machine: what a host hands over, and this harness leaves alone.
import { exec } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { HarnessV1NetworkSandboxSession, HarnessV1SandboxProvider } from "@ai-sdk/harness";

export function localSandbox(directory: string): HarnessV1SandboxProvider {
  const session = async () => sessionIn(directory);
  return {
    specificationVersion: "harness-sandbox-v1",
    providerId: "local",
    createSession: session,
    resumeSession: session,
  };
}

function sessionIn(directory: string): HarnessV1NetworkSandboxSession {
  const at = (path: string) => resolve(directory, path);
  const read = (path: string) => readFile(at(path)).catch(() => null);
  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), content);
  };
  const refuse = () => Promise.reject(new Error("This sandbox has no ports and no streams."));
  const session = {
    id: "local",
    description: "A directory of this machine.",
    defaultWorkingDirectory: directory,
    ports: [],
    readFile: refuse,
    readBinaryFile: async ({ path }: { path: string }) => read(path),
    readTextFile: async ({ path }: { path: string }) => (await read(path))?.toString("utf8") ?? null,
    writeFile: refuse,
    writeBinaryFile: ({ path, content }: { path: string; content: Uint8Array }) => write(path, content),
    writeTextFile: ({ path, content }: { path: string; content: string }) => write(path, content),
    run: ({ command, workingDirectory, env }: { command: string; workingDirectory?: string; env?: object }) =>
      new Promise((done) => {
        const options = { cwd: workingDirectory ?? directory, env: { ...process.env, ...env } };
        const child = exec(command, options, (_, stdout, stderr) =>
          done({ exitCode: child.exitCode ?? 1, stdout, stderr }),
        );
      }),
    spawn: refuse,
    getPortEndpoint: refuse,
    getPortUrl: refuse,
    stop: async () => {},
    destroy: async () => {},
    restricted: () => session,
  } as unknown as HarnessV1NetworkSandboxSession;
  return session;
}
