// Writes src/programs/isolate/worker-source.ts. Run it after a change in worker-thread.ts or program-vm.ts: npm run programs
import { writeFileSync } from "node:fs";
import { WORKER_SOURCE_FILE, workerSource } from "./worker-source.js";

writeFileSync(WORKER_SOURCE_FILE, await workerSource());
