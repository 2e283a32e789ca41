import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Runs a bundled program of this directory in a fresh process and reads the JSON it prints. */
export async function readProgram<T>(
  path: string,
  args: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<T> {
  const { stdout } = await execute(process.execPath, [...flags, path, ...args], { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as T;
}

/** The path of a program, as seen from a topic: both are bundled into sibling directories. */
export function programPath(name: string): string {
  return new URL(`../programs/${name}.mjs`, import.meta.url).pathname;
}
