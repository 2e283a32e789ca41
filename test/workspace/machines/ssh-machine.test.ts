import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sshMachine } from "loopwright/workspace";
import { expect, onTestFinished, test } from "vitest";

test("a connection removes the empty directories of hosts that have ended, and no others", async () => {
  const { pid: ended } = spawnSync(process.execPath, ["-e", ""]);
  const directory = (id: number, name: string) => {
    const path = join(tmpdir(), `loopwright-ssh-${id}-${name}`);
    mkdirSync(path);
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    return path;
  };
  const left = directory(ended, "left");
  const connected = directory(ended, "connected");
  writeFileSync(join(connected, "socket"), "");
  const alive = directory(process.pid, "alive");
  const machine = sshMachine({ host: "127.0.0.1", port: 1 });

  await expect(machine.start(["true"])).rejects.toMatchObject({ code: "TOOL_FAILED" });
  await machine.close?.();

  expect([left, connected, alive].map((path) => existsSync(path))).toEqual([false, true, true]);
});
