import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ClosingLine } from "./test/closing-line.js";
import { ProcessesFirst } from "./test/processes-first.js";

const src = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^loopwright$/, replacement: src("index.ts") },
      { find: /^loopwright\/(.+)$/, replacement: src("$1/index.ts") },
    ],
  },
  test: {
    reporters: ["default", new ClosingLine()],
    setupFiles: ["test/property-seed.ts", "test/async-storages.ts"],
    // More than there are cores: many tests wait for processes, and none of them depends on being alone.
    maxWorkers: availableParallelism() + (process.env.CI === undefined ? 2 : 1),
    sequence: { sequencer: ProcessesFirst },
    // One process runs many files, as a host's process does: what a module keeps for its process must not hurt the next.
    isolate: false,
    // What a file was compiled to is kept for the next run, by its content. CI starts from nothing, as a clean clone does.
    experimental: { fsModuleCache: process.env.CI === undefined },
    unstubEnvs: true,
    // Ends what hangs. What is slow on a busy machine is no finding: most of these tests take a second, the slowest ten.
    testTimeout: process.env.PROVE ? 3_600_000 : 300_000,
    hookTimeout: 300_000,
    // What is polled for comes when a busy machine gets to it.
    expect: { poll: { timeout: 240_000, interval: 20 } },
    // A machine that stood still for minutes is no finding. A wrong result gets no second try; the closing line names the test.
    ...(process.env.CI && { retry: { count: 1, condition: /^(Test|Hook) timed out/ } }),
    projects: [
      {
        extends: true,
        test: {
          name: "node",
          globalSetup: ["test/temporary-directory.ts", "test/bundled.ts", "test/postgres/shared-server.ts"],
          include: ["test/**/*.test.ts"],
          // The tests of types, `test/types/*.test-d.ts`, are compiled by `npm run types`.
        },
      },
      // Needs a Chromium on the machine, which `npm test` must not.
      { extends: true, test: { name: "browser", include: ["test/browser/**/*.spec.ts"] } },
      {
        extends: true,
        // The AI SDK's newest major reads the same chats as the one of `npm test`, which runs on Node 20.
        resolve: {
          alias: [
            { find: /^ai$/, replacement: fileURLToPath(new URL("./test/sdks/node_modules/ai", import.meta.url)) },
          ],
        },
        // Needs the SDKs of other projects, which `npm run test:sdks` installs, Node 22, a Chromium and Python.
        test: {
          name: "sdks",
          globalSetup: ["test/bundled.ts"],
          include: [
            "test/sdks/**/*.spec.ts",
            "test/harbor/*.spec.ts",
            "test/http/{views/to-ui-message-stream,views/made-media,messages/*}.test.ts",
          ],
        },
      },
      {
        extends: true,
        // Needs root, a Docker engine, OpenSSH and busybox, which it starts itself: `npm run test:machines`.
        test: {
          name: "machines",
          include: ["test/machines/**/*.spec.ts"],
          globalSetup: ["test/machines/real-parts.ts"],
        },
      },
      // Needs bubblewrap and socat.
      { extends: true, test: { name: "sandbox", include: ["test/sandbox/**/*.spec.ts"] } },
    ],
  },
});
