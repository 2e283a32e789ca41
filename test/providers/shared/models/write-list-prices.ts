// Writes src/providers/shared/models/list-prices.ts with the prices of today. Run it after an update of
// @pydantic/genai-prices: npm run prices
import { writeFileSync } from "node:fs";
import { KNOWN_NAMES } from "./known-names.js";
import { LIST_FILE, listSource } from "./package-prices.js";

writeFileSync(LIST_FILE, listSource(new Date().toISOString().slice(0, 10), KNOWN_NAMES));
