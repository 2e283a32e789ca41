import { longPattern } from "../../../long-pattern.js";
import type { ProgramRow } from "../program-row.js";
import { BUILDS, VERSION } from "../reach.js";

/** Programs that check, test and change JavaScript sources, as the project's files say. */
export const JAVASCRIPT_TOOLS: Readonly<Record<string, ProgramRow>> = {
  tsc: {
    ...works("TypeScript 5 documentation"),
    informs: `${VERSION} -v`,
    flags: `-b -w -d -h -v --build --watch --noEmit --strict --declaration --sourceMap --incremental --skipLibCheck
      --showConfig --listFiles --listFilesOnly --pretty --force --clean --verbose --dry --init --esModuleInterop
      --allowJs --checkJs --removeComments --emitDeclarationOnly --noEmitOnError --noUnusedLocals --noUnusedParameters
      --noImplicitAny --resolveJsonModule --isolatedModules --diagnostics --extendedDiagnostics --traceResolution
      --explainFiles --preserveWatchOutput --composite --all --stopBuildOnErrors --strictNullChecks --downlevelIteration
      --experimentalDecorators --inlineSourceMap --declarationMap`,
    values: `-t -m --target --module --moduleResolution --jsx --lib --types --rootDir --typeRoots --baseUrl
      --maxNodeModuleJsDepth --locale`,
    loads: "-p --project",
    writes: "--outDir --outFile --declarationDir --tsBuildInfoFile --generateTrace --generateCpuProfile",
    singleDash: false,
  },
  eslint: {
    ...works("ESLint 9 documentation"),
    flags: `-v -h --fix --fix-dry-run --quiet --no-color --color --cache --debug --no-ignore --no-inline-config
      --no-error-on-unmatched-pattern --exit-on-fatal-error --report-unused-disable-directives --env-info
      --no-warn-ignored --stdin --no-eslintrc --pass-on-no-patterns --init --inspect-config --stats`,
    values: `--ext --rule --max-warnings --env --global --parser-options --fix-type --cache-strategy --ignore-pattern
      --stdin-filename --report-unused-disable-directives-severity --print-config --flag --suppress-rule`,
    loads: "-c --config -f --format --parser --plugin --rulesdir --resolve-plugins-relative-to --ignore-path",
    writes: "-o --output-file --cache-file --cache-location --suppressions-location",
  },
  prettier: {
    ...works("Prettier 3 documentation"),
    flags: `-c -l -w -u -h --check --list-different --write --no-config --no-semi --single-quote --jsx-single-quote
      --bracket-same-line --no-bracket-spacing --use-tabs --cache --no-cache --ignore-unknown --no-color --color
      --no-error-on-unmatched-pattern --stdin --no-editorconfig --with-node-modules --support-info --require-pragma
      --insert-pragma --vue-indent-script-and-style --no-plugin-search`,
    values: `--parser --tab-width --print-width --trailing-comma --arrow-parens --end-of-line --prose-wrap --quote-props
      --log-level --loglevel --stdin-filepath --find-config-path --file-info --config-precedence --cache-strategy
      --html-whitespace-sensitivity --embedded-language-formatting --object-wrap --range-start --range-end`,
    loads: "--config --plugin --plugin-search-dir --ignore-path",
    writes: "--cache-location",
  },
  biome: {
    ...works("Biome 1.9 documentation"),
    flags: `-h -V --write --fix --unsafe --apply --apply-unsafe --verbose --staged --changed --no-errors-on-unmatched
      --error-on-warnings --skip-errors --json --use-server --files-ignore-unknown --organize-imports --linter
      --formatter`,
    values: `--colors --max-diagnostics --diagnostic-level --reporter --since --only --skip --stdin-file-path
      --log-level --log-kind --vcs-root --vcs-enabled --vcs-client-kind --vcs-use-ignore-file --indent-style
      --indent-width --line-width --quote-style --formatter-enabled --linter-enabled --organize-imports-enabled
      --assists-enabled --files-max-size --semicolons`,
    loads: "--config-path",
  },
  jest: {
    ...runsTests("Jest 29 documentation"),
    // It starts the one that the project brings.
    informs: undefined,
    flags: `-b -i -o -u -w -t -h -v -f -e --ci --bail --runInBand --onlyChanged --updateSnapshot --watch --watchAll
      --no-watch --coverage --no-coverage --verbose --silent --passWithNoTests --no-cache --clearCache
      --detectOpenHandles --forceExit --listTests --json --debug --expand --lastCommit --findRelatedTests --logHeapUsage
      --colors --no-color --errorOnDeprecated --notify --useStderr --onlyFailures --all --noStackTrace --injectGlobals
      --showConfig --detectLeaks`,
    values: `-t --testNamePattern --testPathPattern --testPathPatterns --testPathIgnorePatterns --maxWorkers
      --testTimeout --shard --changedSince --selectProjects --ignoreProjects --coverageReporters --collectCoverageFrom
      --coverageThreshold --maxConcurrency --seed --projects --testMatch --coverageProvider --watchPathIgnorePatterns
      --workerIdleMemoryLimit`,
    attached: "--bail --coverage",
    loads: `-c --config --rootDir --roots --setupFiles --setupFilesAfterEnv --globalSetup --globalTeardown --env
      --testEnvironment --reporters`,
    writes: "--outputFile --coverageDirectory --cacheDirectory",
    hazardValues:
      "--follower --testRunner --testResultsProcessor --transform --resolver --preset --filter --testSequencer",
  },
  vitest: {
    ...runsTests("Vitest 3 documentation"),
    flags: `-u -w -h -v --run --watch --update --ui --open --silent --dom --globals --passWithNoTests --allowOnly
      --no-isolate --isolate --no-file-parallelism --fileParallelism --coverage --no-coverage --typecheck
      --hideSkippedTests --bail --changed --dangerouslyIgnoreUnhandledErrors --no-color --color --logHeapUsage
      --expandSnapshotDiff --clearCache --no-watch --standalone --printConsoleTrace --cache --no-cache --poolOptions
      --segfaultRetry --teardownTimeout --slowTestThreshold`,
    values: `-t --testNamePattern --project --maxWorkers --minWorkers --pool --environment --reporter --retry
      --testTimeout --hookTimeout --bail --shard --exclude --mode --maxConcurrency --port --host --inspect --diff
      --sequence --tags`,
    attached: "--changed --coverage --silent --retry --bail --inspect-brk",
    harmless: longPattern`^--(?:coverage|browser|poolOptions|sequence|typecheck|expect|api|deps|server|sequence|
      experimental)\.[\w.]+(?:=[\w,.:/*-]*)?$`,
    loads: "-c --config --root -r --dir --workspace --globalSetup",
    writes: "--outputFile --coverage.reportsDirectory",
    hazardValues: "--coverage.customProviderModule --typecheck.checker",
  },
  mocha: {
    ...runsTests("Mocha 10 documentation"),
    // It runs the project's `.mocharc.js` first.
    informs: undefined,
    flags: `-b -c -C -d -n -w -p -R -s -h -V -j -i --bail --recursive --watch --parallel --exit --color --colors
      --no-colors --full-trace --check-leaks --diff --no-diff --dry-run --forbid-only --forbid-pending --sort
      --inline-diffs --delay --async-only --invert --fail-zero --list-reporters --list-interfaces
      --pass-on-failing-test-suite`,
    values: `-g -f -t -R -s -j -u --grep --fgrep --timeout --reporter --slow --jobs --ui --retries --extension --ignore
      --exclude --global --watch-files --watch-ignore -O --reporter-option --reporter-options`,
    loads: "-r --require --config --package --file --spec --import --loader",
  },
};

function works(manual: string): ProgramRow {
  return { manual, does: BUILDS, informs: VERSION, operands: "mention", repeatable: [""] };
}

function runsTests(manual: string): ProgramRow {
  return { ...works(manual), informs: `${VERSION} -v` };
}
