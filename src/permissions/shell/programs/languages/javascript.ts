import { longPattern } from "../../../long-pattern.js";
import { mentionFiles } from "../../invocation/mentions.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { literalWord, type ShellWord } from "../../words/shell-word.js";
import { PUBLISHES } from "../destructive-words.js";
import type { DestroyingWords, ProgramRow } from "../program-row.js";
import { BUILDS, does, RUNS_CODE, TAKES_CODE, VERSION } from "../reach.js";

/** Options that npm, pnpm and yarn share, or that one of them knows and the others do not mind. */
const PACKAGES = {
  does: BUILDS,
  informs: `${VERSION} -v`,
  flags: `-g -D -S -O -E -P -B -f -s -q -d -dd -ddd -l -a -y -W -i -v -h -T --global --save --save-dev --save-optional
    --save-exact --save-prod --save-peer --no-save --dev --exact --tilde --peer --optional --legacy-peer-deps --force
    --silent --quiet --verbose --json --long --parseable --production --prod --dry-run --if-present --ignore-scripts
    --no-audit --audit --no-fund --fund --prefer-offline --prefer-online --offline --no-progress --progress
    --no-optional --no-package-lock --package-lock-only --package-lock --workspaces -ws --include-workspace-root -iwr
    --no-workspaces --all --yes --no --strict-peer-deps --no-color --no-update-notifier --timing --foreground-scripts
    --engine-strict --no-git-tag-version --git-tag-version --allow-same-version --no-commit-hooks --version --help
    --usage --recursive --parallel --stream --aggregate-output --no-bail --bail --workspace-root --frozen-lockfile
    --no-frozen-lockfile --immutable --immutable-cache --check-files --pure-lockfile --no-lockfile --flat
    --ignore-engines --ignore-optional --ignore-platform --non-interactive --no-bin-links --link-duplicates
    --skip-integrity-check --latest --interactive --compatible --sequential --sort --no-sort --shamefully-hoist
    --fix-lockfile --lockfile-only --no-optional --resolution-only --reporter-hide-prefix --check-cache --inline-builds
    --refresh-lockfile --topological --topological-dev --peer-deps --unicode --expand-workspaces --no-scripts
    --ignore-workspace --silent-errors --trust --no-cache --hot --watch --bun --smol --minify --outdated`,
  values: `-w -F -m -c --workspace --filter --filter-prod --registry --loglevel --omit --include --only --depth --tag
    --access --otp --scope --location --save-prefix --before --fetch-timeout --fetch-retries --maxsockets --noproxy
    --audit-level --node-version --install-strategy --preid --message --auth-type --cpu --os --libc --call --package
    --reporter --network-concurrency --network-timeout --changed-files-ignore-pattern --test-pattern --resume-from
    --child-concurrency --workspace-concurrency --mode --since --from --jobs -j --pattern --patterns --level --severity
    --target --format`,
  attached: "--color",
  reads: "--cafile",
  loads: "--prefix --dir -C --cwd --env-file",
  codes: "--userconfig --globalconfig --use-yarnrc",
  writes: "--pack-destination --cache --store-dir --modules-dir --virtual-store-dir --outfile --outdir",
  runs: `--script-shell --shell --node-options --git --editor --viewer --browser --init-module --python --node-gyp
    --config.script-shell --config.node-options`,
  escapes: { line: /^(?:config|c) (?:set|edit|delete|rm)\b|^set\b/, own: /^package\.json$/ },
  takesAll: /^(?:.* )?(?:pack|publish)(?: |$)/,
  analyze: startsProgram,
} satisfies Omit<ProgramRow, "manual">;

/** Words behind the name of a script, without dashes between, become variables of the script. */
const SCRIPT = { harmless: /^--[a-z][\w.-]*(?:=.*)?$/ } as const;
/** Options of tests and servers, behind the name of a script that takes them without dashes between. */
const SCRIPT_FLAGS = "-u -x";
const SCRIPT_VALUES = "-t -p -k -n";
/** The words that follow are for the program that is started. */
const STARTED = { endsAfter: 1 } as const;
const LISTING = `-l -g -a -p --long --json --parseable --global --prod --production --only-projects --all --dev --link
  --no-optional --outdated --recursive -r --no-color`;
const LISTS = { kind: "reads", flags: LISTING, values: "--depth --omit --include -w --workspace --filter" } as const;
/** The settings that hold no secret by their names. */
const PUBLIC_SETTING = /^run$|^config get (?!.*(?:auth|token|pass|cert|key|user))[a-z-]+$/;
/** Settings that leave alone where packages come from and are kept. */
const PLAIN_SETTING =
  /^config get (?:registry|store-dir|cache-dir|node-linker|npmRegistryServer|nodeLinker|cacheFolder|yarnPath)$/;
