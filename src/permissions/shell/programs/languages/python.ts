import { longPattern } from "../../../long-pattern.js";
import { mentionFiles } from "../../invocation/mentions.js";
import { parseOptions } from "../../invocation/options.js";
import type { ProgramCall } from "../../invocation/program-call.js";
import { reportOperands } from "../../invocation/report-invocation.js";
import { PUBLISHES, SCRIPT_DESTROYS } from "../destructive-words.js";
import type { ProgramRow } from "../program-row.js";
import { BUILDS, does, like, RUNS_CODE, TAKES_CODE, VERSION } from "../reach.js";
import { FILE_SERVER } from "../remote/servers.js";

const PYTHON: ProgramRow = does(RUNS_CODE, "python(1), 3.11", {
  informs: "--version -V --help",
  posix: true,
  flags: "-b -bb -B -d -E -h -i -I -O -OO -P -q -R -s -S -u -v -V -x",
  values: "-c -m -W -X",
  attached: "--check-hash-based-pycs",
  lastOptions: "-c -m",
  escapes: { isCode: true },
  takesCode: TAKES_CODE,
  destroys: [
    [/^(?:-\S+ )*(?:-\w*m ?(?:twine upload|flit publish)|setup\.py .*upload)(?= |$)/, PUBLISHES],
    [/\bmigrate (?:\S+ )?zero(?= |$)/, "deletes data of a database"],
    ...SCRIPT_DESTROYS,
  ],
  analyze(call) {
    mentionFiles(call);
    servesOrPacks(call);
    startsFromModule(call);
  },
});

/** Modules whose words are files, options and data. */
const PLAIN_MODULES = longPattern`^(?:pytest|unittest|doctest|pip|venv|virtualenv|ensurepip|build|twine|http\.server|
  json\.tool|compileall|py_compile|timeit|zipfile|tarfile|zipapp|ast|tokenize|dis|calendar|base64|gzip|sysconfig|site|
  platform|this|black|isort|ruff|mypy|flake8|pylint|pyflakes|bandit|coverage|tox|nox|sphinx|mkdocs|django|flask|uvicorn|
  gunicorn|hypercorn|celery|alembic|jupyter|pre_commit|cProfile|profile|pdb|trace|tracemalloc)$`;

/** Behind other options, with the module glued to it or in the next word. */
const MODULE = /^-[bBdEhiIOPqRsSuvVx]*m(.*)$/s;

/** Any other module may run its words, as `python3 -m IPython -c '!rm x'` does. */
function startsFromModule(call: ProgramCall): void {
  const at = call.args.findIndex(({ value }) => MODULE.test(value ?? ""));
  const glued = MODULE.exec(call.args[at]?.value ?? "")?.[1];
  const module = glued || call.args[at + 1]?.value;
  if (at === -1 || PLAIN_MODULES.test(module ?? "")) return;
  const words = call.args.slice(at + (glued ? 1 : 2));
  for (const [index, { value }] of words.slice(0, MAX_STARTS).entries()) {
    const code = value?.replace(/^[!%:\s]+/, "") ?? "";
    if (/\s/.test(code)) call.mayRun(code);
    else if (/^\w/.test(value ?? "")) call.start(words.slice(index), { impliedByParent: true });
  }
}

/** The most words that are looked up as programs. */
const MAX_STARTS = 8;

/** Modules that hand out a directory, or pack all that is in it. */
const TAKES_DIRECTORY = /^(?:-\w*m)?(http\.server|SimpleHTTPServer|CGIHTTPServer|zipfile|tarfile|zipapp)$/;

function servesOrPacks(call: ProgramCall): void {
  const at = call.args.findIndex(({ value }) => TAKES_DIRECTORY.test(value ?? ""));
  const words = call.args.slice(at + 1);
  if (at === -1) return;
  if (/server$/i.test(call.args[at]!.value!))
    reportOperands(FILE_SERVER, { ...call, args: words }, parseOptions(FILE_SERVER, words));
  else for (const word of words) if (!word.prefix.startsWith("-")) call.read(word, { recursive: true });
}
const READS_PACKAGES = "list|show|freeze|check|help";
const PIP: ProgramRow = does(BUILDS, "pip 23 documentation", {
  helps: /^(?:install|download|uninstall|freeze|inspect|list|show|check|config|cache|index|wheel)$/,
  informs: VERSION,
  flags: `-q -v -y -U -e -I -l -o -u --quiet --verbose --yes --upgrade --user --no-deps --no-cache-dir --pre
    --force-reinstall --dry-run --disable-pip-version-check --no-input --no-color --editable --ignore-installed
    --no-build-isolation --use-pep517 --require-hashes --break-system-packages --no-warn-script-location --prefer-binary
    --no-clean --isolated --require-virtualenv --root-user-action`,
  values: `--timeout --retries --progress-bar --upgrade-strategy --platform --python-version --implementation --abi
    --only-binary --no-binary -i --index-url --extra-index-url --trusted-host --root-user-action`,
  reads: "-r --requirement -c --constraint -f --find-links --cert --client-cert",
  writes: "--log -t --target -d --dest --root --prefix --cache-dir --src -w --wheel-dir --report",
  hazardValues:
    "--python --config-settings --global-option --install-option --keyring-provider --proxy --exists-action",
  commands: {
    [READS_PACKAGES]: {
      kind: "reads",
      flags: "-e -l -v -q -f --editable --local --user --pre --not-required --files --verbose --quiet --all",
      values: "--format --exclude",
    },
    "cache dir|cache info|cache list": { kind: "reads", flags: "-q -v --quiet --verbose" },
  },
  operands: "mention",
});

