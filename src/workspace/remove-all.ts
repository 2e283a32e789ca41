import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Removes a directory with all that commands have left in it, also directories without write permission. */
export async function removeAll(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true }).catch(async () => {
    await makeWritable(directory);
    await rm(directory, { recursive: true, force: true });
  });
}

async function makeWritable(directory: string): Promise<void> {
  await chmod(directory, 0o700);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(directory, entry.name));
  }
}