const SHOWS_SETTINGS = { kind: "reads", flags: "-l -g --json --long --global" } as const;
/** The destructive words of package managers: packages that others install, and scripts and programs of the project by their names. */
const PACKAGE_DESTROYS: DestroyingWords = [
  [
    longPattern`^(?:(?:npm |workspaces foreach (?:\S+ )*npm )?(?:publish|unpublish|deprecate|owner (?:rm|remove|add)|
      dist-tag (?:rm|add|set)|tag (?:remove|add)|access (?:set|revoke|public|restricted|grant)|token revoke|
      team (?:destroy|rm)|org (?:rm|set)|hook rm|profile (?:set|disable-2fa)))(?= |$)`,
    PUBLISHES,
  ],
  [
    longPattern`^(?:run |run-script |exec |x |dlx )?(?!(?:\S*cache|uninstall|remove|unlink|prune|un|rm|audit|
      update)\b)[a-z][\w:.-]*(?: [a-z][\w:.-]*){0,2} (?:[a-z\d]+[:._-])*(?:drop|reset|destroy|wipe|flush)(?= |$)|
      ^(?:run |run-script )?(?:[a-z\d]+[:._-])*(?:drop|destroy|nuke|wipe|reset|fresh)(?:[:._-][\w:-]+)?(?= |$)`,
    "runs a script or program that deletes, as its name says",
  ],
];

/** Programs that run JavaScript, install its packages, or work on its sources. */
export const JAVASCRIPT_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  npm: {
    manual: "npm 10 documentation",
    helps: longPattern`^(?:run|run-script|test|start|install|i|ci|exec|ls|audit|outdated|view|pack|publish|init|link|
      prune|update|uninstall|version)$`,
    steeredBy: ".npmrc",
    ...PACKAGES,
    commands: {
      "run|run-script|rum|test|t|tst|start|stop|restart": SCRIPT,
      "exec|x|explore": STARTED,
      "ls|list|ll|la|explain|why": LISTS,
      "root|prefix|bin|pkg get|config list|config ls": SHOWS_SETTINGS,
    },
    readsWords: PUBLIC_SETTING,
    aliases: {
      i: "install",
      in: "install",
      add: "install",
      isntall: "install",
      t: "test",
      tst: "test",
      "run-script": "run",
      x: "exec",
      un: "uninstall",
      rm: "uninstall",
      r: "uninstall",
      remove: "uninstall",
    },
    destroys: PACKAGE_DESTROYS,
    repeatable: ["test", "ci"],
    scripts: ["run"],
  },
  pnpm: {
    manual: "pnpm 8 documentation",
    steeredBy: "package.json .npmrc .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml .corepack.env",
    ...PACKAGES,
    flags: `${PACKAGES.flags} -r ${SCRIPT_FLAGS}`,
    values: `${PACKAGES.values} ${SCRIPT_VALUES}`,
    ...SCRIPT,
    commands: { "exec|dlx": STARTED, "ls|list|ll|why|root|bin": LISTS, "store path": SHOWS_SETTINGS },
    readsWords: PLAIN_SETTING,
    aliases: { i: "install", t: "test", rm: "remove", un: "remove", uninstall: "remove" },
    destroys: PACKAGE_DESTROYS,
    repeatable: ["test"],
    scripts: ["run"],
  },
  yarn: {
    manual: "Yarn 1.22 and 4 documentation",
    steeredBy: "package.json .yarnrc .yarnrc.yml .corepack.env",
    ...PACKAGES,
    flags: `${PACKAGES.flags} ${SCRIPT_FLAGS}`,
    values: `${PACKAGES.values} ${SCRIPT_VALUES}`,
    ...SCRIPT,
    commands: {
      "exec|dlx": STARTED,
      "list|why|bin": { ...LISTS, values: `${LISTS.values} --pattern` },
      "workspaces foreach": {
        flags: `-A -R -W -p -i -t -v --all --recursive --worktree --parallel --interlaced --topological
          --topological-dev --verbose`,
        values: "-j --jobs --include --exclude --from",
        endsAfter: 1,
      },
      "workspaces list": { kind: "reads", flags: "-v --json --verbose --no-private" },
    },
    readsWords: PLAIN_SETTING,
    destroys: PACKAGE_DESTROYS,
    repeatable: ["test"],
    scripts: ["run"],
  },
  bun: {
    manual: "Bun 1.0 documentation",
    ...PACKAGES,
    ...SCRIPT,
    informs: `${PACKAGES.informs} --revision`,
    commands: { x: STARTED, "pm ls|pm bin": LISTS },
    loads: `${PACKAGES.loads} -r --preload --config --tsconfig-override`,
    values: `${PACKAGES.values} -e -p --eval --print -t --timeout --rerun-each --test-name-pattern --port`,
    escapes: { ...PACKAGES.escapes, isCode: true },
    takesCode: TAKES_CODE,
    destroys: PACKAGE_DESTROYS,
    repeatable: ["test"],
    scripts: ["run"],
  },
  node: does(RUNS_CODE, "Node.js 20 documentation", {
    informs: `${VERSION} -v --v8-options`,
    posix: true,
    flags:
      "-i -c -v -h --check --interactive --test --watch --inspect --inspect-brk --cpu-prof --heap-prof --strip-types",
    values: `-e -p -pe --eval --print -C --conditions --input-type --test-name-pattern --test-concurrency --watch-path
      --title --run`,
    attached: "--inspect-port",
    reads: "--icu-data-dir --openssl-config",
    loads: `-r --require --import --loader --experimental-loader --env-file --env-file-if-exists --test-reporter
      --experimental-config-file --snapshot-blob --test-global-setup`,
    writes: `--cpu-prof-dir --heap-prof-dir --report-dir --report-directory --report-filename --diagnostic-dir
      --redirect-warnings --trace-event-file-pattern --test-reporter-destination --cpu-prof-name --build-snapshot`,
    harmless: longPattern`^--(?:max|min|stack|harmony|experimental|trace|no|enable|heap|unhandled|preserve|throw|use|
      expose|frozen|secure|test|disable|es-module|watch|force|abort|verify|zero|network|interpreted|gc|jit|sparkplug|
      prof)[\w-]*(?:=[\w,.-]*)?$`,
    lastOptions: "-e -p -pe --eval --print",
    escapes: { isCode: true },
    takesCode: TAKES_CODE,
    // It looks for mistakes in a file, and runs nothing.
    operands: "mention",
    checks: /^(?:-c|--check)$/,
  }),
  deno: does(RUNS_CODE, "Deno 1.40 documentation", {
    informs: VERSION,
    flags: `-A -r -q -h -V -n --allow-all --reload --quiet --no-prompt --no-check --check --unstable --watch --locked
      --frozen --cached-only --no-remote --no-npm --no-config --fail-fast --doc --coverage --json --fix --no-lock
      --no-run --parallel`,
    values: "--log-level -L --seed --filter --ignore --ext --jobs -j --port --host --shuffle --rules",
    attached: `--allow-read --allow-write --allow-net --allow-env --allow-run --allow-ffi --allow-sys --deny-read
      --deny-write --deny-net --deny-env --deny-run --inspect --inspect-brk --inspect-wait --v8-flags --unstable-kv
      --node-modules-dir`,
    loads: "-c --config --import-map --lock --cert --env --env-file",
    writes: "-o --output",
    escapes: { isCode: true },
    takesCode: TAKES_CODE,
    operands: "mention",
    scripts: ["task"],
  }),
  "tsx ts-node": does(RUNS_CODE, "tsx 4 and ts-node 10 documentations", {
    informs: `${VERSION} -v`,
    posix: true,
    flags: `-i -v -h -T --watch --test --transpile-only --esm --files --no-cache --include --exclude --transpileOnly
      --swc --pretty`,
    values: "-e -p --eval --print -O --compiler-options --conditions -C",
    loads: "--tsconfig -r --require --import --env-file -P --project --loader --dir --cwd",
    escapes: { isCode: true },
    takesCode: TAKES_CODE,
    operands: "mention",
  }),
};