/** Options that what runs a project's tests or checks its sources takes from everybody. */
const CHECKER = { does: BUILDS, informs: VERSION, operands: "mention", repeatable: [""] } as const;

const OTHER_CHECKER = {
  ...CHECKER,
  manual: "their documentations, 2024",
  informs: "--version",
  anyOptions: true,
  repeatable: [],
} as const;

/** Programs that run Python, install its packages, or work on its sources. */
export const PYTHON_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  "python python2 python3 pypy pypy3": PYTHON,
  "pip pip3": PIP,
  pytest: like(CHECKER, "pytest 7 documentation", {
    // It runs the project's `conftest.py` first.
    informs: undefined,
    flags: `-q -v -vv -x -s -l -h -V --version --verbose --quiet --exitfirst --pdb --no-header --no-summary
      --collect-only --co --lf --ff --last-failed --failed-first --nf --new-first --sw --stepwise --stepwise-skip
      --showlocals --no-cov --cache-clear --strict --strict-markers --strict-config --runxfail --setup-show --setup-only
      --setup-plan --fixtures --markers --disable-warnings --no-cov-on-fail --full-trace --trace --pyargs
      --keep-duplicates --doctest-modules --cov --cov-append --cov-branch --forked --reverse --benchmark-skip
      --benchmark-only --random-order --keepdb --reuse-db --create-db --nomigrations --import-mode --snapshot-update
      --live --failed-first`,
    values: `-k -m -n -p -r -W --maxfail --tb --durations --durations-min --color --timeout --capture --show-capture
      --numprocesses --dist --verbosity --log-level --log-cli-level --log-format --cov-fail-under --deselect --ignore
      --ignore-glob --asyncio-mode --reruns --reruns-delay --count --randomly-seed --seed --lfnf --import-mode --assert
      --code-highlight --log-cli-format --splits --group --ds`,
    attached: "--cov --cov-context --cov-report",
    loads: "-c --rootdir --confcutdir --cov-config --config-file",
    empties: "--basetemp",
    writes: "--junitxml --junit-xml --log-file --resultlog --report-log --html --json-report-file --debug",
    hazardValues: "-o --override-ini --pdbcls",
    // A plugin is code; to leave one out is harmless.
    escapes: { line: /(?:^| )-p ?(?!no:)\S/ },
  }),
  ruff: like(CHECKER, "Ruff 0.5 documentation", {
    flags: `-q -v -s -e -w -n -h --fix --fix-only --unsafe-fixes --no-fix --diff --check --watch --preview --no-preview
      --quiet --verbose --silent --no-cache --exit-zero --exit-non-zero-on-fix --isolated --show-files --show-settings
      --statistics --force-exclude --respect-gitignore --no-respect-gitignore --show-fixes --add-noqa --ignore-noqa`,
    values: `--select --ignore --extend-select --extend-ignore --fixable --unfixable --output-format --target-version
      --line-length --exclude --extend-exclude --per-file-ignores --range --stdin-filename --color`,
    loads: "--config --extension",
    writes: "-o --output-file --cache-dir",
  }),
  mypy: like(CHECKER, "mypy 1.8 documentation", {
    harmless: longPattern`^--(?:no-|strict|warn-|disallow-|allow-|check-|show-|hide-|ignore-|implicit-|extra-|local-|
      pretty|verbose|incremental|follow-|namespace|explicit|install-types|non-interactive|disable-error|enable-error|
      color|txt|platform|scripts)[\w-]*(?:=[\w,.-]*)?$`,
    flags: "-v -h -i",
    values: "-p -m --package --module --python-version --platform --follow-imports --exclude --error-summary",
    loads: "--config-file --custom-typeshed-dir",
    writes: "--cache-dir --junit-xml --html-report --xml-report --txt-report --linecount-report --any-exprs-report",
    hazardValues: "--python-executable --shadow-file --custom-typing-module",
  }),
  black: like(CHECKER, "Black 24 documentation", {
    flags: `-q -v -S -C -h --check --diff --color --no-color --fast --safe --quiet --verbose --skip-string-normalization
      --pyi --ipynb --preview --unstable --skip-magic-trailing-comma --no-cache`,
    values: `-l -t -W -c --line-length --target-version --workers --include --exclude --extend-exclude --force-exclude
      --stdin-filename --required-version --line-ranges`,
    loads: "--config",
  }),
  "isort yapf autopep8 autoflake bandit coverage": OTHER_CHECKER,
  // They load plugins that the project's settings name, or fetch themselves, before they print their version.
  "flake8 pylint pyright": { ...OTHER_CHECKER, informs: undefined },
  tox: like(CHECKER, "tox 4 documentation", {
    // It runs the project's `toxfile.py` first.
    informs: undefined,
    flags: `-r -p -q -v -l -a -h -s --recreate --notest --skip-missing-interpreters --parallel --sdistonly --list
      --showconfig --develop --no-provision`,
    values: "-e -f -m -x --override --result-json --parallel-live --installpkg --discover",
    attached: "-p --parallel -s",
    loads: "-c --conf --workdir --root",
  }),
  twine: does(BUILDS, "Twine 4 documentation", {
    anyOptions: true,
    operands: "mention",
    destroys: [[/^upload(?= |$)/, PUBLISHES]],
  }),
};
