import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { loadPeer } from "../../../src/providers/shared/load-peer.js";

const PEER = { name: "some-peer", range: "^1", neededBy: "thing()" };

test("an error of a peer that is installed is passed on", async () => {
  const inner = Object.assign(new Error("Cannot find package 'another' imported from /x"), {
    code: "ERR_MODULE_NOT_FOUND",
  });

  await expect(loadPeer(PEER, () => Promise.reject(inner))).rejects.toBe(inner);
});

for (const format of ["esm", "cjs"] as const) {
  test(`without the SDK, ${format} code loads, and its first request says what to install`, async () => {
    const dir = await mkdtemp(join(tmpdir(), "no-peer-"));
    try {
      const file = join(dir, format === "esm" ? "main.mjs" : "main.cjs");
      const { outputFiles } = await build({
        stdin: {
          contents: `
            import { openai } from "./src/providers/openai/index.ts";
            const stream = openai({ model: "m", apiKey: "k" }).stream({ system: [], tools: [], messages: [], sessionId: "", signal: new AbortController().signal });
            stream.next().catch((error) => console.log(JSON.stringify({ code: error.code, message: error.message })));`,
          resolveDir: process.cwd(),
        },
        bundle: true,
        write: false,
        format,
        platform: "node",
        external: ["openai"],
      });
      await writeFile(file, outputFiles[0]!.text);

      const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: dir });

      expect(JSON.parse(stdout)).toEqual({
        code: "PEER_MISSING",
        message: 'openai() needs the package "openai", which is not installed. Run: npm install "openai@>=6 <8".',
      });
    } finally {
      await rm(dir, { recursive: true });
    }
  });
}
