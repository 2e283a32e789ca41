// Builds the site: `npm run docs`. The reference of the import paths first, then the pages, then every link is followed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vitepress";
import { brokenSiteLinks } from "./check-links.js";
import { llmsText } from "./llms.js";
import { DOCS } from "./pages.js";
import { writeReference } from "./reference.js";

await writeReference();
writeFileSync(join(DOCS, "llms.txt"), llmsText());
await build(DOCS);
const broken = brokenSiteLinks(join(DOCS, ".vitepress/dist"), process.env.DOCS_BASE ?? "/");
for (const link of broken) console.error(`broken link: ${link}`);
if (broken.length > 0) process.exitCode = 1;
