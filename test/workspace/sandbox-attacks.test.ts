import { execFile } from "node:child_process";
import { chmod, chown, copyFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundleProgram, NOBODY, nodeForNobody } from "./bundled-program.js";
import { attacks, runAttack } from "./sandbox-attacks.js";
import { temporaryDirectory } from "./temporary-workspace.js";

const FLIP_SCRIPT = fileURLToPath(new URL("./flip-link.mjs", import.meta.url));

for (const [name, attack] of Object.entries(attacks)) {
  test(name, async () => {
    await runAttack(attack, await temporaryDirectory(), FLIP_SCRIPT);
  });
}

test("all of it holds for a user without root rights, too", async () => {
  const directory = await temporaryDirectory();
  const program = await bundleProgram(new URL("./sandbox-attacks-program.ts", import.meta.url), directory);
  await copyFile(FLIP_SCRIPT, join(directory, "flip-link.mjs"));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(directory, NOBODY, NOBODY);
  await chmod(directory, 0o755);

  const { stdout } = await promisify(execFile)(
    isRoot ? nodeForNobody(directory) : process.execPath,
    [program, directory],
    {
      cwd: directory,
      env: {
        PATH: process.env.PATH,
        HOME: directory,
        TMPDIR: directory,
        PROVE: process.env.PROVE,
        RUNS: process.env.RUNS,
      },
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    },
  );

  expect(JSON.parse(stdout)).toEqual({ uid: isRoot ? NOBODY : process.getuid?.(), failures: [] });
});
