// Runs every attack in the directory that is passed and prints which failed, for a process of another user.
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { attacks, attacksWithoutRights, runAttack } from "./sandbox-attacks.js";

const [directory = "."] = process.argv.slice(2);
const failures: string[] = [];
for (const [name, attack] of Object.entries({ ...attacks, ...attacksWithoutRights })) {
  await runAttack(attack, mkdtempSync(join(directory, "attack-")), join(directory, "flip-link.mjs")).catch(
    (error: Error) => {
      failures.push(`${name}: ${error.stack}`);
    },
  );
}
process.stdout.write(JSON.stringify({ uid: process.getuid?.(), failures }));
