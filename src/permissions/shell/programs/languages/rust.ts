import { longPattern } from "../../../long-pattern.js";
import { DESTROYS, PUBLISHES } from "../destructive-words.js";
import type { ProgramRow } from "../program-row.js";
import { BUILDS, like, VERSION } from "../reach.js";

/** The directory of a toolchain, or the name of the compiler, that is started even to say its version. */
const RUST_SETTINGS = "rust-toolchain rust-toolchain.toml .cargo/config .cargo/config.toml";

const BUILDER = { does: BUILDS, operands: "mention", steeredBy: RUST_SETTINGS } as const;

const CARGO_READS = {
  kind: "reads",
  flags: `-a -i -d -q -v --all --workspace --no-deps --all-features --no-default-features --no-dedupe --duplicates
    --offline --locked --frozen --invert`,
  values: `-p -e -F --package --depth --edges --charset --format --format-version --features --filter-platform --prefix
    --target --exclude --message-format --color --prune`,
  attached: "-i --invert",
} as const;

/** The tools of Rust. */
export const RUST_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  cargo: like(BUILDER, "Cargo 1.75 documentation", {
    informs: `${VERSION} --list help`,
    helps: longPattern`^(?:add|bench|build|check|clean|clippy|doc|fetch|fix|fmt|init|install|metadata|new|package|
      publish|remove|run|search|test|tree|uninstall|update|vendor)$`,
    flags: `-q -v -vv -r -h -V -n -a -F --quiet --verbose --release --all --workspace --all-targets --all-features
      --no-default-features --lib --bins --examples --tests --benches --doc --locked --offline --frozen --keep-going
      --no-run --no-fail-fast --ignore-rust-version --no-deps --document-private-items --open --fix --allow-dirty
      --allow-staged --allow-no-vcs --broken-code --edition --edition-idioms --check --dev --build --optional
      --no-optional --dry-run --aggressive --recursive --list --unit-graph --future-incompat-report --timings --no-track
      --force --git --debug --bin --lib --precise --no-verify --index --limit --invert --duplicates`,
    values: `-p -j -F -e -i -d -f --package --exclude --bin --example --test --bench --features --jobs --profile
      --target --message-format --color --depth --edges --prefix --charset --format --format-version --vcs --name
      --edition --rename --registry --tag --branch --rev --vers --version --limit --filter-platform --prune
      --output-format --invert`,
    attached: "--timings --invert -i",
    loads: "--manifest-path -C --path --lockfile-path",
    writes: "--target-dir --root --out-dir --artifact-dir",
    runs: "--config",
    hazardValues: "-Z",
    commands: {
      // A lock file that is missing is made, as every build makes it.
      "version|locate-project|read-manifest|pkgid|verify-project|tree|metadata": CARGO_READS,
      // Programs of their own.
      [`nextest|llvm-cov|tarpaulin|expand|audit|deny|outdated|insta|machete|udeps|hack|binstall|flamegraph|zigbuild|
        cross|bloat|asm|miri|fuzz|criterion|sqlx|dist|upgrade`]: { endsAfter: 1, harmless: /^--?[a-z]/ },
      watch: {
        flags: "-c -q --clear --quiet --why --postpone --no-vcs-ignores",
        values: "-x -w -i -d --exec --watch --ignore --delay",
        runs: "-s --shell",
      },
    },
    aliases: { b: "build", t: "test", r: "run", c: "check", d: "doc" },
    destroys: [[/^(?:\+\S+ )?(?:publish|yank|owner|release)(?= |$)/, PUBLISHES]],
    repeatable: ["build", "check", "test", "clippy", "fmt"],
  }),
  rustc: like(BUILDER, "rustc 1.75 documentation", {
    takesCode: { brings: /^(?:-vV|--version|--help|--print)/, compiles: true },
    informs: `${VERSION} -vV`,
    flags: "-v -g -O -h --verbose --test",
    values: `-L -l --crate-type --crate-name --edition --emit --print --cfg --check-cfg --target -A -W -D -F --cap-lints
      --color --error-format --explain`,
    writes: "-o --out-dir",
    reads: "--extern --sysroot",
    hazardValues: "-C --codegen -Z",
    repeatable: [],
    // Facts it prints about itself; with `=` behind the word, they go to a file.
    readsWords: /^(?:(?:^| )--print[ =](?:cfg|host-tuple|sysroot|target-(?:cpus|features|libdir|list)))+$/,
  }),
  rustfmt: like(BUILDER, "rustfmt 1.7 documentation", {
    informs: VERSION,
    flags: "-l -v -q -h --check --verbose --quiet --backup --files-with-diff",
    values: "--edition --emit --color --config --style-edition",
    loads: "--config-path",
    repeatable: [""],
  }),
  rustup: like(BUILDER, "rustup 1.26 documentation", {
    destroys: DESTROYS,
    informs: VERSION,
    anyOptions: true,
    commands: {
      "show|which|toolchain list|component list|target list": {
        kind: "reads",
        flags: "-v --verbose --installed",
        values: "--toolchain",
      },
    },
  }),
};
