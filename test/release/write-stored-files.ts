// Keeps what this version writes, for the tests of all later ones: `npx tsx test/release/write-stored-files.ts`, as a part of a release
// that changes a stored format. See docs/contributing/cut-a-release.md.
import { existsSync, readFileSync } from "node:fs";
import { writeStoredFiles } from "./stored-files.js";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const directory = `test/fixtures/stored/${version}`;
if (existsSync(directory)) {
  console.error(`${directory} is there already. Files of a released version are never written again.`);
  process.exitCode = 1;
} else {
  await writeStoredFiles(directory);
}
