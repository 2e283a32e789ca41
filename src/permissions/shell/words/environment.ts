// Variables that programs are given: which of them choose what a program does, and which are known to leave that as it is.

/**
 * Variables that choose what other programs load or run, or how the shell reads what follows. Sources: bash(1), ld.so(8),
 * git(1), node(1), python(1), perlrun(1), ruby(1), less(1), man(1), rsync(1), make(1), cargo, rustup, go and npm documentation.
 */
const HAZARDOUS = new RegExp(
  `^(?:${[
    "LD_.*|DYLD_.*|PATH|IFS|BASH_.*|ENV|SHELLOPTS|BASHOPTS|PS[0-4]|PROMPT_COMMAND",
    "POSIXLY_CORRECT|CDPATH|HOME|SHELL|INPUTRC|HISTFILE|EXECIGNORE|GLOBIGNORE|GCONV_PATH|LOCPATH|NLSPATH|GLIBC_TUNABLES|MALLOC_.*",
    ".*PAGER|.*EDITOR|VISUAL|.*BROWSER|GH_PATH|PSQLRC|MYSQL_HOME|LESS|LESSOPEN|LESSCLOSE|LESSKEY.*|MANOPT|VIMINIT|EXINIT|TERMINFO.*|TERMCAP",
    "GIT_.*|SSH_ASKPASS|SUDO_ASKPASS|NODE_OPTIONS|NODE_PATH|PYTHON.*|PERL5.*|PERLLIB|RUBYOPT|RUBYLIB|LUA_.*|CLASSPATH",
    "JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|MAVEN_ARGS|GRADLE_OPTS|GREP_OPTIONS|TAR_OPTIONS|RSYNC_.*|CVS_RSH",
    "MAKEFLAGS|MAKEFILES|GNUMAKEFLAGS|RUSTC.*|RUSTFLAGS|RUSTUP_.*|CARGO_.*|GO(?:FLAGS|ROOT|TOOLCHAIN|ENV|PROXY|AUTH|VCS)|COREPACK_.*|CC|CXX|LD|AR|CGO_.*|npm_config_.*|NPM_CONFIG_.*|YARN_.*|PIP_.*",
    "XDG_CONFIG_.*|RIPGREP_CONFIG_PATH|FZF_DEFAULT_.*|WGETRC|CURL_HOME|(?:HTTPS?|ALL|FTP)_PROXY|(?:https?|all|ftp)_proxy|PYTEST_.*|AWKPATH|AWKLIBPATH|DOCKER_(?:CONFIG|HOST|CONTEXT)|KUBECONFIG|GH_(?:HOST|CONFIG_DIR)|TF_(?:CLI|PLUGIN|REATTACH).*|AWS_(?:CONFIG|SHARED|ENDPOINT).*|ANSIBLE_.*|HELM_.*|ZDOTDIR",
    "BUNDLE_.*|GEM_.*|PHP_INI_SCAN_DIR|PHPRC|ELECTRON_RUN_AS_NODE|TAR_.*|UNZIP|ZIPOPT|GZIP|XZ_.*|OPENSSL_CONF|SSLKEYLOGFILE",
  ].join("|")})$`,
);
/** Members of those families that hold data, not code. */
const HARMLESS =
  /^(?:GIT_(?:AUTHOR|COMMITTER)_\w+|GIT_TERMINAL_PROMPT|GIT_MERGE_AUTOEDIT|GIT_OPTIONAL_LOCKS|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|HASHSEED|UTF8|IOENCODING|FAULTHANDLER)|CARGO_TERM_\w+|CARGO_(?:INCREMENTAL|NET_OFFLINE|BUILD_JOBS)|npm_config_(?:loglevel|yes|audit|fund|progress|color|update_notifier)|CGO_ENABLED|PIP_(?:NO_INPUT|DISABLE_PIP_VERSION_CHECK|NO_CACHE_DIR))$/;
