// Writes docs/llms.txt: `npm run docs:llms`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { llmsText } from "./llms.js";
import { DOCS } from "./pages.js";

writeFileSync(join(DOCS, "llms.txt"), llmsText());
