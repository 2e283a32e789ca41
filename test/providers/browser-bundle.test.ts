import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";

test.each(["anthropic", "google", "ai-sdk", "openai"])(
  "%s bundles for the browser, without node modules or an SDK",
  async (name) => {
    const { metafile, outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL(`../../src/providers/${name}/index.ts`, import.meta.url))],
      bundle: true,
      minify: true,
      platform: "browser",
      format: "esm",
      write: false,
      metafile: true,
      logLevel: "silent",
    });
    const foreign = Object.keys(metafile.inputs).filter((input) => /node:|node_modules/.test(input));

    expect(foreign).toEqual([]);
    expect(outputFiles[0]!.text).not.toMatch(/require\(|from\s*"(?!\.)/);
  },
);
