import { build } from "esbuild";
import { expect, test } from "vitest";

/** What the program loads until its first frame is drawn; of these files one imports the next when it is needed. */
const ON_THE_WAY = [
  "src/program/main.ts",
  "src/program/chat/begin-chat.ts",
  "src/program/terminal/screen/first-screen.ts",
  "src/program/terminal/settings/terminal-settings.ts",
];

test("the first frame needs neither the engine nor permissions, tools or sessions", async () => {
  const { metafile } = await build({
    entryPoints: ON_THE_WAY,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    outdir: "unused",
    write: false,
    metafile: true,
  });
  const loaded = new Set(ON_THE_WAY);
  for (const file of loaded) {
    for (const { path, kind, external } of metafile.inputs[file]!.imports)
      if (!external && kind === "import-statement") loaded.add(path);
  }

  const modules = new Set([...loaded].map((file) => file.split("/")[1]));
  expect([...modules].sort()).toEqual(["contracts", "json", "program", "text"]);
});