/** Values of others that only tune a program. */
const HARMLESS_PAIRS: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS:
    /^(?:--(?:max[-_](?:old|semi)[-_]space[-_]size=\d+|no-(?:warnings|deprecation)|trace-(?:warnings|deprecation|uncaught)|enable-source-maps|stack-trace-limit=\d+)(?: |$))+$/,
  RUSTFLAGS: /^(?:-[DA] ?(?:warnings|dead_code|unused)|-C ?target-cpu=native)$/,
  MAKEFLAGS: /^-j ?\d+$/,
  PYTEST_ADDOPTS: /^(?:-[qvxs]+|--color=\w+)$/,
  PYTHONWARNINGS: /^(?:default|error|always|module|once|ignore)(?:::[A-Z]\w*Warning)?$/,
  GOFLAGS: /^(?:-(?:mod=(?:mod|vendor|readonly)|count=\d+|buildvcs=\w+|tags=[\w,]+|v|race|short|trimpath)(?: |$))+$/,
  GOPROXY: /^(?:off|direct)$/,
  GOTOOLCHAIN: /^(?:local|auto)$/,
  CARGO_TARGET_DIR: /^(?:\.\/)?\w[\w.-]*(?:\/\w[\w.-]*)*$/,
  CC: /^(?:gcc|clang|cc)(?:-\d+)?$/,
  CXX: /^(?:g\+\+|clang\+\+|c\+\+)(?:-\d+)?$/,
  TS_NODE_PROJECT: /^(?:\.\/)?\w[\w.-]*(?:\/\w[\w.-]*)*\.json$/,
  // A name in the list of time zones, never a path.
  TZ: /^[A-Z][\w+-]*(?:\/[A-Z][\w+-]*){0,2}$/,
};
/**
 * The shell's own numbers. It evaluates what is put into some of them as arithmetic, in which an index runs a command: only a number is
 * surely nothing else. Sources: bash(1), zshparam(1).
 */
const OWN_NUMBERS =
  /^(?:S?RANDOM|SECONDS|LINENO|OPTIND|OPTERR|BASHPID|EPOCH\w+|E?[UG]ID|PPID|SHLVL|FUNCNEST|HIST\w+|SAVEHIST|TMOUT|MAILCHECK|IGNOREEOF|CHILD_MAX|COMP_\w+|READLINE_\w+|COLUMNS|LINES|LISTMAX|KEYTIMEOUT|ERRNO|TTYIDLE)$/;
const LOCALE = /^(?:LANG|LC_[A-Z]+)$/;
/** In other character sets a byte of a letter may be a backslash, which changes how a shell reads what follows. */
const PLAIN_LOCALE = /^(?:|C|POSIX|(?!zh)[a-z]{2}_[A-Z]{2}|[A-Za-z_]+\.(?:UTF|utf)-?8)$/;
const HARMLESS_VALUE = /^(?:cat|true|:|)$/;

/** Variables for the language, look and amount of output. */
const TUNING =
  /^(?:CI|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLORTERM|TERM|LANG|LANGUAGE|LC_[A-Z]+|TZ|COLUMNS|LINES|MANWIDTH|DEBUG|VERBOSE|NODE_ENV|RUST_LOG|RUST_BACKTRACE|GREP_COLORS?|LS_COLORS|JQ_COLORS|TIME_STYLE|QUOTING_STYLE|(?:DF_|DU_|LS_)?BLOCK_?SIZE|HOMEBREW_NO_AUTO_UPDATE|NPM_CONFIG_UPDATE_NOTIFIER)$/;
/** A word, and nothing that is a path. */
const PLAIN_VALUE = /^[\w.,:*+;=@-]*$/;

/** It only tunes a program, whatever else a value of this variable may do. */
export function isHarmlessPair(name: string, value: string | null): boolean {
  return value !== null && Object.hasOwn(HARMLESS_PAIRS, name) && HARMLESS_PAIRS[name]!.test(value);
}

