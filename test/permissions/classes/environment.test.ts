// What a program is given in front is harmless, or a rule spells it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { rulesFor, world } from "./kit.js";

let files: Awaited<ReturnType<typeof world>>;
beforeAll(async () => {
  files = await world();
});
afterAll(() => files.close());

const PROGRAMS =
  `tar gcc docker mvn go npm npx node make git pytest python3 cargo man zgrep zip less ls grep env bash timeout xargs sudo java gradle
  psql mysql ruby bundle perl pip cmake tsc rsync curl ssh vim diff sort dotnet terraform kubectl tool export printenv find`.split(
    /\s+/,
  );

const STEERS = String.raw`
  TAPE=x tar x
  TAPE=../x tar c a.ts
  TAR_OPTIONS=--to-command=x tar xf a
  DEPENDENCIES_OUTPUT=../x gcc -c a.c
  SUNPRO_DEPENDENCIES=x gcc -c a.c
  COMPILER_PATH=x gcc a.c
  GCC_EXEC_PREFIX=x gcc a.c
  CPATH=../x gcc a.c
  COMPOSE_FILE=x docker compose up
  COMPOSE_ENV_FILES=x docker compose up
  DOCKER_HOST=tcp://x docker ps
  BUILDKIT_HOST=x docker build .
  JAVA_HOME=x mvn test
  M2_HOME=x mvn test
  MAVEN_PROJECTBASEDIR=x mvn test
  GOCACHEPROG=./x go build
  GOTMPDIR=../x go build
  GOPATH=x go build
  GOMODCACHE=../x go build
  GOWORK=x go build
  GOEXPERIMENT=x go build
  GREP=./x zgrep a b
  GROFF_BIN_PATH=x man ls
  MANPATH=x man ls
  ZIPOPT=-T zip x.zip a.ts
  LESSOPEN='|x' less a.ts
  PATH=.:$PATH ls
  LD_PRELOAD=./x.so ls
  NODE_OPTIONS=--require=./x.js node a.js
  NODE_EXTRA_CA_CERTS=x npm ci
  npm_config_script_shell=./x npm test
  NPM_CONFIG_PREFIX=x npm test
  npm_config_userconfig=x npm test
  MAKEFILES=x make
  MAKEFLAGS=--eval=x make
  CC=./x make
  CFLAGS=-fplugin=x make
  SHELL=./x make
  BASH_ENV=x bash -c ls
  ENV=x sh -c ls
  GIT_SSH_COMMAND=x git fetch
  GIT_DIR=x git status
  GIT_EXTERNAL_DIFF=x git diff
  GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0=x git log
  GIT_PAGER=x git log
  PAGER=./x git log
  EDITOR=./x git commit
  PYTHONPATH=../x pytest
  PYTHONSTARTUP=x python3
  PYTEST_ADDOPTS=-px pytest
  PYTEST_PLUGINS=x pytest
  CARGO_BUILD_RUSTC=x cargo build
  RUSTC_WRAPPER=x cargo build
  CARGO_TARGET_DIR=../x cargo build
  PERL5OPT=-Mx perl a.pl
  RUBYOPT=-rx ruby a.rb
  BUNDLE_GEMFILE=x bundle exec rake
  PIP_INDEX_URL=http://x pip install a
  CMAKE_TOOLCHAIN_FILE=x cmake .
  CMAKE_CXX_COMPILER_LAUNCHER=x cmake .
  RSYNC_RSH=x rsync a b
  CURL_HOME=x curl https://example.com
  HTTPS_PROXY=http://x curl https://example.com
  SSLKEYLOGFILE=../x curl https://example.com
  SSH_ASKPASS=x ssh a
  VIMINIT=x vim a.ts
  PGSERVICEFILE=x psql
  MYSQL_TEST_LOGIN_FILE=x mysql
  DOTNET_STARTUP_HOOKS=x dotnet test
  TF_CLI_ARGS=x terraform plan
  KUBECONFIG=x kubectl get pods
  GRADLE_USER_HOME=../x gradle test
  TOOL_RC=x tool
  FOO=../outside/x tool
  FOO=bar tool
  A=1 FOO=./x tool
  FOO=$x tool
  FOO=$(ls) tool
  FOO=bar npm test
  FOO=x env tool
  env FOO=x tool
  env GOCACHEPROG=x go build
  env -i FOO=x tool
  sudo FOO=x tool
  FOO=x timeout 5 tool
  FOO=x xargs tool
  FOO=x bash -c tool
  timeout 5 env FOO=x tool
  export FOO=x; tool
  export FOO=x && tool
  export GOCACHEPROG=x; go build
  export COMPOSE_FILE=x; docker compose up
  FOO=x; export FOO; tool
  export FOO; tool
  declare -x FOO=x; tool
  typeset -x FOO=x; tool
  readonly FOO=x; export FOO; tool
  export A=1 FOO=x; tool
  export FOO+=x; tool
  if true; then export FOO=x; fi; tool
  (export FOO=x; tool)
  set -a; FOO=x; tool
  FOO=x exec tool
  FOO=x command tool
  FOO=x eval tool
  DATABASE_URL=file:../x npm test
  VITE_X=/etc/x npm test
  NODE_ENV=../x npm test
  TZ=../x tool
  LANG=../x tool
`;

