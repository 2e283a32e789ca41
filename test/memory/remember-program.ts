import { createFileFactStore } from "../../src/memory/index.js";

const [dir, name, count] = process.argv.slice(2) as [string, string, string];
const store = createFileFactStore({ dir });
for (let n = 0; n < Number(count); n++) {
  const text = `Process ${name} has counted to ${n} in this run.`;
  await store.remember({ text });
  process.stdout.write(`${text}\n`);
}
