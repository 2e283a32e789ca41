import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { localMachine } from "loopwright/workspace";
import { expect, test } from "vitest";
import { quotedForShell } from "../../../src/text/quoted-for-shell.js";
import { runs } from "../../runs.js";
import { openMachine, sharedDirectory } from "./open-machine.js";

const anyText = fc
  .string({ unit: "binary", maxLength: 40 })
  .filter((text) => !text.includes("\0") && text.isWellFormed());

test.each(["sh", "bash"])("any text is one word of %s", (shell) => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 50 }), (texts) => {
      const script = `printf '%s\\0' ${texts.map(quotedForShell).join(" ")}`;
      expect(execFileSync(shell, ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1)).toEqual(texts);
    }),
    { numRuns: runs(20, 50, 500) },
  );
});

test("any name that a file can have is written, listed and read on a machine", async () => {
  const { files } = await openMachine(localMachine(), { root: await sharedDirectory() });
  const name = anyText.filter((text) => !/^(?:\.*|~.*)$|\/|^file:/is.test(text) && Buffer.byteLength(text) < 200);
  await fc.assert(
    fc.asyncProperty(name, async (each) => {
      await files.write(`d/${each}`, Buffer.from(each));
      expect((await files.list("d")).map((entry) => entry.name)).toEqual([each]);
      expect(Buffer.from(await files.read(`d/${each}`)).toString()).toBe(each);
      await files.remove!(`d/${each}`);
    }),
    { numRuns: runs(30, 60, 500) },
  );
});
