// Writes src/observability/page/page-assets.ts. Run it after a change in page: npm run page
import { writeFileSync } from "node:fs";
import { ASSETS, pageAssets } from "./bundle-page.js";

writeFileSync(ASSETS, await pageAssets());
