import { longPattern, patternWith } from "../../../long-pattern.js";
import { mentionFiles } from "../../invocation/mentions.js";
import { literalWord, mayBeOption, type ShellWord } from "../../words/shell-word.js";
import { DESTROYS, PUBLISHES } from "../destructive-words.js";
import type { DestroyingWords, ProgramRow } from "../program-row.js";
import { BUILDS, does, like, RUNS_CODE, VERSION } from "../reach.js";

const BUILDER = { does: BUILDS, operands: "mention" } as const;
const UPLOADS: DestroyingWords = [[/(?:^| |:)(?:publish(?!ToMavenLocal)[A-Z]?\w*|upload|deploy)(?= |$)/, PUBLISHES]];
/** The preprocessor, the assembler, the linker and plugins are programs that options choose. */
const C_COMPILER: ProgramRow = like(BUILDER, "GCC 12 and Clang 14 manuals", {
  informs: `${VERSION} -v -dumpversion -dumpmachine`,
  singleDash: true,
  takesCode: { brings: /^(?:--version|--help|-dump\w+|-print-.*)$/, compiles: true },
  flags: `-c -S -E -g -O -w -s -v -P -C -M -MM -MD -MMD -MP -MG -shared -static -pthread -pipe -pie -no-pie -rdynamic
    -ansi -pedantic -pedantic-errors -nostdlib -nostdinc -nodefaultlibs -nostartfiles -undef -dM -H -p -pg -emit-llvm
    -emit-ast -ObjC -### -fsyntax-only`,
  values: `-x -D -U -I -L -l -MT -MQ -isystem -iquote -idirafter -arch -target -framework -u -z -Xassembler
    -Xpreprocessor -param -include-pch`,
  harmless: longPattern`^(?:-(?:[DUIL].+|l[\w.+:-]+|O[\w]+|g[\w=-]*|std=[\w+]+|W(?![apl],)[\w=+-]*|f(?!plugin|
    pass-plugin|use-ld|profile-use|dump|sanitize-\w*list)[\w=+,.-]*|m[\w=+,.-]*|print-[\w=-]+|isystem.+|x[\w+-]+|
    d[A-Z])|--?(?:std|target|verbose)=?[\w+-]*)$`,
  loads: "-include -imacros",
  writes: "-o -MF -dumpdir -dumpbase -save-temps -aux-info",
  runs: "-wrapper -fplugin -specs -B -fuse-ld -Xclang -load",
  escapes: {
    text: longPattern`^(?:-(?:fplugin|specs|fuse-ld|B|wrapper|Xclang|load|fpass-plugin|ld-path|T|Wl,|Wp,|Wa,)|
      --(?:specs|sysroot|ld-path|config|gcc-toolchain)\b|@)`,
  },
});