test.each(rulesFor(...PROGRAMS))("a variable that is not known asks under %s", async (...allow) => {
  expect(await files.others("stopped", allow, STEERS)).toEqual([]);
});

const HARMLESS = String.raw`
  NODE_ENV=test npm test
  NODE_ENV=production npm run build
  CI=1 npm test
  CI=true npx tsc
  DEBUG=app:* npm start
  DEBUG=1 node a.js
  LANG=C sort a.ts
  LC_ALL=C.UTF-8 sort a.ts
  TZ=UTC npm test
  TZ=America/New_York node a.js
  FORCE_COLOR=0 npm test
  NO_COLOR=1 npm test
  TERM=dumb npm test
  COLUMNS=200 npm test
  PORT=3000 npm start
  PORT=$p npm start
  HOST=0.0.0.0 npm start
  LOG_LEVEL=debug npm start
  VITE_API=https://x npm run build
  NEXT_PUBLIC_X=y npm run build
  RUST_LOG=debug cargo test
  RUST_BACKTRACE=1 cargo test
  CARGO_INCREMENTAL=0 cargo build
  GOOS=linux GOARCH=arm64 go build
  CGO_ENABLED=0 go build
  GO111MODULE=on go build
  GOFLAGS=-mod=mod go test ./...
  PYTHONPATH=src pytest
  PYTHONPATH=. pytest -x
  PYTHONUNBUFFERED=1 python3 a.py
  PYTHONDONTWRITEBYTECODE=1 pytest
  DOCKER_BUILDKIT=1 docker build .
  HUSKY=0 git commit -m x
  SKIP=eslint git commit -m x
  GIT_EDITOR=true git rebase --continue
  GIT_PAGER=cat git log
  PAGER=cat git log
  GIT_AUTHOR_NAME=x git commit -m y
  NODE_OPTIONS=--max-old-space-size=8192 npm run build
  RUSTFLAGS="-D warnings" cargo build
  CARGO_TARGET_DIR=target/ci cargo build
  CC=clang make
  V=1 make
  UPDATE_SNAPSHOTS=true npm test
  NEXT_TELEMETRY_DISABLED=1 npm run build
  DATABASE_URL=postgres://localhost/x npm test
  DATABASE_URL="file:./test.db" npx prisma migrate dev
  TS_NODE_PROJECT=tsconfig.json npx mocha
  export NODE_ENV=test; npm test
  export NODE_ENV=test && npm test
  export CI=1 PORT=80; npm test
  NODE_ENV=test; export NODE_ENV; npm test
  x=y; tool
  x=y; tool "$x"
  FOO=bar; tool $FOO
  IFS=, read -r a b; tool
`;

test.each(rulesFor(...PROGRAMS, "read", "prisma", "mocha"))(
  "a variable that is known to be harmless does not ask under %s",
  async (...allow) => {
    expect(await files.others("allow", allow, HARMLESS)).toEqual([]);
  },
);

test("the same behind env", async () => {
  expect(await files.others("allow", "Bash", "env NODE_ENV=production npm run build\nenv -u X npm test")).toEqual([]);
});

test("a rule that spells the line covers its variables", async () => {
  expect(await files.others("allow", "Bash(FOO=bar npm test)", "FOO=bar npm test")).toEqual([]);
});
