// The reference of the import paths, from the docstrings: an index for each path, and a page for each name that it exports.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Application,
  type DeclarationReflection,
  PageEvent,
  type Reflection,
  ReflectionKind,
  type TypeDocOptions,
} from "typedoc";
import { MemberRouter, type PluginOptions } from "typedoc-plugin-markdown";
import { directoryOf, indexPage, namePage } from "./api-pages.js";
import { API, DOCS } from "./pages.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const OPTIONS: Partial<TypeDocOptions & PluginOptions> = {
  name: "loopwright",
  out: join(DOCS, API),
  plugin: ["typedoc-plugin-markdown"],
  tsconfig: join(ROOT, "tsconfig.json"),
  entryPoints: entryPoints(),
  router: "name",
  readme: "none",
  hideBreadcrumbs: true,
  hidePageHeader: true,
  hidePageTitle: true,
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

/** Pages are where the import path says: `tools/` for `loopwright/tools`, `tools/builtinTools` for its `builtinTools`. */
class NameRouter extends MemberRouter {
  override getIdealBaseName(reflection: Reflection): string {
    if (reflection.kind === ReflectionKind.Module) return `${directoryOf(reflection)}index`;
    return directoryOf(reflection.parent!) + reflection.name;
  }
}

/** Writes docs/api. */
export async function writeReference(): Promise<void> {
  rmSync(join(DOCS, API), { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins(OPTIONS);
  app.renderer.defineRouter("name", NameRouter);
  app.renderer.on(PageEvent.END, (page) => {
    const model = page.model as DeclarationReflection;
    const urlOf = (reflection: Reflection) => app.renderer.router!.getFullUrl(reflection);
    if (model.kind === ReflectionKind.Module) page.contents = indexPage(model, urlOf);
    else if (model.parent) page.contents = namePage(model, urlOf, page.contents ?? "");
  });
  const project = await app.convert();
  if (!project) throw new Error("TypeDoc could not read the sources; see its messages above.");
  await app.generateOutputs(project);
  rmSync(join(DOCS, API, "README.md"));
}
