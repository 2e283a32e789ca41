import { rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { build } from "esbuild";
import { expect, test } from "vitest";
import * as errors from "../../src/contracts/errors.js";
import { temporaryDirectory } from "../workspace/temporary-workspace.js";

test("errors keep their names in a minified bundle, where they are printed and where they are sent", async () => {
  const directory = await temporaryDirectory();
  const outfile = join(directory, "errors.mjs");
  await build({
    stdin: { contents: 'export { ToolError, RunAbortedError } from "./src/contracts/errors.ts";', resolveDir: "." },
    bundle: true,
    format: "esm",
    minify: true,
    outfile,
  });
  const { ToolError, RunAbortedError } = (await import(pathToFileURL(outfile).href)) as typeof errors;
  await rm(outfile);

  const error = new ToolError("TOOL_FAILED", { message: "broken" });

  expect([String(error), inspect(error).split("\n")[0]]).toEqual([
    "ToolError: broken",
    expect.stringMatching(/^ToolError: broken/),
  ]);
  expect(error.toJSON()).toMatchObject({ name: "ToolError", message: "broken" });
  expect(new RunAbortedError("enough").name).toBe("RunAbortedError");
});

test("every error class has its own name, and one of a host's own keeps its", () => {
  const classes = Object.entries(errors).filter(
    ([, value]) => typeof value === "function" && /Error$/.test(value.name),
  );
  class OwnError extends errors.ToolError {}

  expect(classes.length).toBeGreaterThan(8);
  for (const [name, value] of classes) expect(value.name).toBe(name);
  expect(new OwnError("TOOL_FAILED", { message: "x" }).name).toBe("OwnError");
});
