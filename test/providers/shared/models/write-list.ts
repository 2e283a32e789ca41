// Writes src/providers/shared/models/generated-list.ts with the prices of today. Run it after an update of
// @pydantic/genai-prices: npm run models, which reads the newest catalogue first.
import { writeFileSync } from "node:fs";
import { KNOWN_NAMES } from "./known-names.js";
import { LIST_FILE, listSource } from "./list-source.js";

writeFileSync(LIST_FILE, listSource(new Date().toISOString().slice(0, 10), KNOWN_NAMES));
