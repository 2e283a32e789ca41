import { writeFileSync } from "node:fs";
import { PROGRAM_PAGE, programPage } from "./program-page.js";

writeFileSync(PROGRAM_PAGE, programPage());
