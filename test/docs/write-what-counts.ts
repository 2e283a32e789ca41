// Writes what the readers' lists say into docs/reference/what-counts.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, readPage } from "./pages.js";
import { MARK, whatCounts } from "./what-counts.js";

const PAGE = "docs/reference/what-counts.md";
const [written] = readPage(PAGE).text.split(MARK);
writeFileSync(join(ROOT, PAGE), `${written}${MARK}\n\n${whatCounts()}`);
