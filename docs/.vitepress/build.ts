// Builds the site: `npm run docs`. The reference of the import paths first, then the pages, then every link is followed.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, type TypeDocOptions } from "typedoc";
import type { PluginOptions } from "typedoc-plugin-markdown";
import { build } from "vitepress";
import { brokenSiteLinks } from "./check-links.js";
import { llmsText } from "./llms.js";
import { DOCS } from "./pages.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const API = join(DOCS, "api");

const REFERENCE: Partial<TypeDocOptions & PluginOptions> = {
  name: "loopwright",
  out: API,
  plugin: ["typedoc-plugin-markdown"],
  tsconfig: join(ROOT, "tsconfig.json"),
  entryPoints: entryPoints(),
  router: "module",
  readme: "none",
  hideBreadcrumbs: true,
  hidePageHeader: true,
  disableSources: true,
  skipErrorChecking: true, // `npm run types` checks them.
  sort: ["alphabetical"],
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  typeDeclarationFormat: "table",
  useCodeBlocks: true,
  useHTMLAnchors: true,
  logLevel: "Error",
};

/** What package.json exports. */
function entryPoints(): string[] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { exports: object };
  const paths = Object.keys(exports).filter((path) => !path.endsWith(".json"));
  return paths.map((path) => join(ROOT, "src", path, "index.ts"));
}

/** One page for each import path, from the docstrings. */
async function writeReference(): Promise<void> {
  rmSync(API, { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins(REFERENCE);
  const project = await app.convert();
  if (!project) throw new Error("TypeDoc could not read the sources; see its messages above.");
  await app.generateOutputs(project);
  rmSync(join(API, "README.md"));
  for (const file of readdirSync(API, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".md")) continue;
    const path = join(API, file);
    // Headed by what a reader imports.
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace(/^# (.+)$/m, (_, name) => `# ${importPathOf(name)}`),
    );
  }
}

function importPathOf(module: string): string {
  return module === "index" ? "loopwright" : `loopwright/${module}`;
}

await writeReference();
writeFileSync(join(DOCS, "llms.txt"), llmsText());
await build(DOCS);
const broken = brokenSiteLinks(join(DOCS, ".vitepress/dist"), process.env.DOCS_BASE ?? "/");
for (const link of broken) console.error(`broken link: ${link}`);
if (broken.length > 0) process.exitCode = 1;