/** The variable can change what programs do, so that a rule about them does not speak about this run. */
export function isHazardous(name: string, value: string | null): boolean {
  if (OWN_NUMBERS.test(name)) return !/^\d*$/.test(value ?? "?");
  if (LOCALE.test(name)) return !PLAIN_LOCALE.test(value ?? "?");
  if (!HAZARDOUS.test(name) || HARMLESS.test(name)) return false;
  if (isHarmlessPair(name, value)) return false;
  return !(/PAGER$|EDITOR$/.test(name) && value !== null && HARMLESS_VALUE.test(value));
}

/** A variable that programs read as a setting, or that every program is given and keeps files in. */
export function isSetting(name: string, value: string | null): boolean {
  return isHazardous(name, value) || name === "TMPDIR";
}

/** Data for the project's own programs, whatever its value. */
const DATA =
  /^(?:(?:VITE|NEXT_PUBLIC|REACT_APP|NUXT_PUBLIC|EXPO_PUBLIC|STORYBOOK)_\w+|DEBUG|PORT|HOST|HOSTNAME|LOG_LEVEL|DJANGO_SETTINGS_MODULE|(?:APP|RAILS|RACK|FLASK|DJANGO|MIX|SPRING_PROFILES)_(?:ENV|ACTIVE)|GOOS|GOARCH|GOARM|GO111MODULE|SKIP|TAG|VERSION|BUILD_NUMBER)$/;
/** Addresses of the services that a program of the project uses. */
const SERVICE = /^(?:DATABASE|DB|REDIS|MONGO(?:DB)?|API|BASE|APP)_UR[IL]$/;
const ADDRESS = /^(?:\w+:\/\/(?!\/)|(?:file|sqlite):(?:\.\/)?\w)(?!.*\.\.)[^\s`$]*$/;
/** It names no program, and no place. */
const SWITCH = /^(?:\d*|true|false|yes|no|on|off)$/i;

/** A program is given a variable that is known to be harmless. Any other may name a program, a file or an option: no list holds them all. */
export function isHarmless(name: string, value: string | null, program?: string | null): boolean {
  if (isOwnModules(name, value, program)) return true;
  if (HAZARDOUS.test(name)) return !isHazardous(name, value);
  if (DATA.test(name)) return !/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(value ?? "");
  if (value === null) return false;
  return isTuning(name, value) || SWITCH.test(value) || (SERVICE.test(name) && ADDRESS.test(value));
}

const RUNS_MODULES = /(?:^|\/)(?:python[\d.]*|pytest|coverage|uv|poetry|uvicorn|gunicorn|flask|celery|alembic)$/;

/** `PYTHONPATH=src pytest`: modules of the project, for a program that runs the project's code anyway. */
function isOwnModules(name: string, value: string | null, program: string | null | undefined): boolean {
  if (name !== "PYTHONPATH" || value === null || !RUNS_MODULES.test(program ?? "")) return false;
  return value.split(":").every((directory) => /^(?:\.|(?:\.\/)?\w[\w-]*(?:\/\w[\w-]*)*\/?)$/.test(directory));
}

/** Its value is a command that programs run. */
export function namesProgram(name: string): boolean {
  return /PAGER$|EDITOR$|BROWSER$|VISUAL|ASKPASS|COMMAND$|EXTERNAL_DIFF|_PROXY|WRAPPER$|RUNNER$|^(?:SHELL|CC|CXX|LD|AR|RUSTC|LESSOPEN)$/i.test(
    name,
  );
}

/**
 * A program that gets this variable is known to do no more than without it. Of others nobody knows: there are more variables that name
 * programs, options and files than any list holds (`GREP` of `zgrep`, `GROFF_BIN_PATH` of `man`).
 */
export function isTuning(name: string, value: string | null): boolean {
  if (value === null || isHazardous(name, value)) return false;
  if (name === "GOFLAGS") return false; // With `-mod=mod` even a listing writes `go.mod`.
  if (isHarmlessPair(name, value) || (/PAGER$|EDITOR$/.test(name) && HARMLESS_VALUE.test(value))) return true;
  return (TUNING.test(name) || HARMLESS.test(name)) && PLAIN_VALUE.test(value);
}
