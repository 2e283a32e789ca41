import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { localMachine } from "loopwright/workspace";
import { expect, test } from "vitest";
import { BOOT, FILE_FUNCTIONS } from "../../../src/workspace/machines/helper-script.js";
import { openMachine, sharedDirectory } from "./open-machine.js";

/** A machine that takes no file over 512,000 bytes. */
const small = localMachine({ prefix: ["sh", "-c", `trap '' XFSZ; ulimit -f 1000; exec "$@"`, "sh"] });

test("what does not fit on the disk is not run as commands, and the next operation works", async () => {
  const root = await sharedDirectory();
  const { files } = await openMachine(small, { root });
  const bytes = (text: string) => new TextEncoder().encode(text);
  await files.write("kept", bytes("old"));
  const commands = `\nx\ntouch ${root}/run\nx\n`.repeat(100_000);

  await expect(files.write("kept", bytes(commands))).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: expect.stringContaining("EIO"),
  });
  await files.write("next", bytes("new"));

  expect(existsSync(join(root, "run"))).toBe(false);
  expect(readdirSync(root).sort()).toEqual(["kept", "next"]);
  expect(["kept", "next"].map((name) => readFileSync(join(root, name), "utf8"))).toEqual(["old", "new"]);
});

test.each([100, 200_000])("a write of %d bytes whose end never comes leaves the old file", async (length) => {
  const root = await sharedDirectory();
  const { files } = await openMachine(localMachine(), { root });
  await files.write("kept", new TextEncoder().encode("old"));
  const input = `a\n${FILE_FUNCTIONS}\na\nb\nreplace ${root} kept .new ${length} ''\nb\n${"n".repeat(length - 1)}`;

  const { stdout } = spawnSync("sh", ["-c", BOOT], { input, encoding: "utf8" });

  expect(stdout).toContain("\u0001b 5\n");
  expect(readdirSync(root)).toEqual(["kept"]);
  expect(readFileSync(join(root, "kept"), "utf8")).toBe("old");
});
