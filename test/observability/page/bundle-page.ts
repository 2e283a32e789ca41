// The session page's script and style as the library embeds them: bundled from page.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export const CLIENT = fileURLToPath(new URL("../../../page", import.meta.url));
export const ASSETS = fileURLToPath(new URL("../../../src/observability/page/page-assets.ts", import.meta.url));

/** The source of `page-assets.ts`. */
export async function pageAssets(): Promise<string> {
  const common = { bundle: true, minify: true, write: false, charset: "utf8", logLevel: "error" } as const;
  const target = ["chrome123", "firefox120", "safari17.5"];
  const script = await build({
    ...common,
    target,
    entryPoints: [`${CLIENT}/main.ts`],
    format: "iife",
    legalComments: "none",
  });
  const style = await build({ ...common, entryPoints: [`${CLIENT}/page.css`] });
  return `// Written by \`npm run page\` from page/. Do not edit.
export const PAGE_SCRIPT = ${quoted(script.outputFiles[0]!.text)};
export const PAGE_STYLE = ${quoted(style.outputFiles[0]!.text)};
`;
}

/** A string as the formatter writes it. Neither may end the element it stands in. */
function quoted(text: string): string {
  if (/<\/(?:script|style)|<!--/i.test(text)) throw new Error("The page's assets hold what would end their element.");
  const escaped = text.trim().replace(/[\\`]|\$\{/g, "\\$&");
  return `\`${escaped}\``;
}
