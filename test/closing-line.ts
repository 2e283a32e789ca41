import type { Reporter, TestModule } from "vitest/node";

/** Prints one closing line with the numbers, and fails a CI run in which a test was skipped. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: "passed" | "failed" | "skipped") =>
      tests.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.state() === "failed" && module.errors().length > 0).length;
    const skipped = count("skipped");
    for (const test of tests.filter((each) => each.diagnostic()?.flaky))
      console.log(`at the second try only: ${test.module.relativeModuleId} > ${test.fullName}`);
    console.log(`${count("passed")} passed, ${count("failed") + broken} failed, ${skipped} skipped`);
    if (process.env.CI && skipped > 0) process.exitCode = 1;
  }
}
