import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts the chat server of `programs/model-server.ts`, so that its work is not counted as the contenders'. */
export async function startModelServer(
  program: string,
  args: readonly string[] = [],
): Promise<{ readonly url: string; stop(): void }> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { url: line.toString().trim(), stop: () => child.kill() };
}
