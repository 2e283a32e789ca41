// Distinguishing a living process from a dead one although process ids are reused: a process is its id and its start.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * When a process started, as a string that never occurs twice for its id; `null` where that cannot be found out; `"dead"`
 * when there is no such process, or only the remains of one that ended.
 */
export async function startOf(pid: number): Promise<string | null> {
  if (!exists(pid)) return "dead";
  if (process.platform === "linux") return startOnLinux(pid);
  if (process.platform === "win32") return null;
  return startByPs(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, but belongs to another user.
    return (error as { code?: unknown }).code !== "ESRCH";
  }
}

async function startOnLinux(pid: number): Promise<string | null> {
  try {
    const boot = (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
    const status = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold anything; the state follows it, and the start is the 20th field from there.
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return "dead";
    return fields[19] === undefined ? null : `${boot}:${fields[19]}`;
  } catch {
    return null;
  }
}

async function startByPs(pid: number): Promise<string | null> {
  try {
    const { stdout } = await execute("ps", ["-o", "lstart=", "-p", String(pid)], { env: { LC_ALL: "C", TZ: "UTC" } });
    return stdout.trim() || null;
  } catch {
    return null;
  }
}