/** Compilers, and what builds and tests projects with them. */
export const COMPILER_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  "gcc g++ cc c++ clang clang++ gfortran": C_COMPILER,
  // With `-v` it goes on to its input.
  cpp: { ...C_COMPILER, informs: "--version --help" },
  make: like(BUILDER, "GNU make 4.3 manual", {
    globals: "-C -f --file --directory -j -I",
    informs: "--version --help -h -v",
    flags: `-b -m -B -d -e -i -k -n -p -q -r -R -s -S -t -w -v -h --always-make --environment-overrides --ignore-errors
      --keep-going --just-print --dry-run --recon --print-data-base --question --no-builtin-rules --no-builtin-variables
      --silent --quiet --no-silent --no-keep-going --stop --touch --print-directory --no-print-directory
      --warn-undefined-variables`,
    values: "-o -W --old-file --assume-old --what-if --new-file --assume-new",
    attached: "-j -l -O --jobs --load-average --output-sync --trace --debug --max-load --shuffle",
    loads: "-C --directory -I --include-dir",
    codes: "-f --file --makefile",
    runs: "--eval -E",
    digits: true,
    destroys: DESTROYS,
    escapes: {
      codeOf: recipesIn,
      own: /^(?:\.\/)?(?:GNUm|m|M)akefile$/,
      text: patternWith("s")`^[^=]*!=|^[^=]*=.*[$\`;&|<>\n]|
        ^(?:override\s+)?(?:\.?SHELL(?:FLAGS)?|MAKE\w*|GNUMAKEFLAGS)\s*[:?+]*=|^(?:CC|CXX|CPP|LD|AR|AS|RM|FC)\s*[:?+]*=
        (?!\s*(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-\d+)?$)`,
      code: /^--eval=[^:]*:;?\s*(.*)|^(?:\.?SHELL|CC|CXX|LD|AR)\s*[:?]?=(.*)/s,
    },
    scripts: [""],
  }),
  just: {
    ...BUILDER,
    destroys: DESTROYS,
    manual: "just 1.20 documentation",
    informs: VERSION,
    anyOptions: true,
    scripts: [""],
  },
  cmake: like(BUILDER, "CMake 3.25 documentation", {
    informs: VERSION,
    flags: `-N -L -LA -LAH -LH -Wno-dev -Wdev --fresh --trace --trace-expand --warn-uninitialized --no-warn-unused-cli
      --check-system-vars --log-context --verbose -v --clean-first --list-presets --strip --resolve-package-references
      --debug-output --debug-find`,
    values:
      "-G -T -A -U --target -t --config --preset --log-level --parallel --component --default-directory-permissions",
    attached: "-D -j --list-presets",
    loads: "-S -B -C -P --toolchain --build --install --open",
    writes: "--graphviz --install-prefix --prefix --trace-redirect --profiling-output",
    escapes: { text: /^-E$|^(?:-D)?\w*(?:LAUNCHER|COMPILER|_PROGRAM|LINKER|EXECUTABLE)(?::\w+)?=/ },
  }),
  ninja: like(BUILDER, "Ninja 1.11 manual", {
    informs: "--version --help -h",
    flags: "-v -n --verbose --quiet",
    values: "-j -k -l -d -w",
    loads: "-C -f",
    hazardValues: "-t",
  }),
  go: like(BUILDER, "Go 1.22 documentation", {
    singleDash: true,
    informs: "version env help",
    steeredBy: "go.mod go.work",
    flags: `-v -x -n -a -race -msan -asan -cover -json -short -failfast -c -u -t -d -i -e -m -deps -test -export -find
      -compiled -fix -diff -trimpath -modcacherw -linkshared -buildvcs -benchmem -fullpath -s -l -w -all -src -cmd
      -versions -retracted -insecure -droprequire -args`,
    values: `-run -bench -count -timeout -parallel -cpu -p -tags -mod -buildmode -covermode -coverpkg -ldflags -gcflags
      -asmflags -shuffle -skip -fuzz -fuzztime -fuzzminimizetime -benchtime -list -vet -f -compiler -installsuffix
      -blockprofilerate -go -compat -require -replace -module -x -retract -exclude -dropreplace -godebug`,
    loads: "-C -overlay -modfile -pkgdir -modcache -pgo",
    writes: "-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir",
    runs: "-exec -toolexec -vettool",
    lastOptions: "-args",
    escapes: { text: /-ext(?:ld|ar)(?:flags)?\b|^-http\b/, line: /^env\b.* -[wu]\b/, end: /^(?:--|--?args)$/ },
    // A package by its path is read where it lies; one with a version is fetched.
    analyze(call, { operands: [command, ...packages] }) {
      const isReader = command?.value === "version" || command?.value === "list" || command?.value === "doc";
      for (const word of isReader ? packages : []) {
        if (/^(?:\.{0,2}\/|\.\.)/.test(word.prefix)) call.read(withoutDots(word), { recursive: true, only: "names" });
        else if (word.value === null || word.value.includes("@")) call.acts();
      }
      mentionFiles(call);
    },
    commands: {
      "version|help|doc|list|mod graph|mod why|mod verify": {
        kind: "reads",
        flags: "-m -f -a -json -all -deps -e -test -find -src -short -c -cmd",
        values: "-f -tags",
      },
      env: { kind: "reads", flags: "-json -changed" },
      clean: { flags: "-i -r -n -x -cache -testcache -fuzzcache" },
      // The words behind the package are for its program.
      run: { endsAfter: 1 },
      tool: { endsAfter: 1 },
    },
    repeatable: ["build", "test", "vet", "fmt"],
  }),
  gofumpt: like(BUILDER, "gofumpt 0.6 documentation", {
    singleDash: true,
    flags: "-l -w -d -e -extra -version",
    values: "-lang -modpath",
  }),
  "golangci-lint staticcheck": like(BUILDER, "golangci-lint 1.57 documentation", {
    informs: VERSION,
    anyOptions: true,
    repeatable: [""],
  }),
  "clang-format": like(BUILDER, "Clang 14 manual", {
    informs: VERSION,
    flags: "-i -n -Werror --dry-run --verbose --sort-includes --dump-config",
    harmless: /^--?style=\w+$|^--?W(?:no-)?(?:error|clang-format-violations)(?:=[\w-]+)?$|^--Werror$/,
    values: "--lines --length --offset --cursor --assume-filename",
    loads: "--files",
    repeatable: [""],
    looks: { with: "-n --dry-run", unless: "-i --files" },
  }),
  jar: like(BUILDER, "JDK 17 documentation", {
    informs: VERSION,
    anyOptions: true,
    analyze(call) {
      const [list, archive, ...others] = call.args;
      mentionFiles(call);
      if (/^-?[a-z]*[cu]|^--(?:create|update)/.test(list?.value ?? ""))
        for (const word of [archive, ...others]) if (word && !mayBeOption(word)) call.read(word, { recursive: true });
      if (/^-?[a-z]*x|^--extract/.test(list?.value ?? "")) call.unpacks(literalWord("."));
      if (!/^-?(?:tf|tvf)$/.test(list?.value ?? "") || !archive || others.length > 0 || mayBeOption(archive)) return;
      call.onlyReads();
      call.read(archive);
    },
  }),
  java: does(RUNS_CODE, "JDK 17 documentation", {
    informs: "-version --version -help --help",
    anyOptions: true,
    operands: "mention",
  }),
  javac: { ...BUILDER, manual: "JDK 17 documentation", informs: "-version --version -help --help", anyOptions: true },
  mvn: {
    ...BUILDER,
    destroys: [[/(?:^| )(?:deploy|release:perform)(?= |$)/, PUBLISHES]],
    manual: "Maven 3.8 documentation",
    informs: "--version --help -h -v",
    steeredBy: ".mvn",
    flags: `-q -X -e -U -o -B -N -C -c -ntp -am -amd -fae -ff -fn -nsu -V -v --quiet --debug --errors --update-snapshots
      --offline --batch-mode --non-recursive --no-transfer-progress --also-make --also-make-dependents --fail-at-end
      --fail-fast --fail-never --show-version`,
    values: "-P -pl -rf -T -b --activate-profiles --projects --resume-from --threads",
    harmless:
      /^-D(?!exec\.|maven\.(?:ext|home|conf)|jvm|javaHome|maven\.compiler\.executable)[\w.-]+(?:=[\w,.:#*/+-]*)?$/,
    loads: "-f --file -s --settings -gs --global-settings -t --toolchains",
    writes: "-l --log-file",
    singleDash: true,
  },
  "gradle gradlew": {
    ...BUILDER,
    destroys: UPLOADS,
    manual: "Gradle 8 documentation",
    informs: "--version --help -h -v",
    flags: `-q -i -d -w -s -S -a -m -t --quiet --info --debug --warn --stacktrace --full-stacktrace --offline
      --no-daemon --daemon --parallel --no-parallel --build-cache --no-build-cache --continue --dry-run --rerun-tasks
      --refresh-dependencies --scan --no-scan --stop --status --continuous --configure-on-demand
      --no-configuration-cache --configuration-cache --profile --foreground --rerun --all`,
    values: `-x --exclude-task --tests --console --max-workers --warning-mode --priority --configuration --dependency
      --task --group --info`,
    harmless: /^-P[\w.]+(?:=[\w,.:/+-]*)?$/,
    loads:
      "-p --project-dir -b --build-file -c --settings-file -g --gradle-user-home --project-cache-dir --include-build",
    hazardValues: "-I --init-script -D --system-prop",
  },
  dotnet: {
    ...BUILDER,
    destroys: [
      [/^nuget (?:push|delete)(?= |$)/, PUBLISHES],
      [/^ef (?:database drop|database update 0|migrations remove)(?= |$)/, "deletes data of a database"],
    ],
    manual: ".NET 8 documentation",
    informs: `${VERSION} --info --list-sdks --list-runtimes`,
    steeredBy: "global.json",
    flags: `--no-restore --no-build --nologo --no-dependencies --self-contained --force --interactive --no-incremental
      --disable-parallel --collect --blame --list-tests --no-launch-profile --verify-no-changes --include-transitive
      --outdated --vulnerable --deprecated --no-cache --locked-mode --use-lock-file --no-self-contained --prerelease -t
      -g --global --local`,
    values: `-c -f -r -v -a --configuration --framework --runtime --verbosity --os --arch --filter --logger
      --version-suffix --severity --diagnostics --name -n --language -lang --launch-profile`,
    harmless: longPattern`^--collect:[\w .]+$|^[-/]p:(?:Configuration|Version|PackageVersion|Platform|
      TreatWarningsAsErrors|WarningLevel|CollectCoverage|CoverletOutputFormat|DebugType|
      ContinuousIntegrationBuild)=[\w.;,%-]*$`,
    loads: "--project -s --settings",
    writes: "-o --output --results-directory --diag",
    runs: "--test-adapter-path",
  },
  "ctest swift": like(BUILDER, "CMake 3.25 and Swift 5.9 documentations", { informs: "--version", anyOptions: true }),
  "buck2 meson scons stack cabal dune nim crystal dart ghc protoc buf": {
    ...BUILDER,
    destroys: UPLOADS,
    manual: "their documentations, 2024",
    informs: "--version",
    anyOptions: true,
  },
  // Erlang runs a file of that name first.
  mix: {
    ...BUILDER,
    destroys: DESTROYS,
    manual: "Elixir 1.14 documentation",
    informs: "--version",
    steeredBy: ".erlang",
    anyOptions: true,
  },
  zig: { ...BUILDER, manual: "Zig 0.13 documentation", informs: "version", anyOptions: true },
  // They read what the project says, or fetch what it names, before they print their version.
  "bazel bazelisk ant sbt lein rebar3 flutter": like(BUILDER, "their documentations, 2024", {
    destroys: UPLOADS,
    anyOptions: true,
  }),
  "ncdu typos pandoc htop pod dot": acts("their documentations, 2024", VERSION),
  // It draws with a browser, of which its settings say where it is.
  mmdc: does({ writes: "named", runs: "project", connects: "nothing" }, "Mermaid CLI 11 documentation", {
    informs: "-V --version -h --help",
    flags: "-q --quiet -f --pdfFit",
    values: `-t --theme -w --width -H --height -b --backgroundColor -s --scale -e --outputFormat -I --svgId --iconPacks
      --iconPacksNamesAndUrls`,
    reads: "-i --input -c --configFile -C --cssFile",
    loads: "-p --puppeteerConfigFile",
    writes: "-o --output -a --artefacts",
    analyze(call, options) {
      const [input] = options.all("-i", "--input");
      if (input?.value && options.all("-o", "--output").length === 0) call.mayWrite(input.value);
    },
  }),
  nginx: acts("nginx 1.24 documentation", "-v -V"),
  "ffmpeg ffplay ffprobe": acts("FFmpeg 6 documentation", "-version"),
  "convert magick identify": acts("ImageMagick 7 documentation", "-version --version"),
  xcodebuild: acts("Xcode 15 documentation", "-version -showsdks"),
  "xcode-select": acts("Xcode 15 documentation", "-p --print-path --version"),
};

/** It may do anything, but for what it prints about itself. */
function acts(manual: string, informs: string): ProgramRow {
  return { ...BUILDER, does: RUNS_CODE, manual, informs, anyOptions: true };
}

/** `./...` is all that lies below. */
function withoutDots(word: ShellWord): ShellWord {
  return word.value?.endsWith("/...") ? literalWord(word.value.slice(0, -"/...".length) || "/") : word;
}

// ── makefiles, read whole: what they run is known when no line of them is computed ───────────────────────────────────

const RECIPE = /^\t[@+\-\s]*(.*)$/;
const RULE = /^[\w.\-/% ]+::?(?!=)[\w.\-/%*| ]*(?:;[@+\-\s]*(.*))?$/;
/** A variable that make itself does not look at. */
const VARIABLE = /^(?!SHELL|MAKE|GNUMAKE)[A-Za-z_]\w*\s*(?::{0,3}|\?|\+)=[^$]*$/;
const NOTHING = /^\s*(?:#.*)?$/;

/** The shell code in a makefile, each recipe in a shell of its own; `null` when it is not known before it runs. */
function recipesIn(text: string): string | null {
  const recipes: string[] = [];
  for (const line of text.replace(/\\\n\s*/g, " ").split("\n")) {
    const code = (RECIPE.exec(line) ?? RULE.exec(line))?.[1];
    if (code === undefined && !RULE.test(line) && !VARIABLE.test(line) && !NOTHING.test(line)) return null;
    if (code?.replaceAll("$$", "").includes("$")) return null;
    if (code) recipes.push(`(${code.replaceAll("$$", "$")}\n)`);
  }
  return recipes.join("\n");
}
