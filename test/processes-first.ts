import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What files that start processes have in their imports. */
const STARTS_PROCESSES =
  /child_process|node-pty|\/(bundled|kit|servers|open-shell|recording-shell|temporary-workspace|editor)\.js"|shell\/|startChild/;

/**
 * Runs what starts processes first: to start one copies the page tables of the worker that does it, and a worker that has run
 * two hundred files is five times as large as one that has run none.
 */
export class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isEarly = sorted.map(({ moduleId }) => STARTS_PROCESSES.test(readFileSync(moduleId, "utf8")));
    return [...sorted.filter((_, at) => isEarly[at]), ...sorted.filter((_, at) => !isEarly[at])];
  }
}