const EXECUTES: Readonly<Record<string, RegExp>> = {
  // The script `env`, which npm brings along, starts what follows it.
  npm: /^(?:exec|x|explore|env)$/,
  pnpm: /^(?:exec|dlx)$/,
  yarn: /^(?:exec|dlx)$/,
  bun: /^(?:x|run|exec)$/,
};
/** Options may stand before the command, some with a value in the next word. */
const MAX_LOOKED_AT = 8;

/** `npm exec -- vitest` and the like: to allow the tool is to allow what it starts, but not code for a shell. */
function startsProgram(call: ProgramCall): void {
  mentionFiles(call);
  // `npm pkg set scripts.a=…`: code for a shell, some time later.
  for (const { value } of call.args) {
    const code = /^scripts\.[^=]+=(.+)/s.exec(value ?? "")?.[1];
    if (code) call.mayRun(code);
  }
  const execute = EXECUTES[call.program];
  const at = call.args.slice(0, MAX_LOOKED_AT).findIndex(({ value }) => execute?.test(value ?? ""));
  if (at === -1) return;
  const others = call.args.slice(at + 1);
  const asked = others.findIndex(({ value }) => /^(?:-c|--call)(?:=|$)/.test(value ?? ""));
  const end = others.findIndex(({ value }) => value === "--");
  if (asked !== -1 && (end === -1 || asked < end)) {
    const glued = /=(.*)$/s.exec(others[asked]!.value ?? "")?.[1];
    const code = glued === undefined ? others[asked + 1] : literalWord(glued);
    call.doubt("option", `"${others[asked]!.raw}" makes "${call.program}" run an argument as a command line`);
    if (code) call.script(code, { impliedByParent: true });
  }
  const rest = end === -1 ? others : others.slice(end + 1);
  const first = rest.findIndex((word: ShellWord) => !word.prefix.startsWith("-"));
  if (call.program === "bun" && call.args[at]!.value === "exec" && first !== -1)
    call.script(rest[first]!, { impliedByParent: true });
  else if (first !== -1) call.start(rest.slice(first), { impliedByParent: true });
}
