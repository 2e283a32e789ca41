// Everyday command lines that should not ask: without rules, and under the rules a developer of each kind commonly has.
import type { PermissionRules } from "../../../src/permissions/index.js";
import { lines } from "./lines.js";

const bash = (list: string) => list.split(",").map((each) => `Bash(${each.trim()})`);
const DENY = ["Bash(git push:*)", "Bash(sudo:*)", "Bash(rm -rf /:*)", "Read(./.env)", "Read(./secrets/**)"];
const GIT =
  "git add *,git commit *,git fetch *,git pull *,git checkout *,git switch *,git stash *,git merge *,git rebase *";

export interface BenignLines {
  readonly rules: PermissionRules;
  readonly lines: readonly string[];
}

const LOOKING = lines(String.raw`
  ls
  ls -la
  ls -la src
  ls -lh src/
  ls -R src
  ls -1 src | head -20
  ls src docs
  ls *.json
  ls src/*.ts
  ls -t | head -5
  ls -d */
  ll -a; ls
  pwd
  pwd && ls
  whoami
  id
  date
  date +%s
  date -u +%Y-%m-%dT%H:%M:%SZ
  date "+%Y-%m-%d %H:%M"
  uname -a
  uname -s
  hostname
  uptime
  df -h
  du -sh src
  du -sh *
  du -h --max-depth=1 | sort -h
  free -h
  nproc
  ps aux
  ps aux | grep node
  ps -ef | grep -v grep | grep node
  pgrep -fl node
  lsof -i :3000
  env | grep NODE
  env | sort
  printenv PATH
  printenv
  echo $PATH
  echo "$HOME"
  echo $?
  echo hello
  echo "a b" c
  echo -e "a\tb"
  echo -n x
  echo "done"; echo "---"
  printf '%s\n' a b c
  printf "%d\n" 5
  which node
  which -a python3
  type ls
  command -v node
  command -v rg >/dev/null 2>&1
  command -v rg && echo yes || echo no
  cat README.md
  cat src/a.ts
  cat package.json | head -50
  cat src/a.ts README.md
  cat -n src/a.ts
  cat src/*.ts
  cat src/**/*.ts
  cat -A README.md | head
  cat package.json 2>/dev/null
  cat package.json 2>/dev/null || echo none
  cat package.json | jq .scripts
  cat package.json | jq -r '.scripts | keys[]'
  cat package.json | grep '"version"' | cut -d'"' -f4
  head README.md
  head -5 README.md
  head -n 20 README.md
  head -c 100 README.md
  head -20 src/a.ts | tail -5
  tail README.md
  tail -20 README.md
  tail -n +5 README.md
  tail -f README.md
  less README.md
  more README.md
  wc -l README.md
  wc -l src/*.ts
  wc -l src/*.ts | sort -n | tail -5
  wc -c < README.md
  nl -ba src/a.ts | sed -n '10,20p'
  sed -n '1,20p' README.md
  sed -n 1,50p src/a.ts
  sed -n '/foo/,/bar/p' README.md
  sed 's/a/b/' README.md
  sed 's/a/b/g; s/c/d/' README.md
  sed -e 's/a/b/' -e '/^$/d' README.md
  sed -E 's/([a-z]+)/\1/g' README.md | head
  sed '/^#/d' README.md
  sed -n '$p' README.md
  sed 's|/|_|g' README.md
  sed '$d' README.md
  sed -n '5p;7q' README.md
  sed "s/x/y/" README.md
  awk '{print $1}' README.md
  awk -F: '{print $1, $2}' README.md
  awk 'NR==5' README.md
  awk 'NR>=10 && NR<=20' README.md
  awk '/foo/{print NR": "$0}' README.md
  awk '{s+=$1} END {print s}' README.md
  awk 'length > 80' README.md
  awk '$3 > 5 {print $1}' README.md
  awk 'BEGIN{FS=","} {print $2}' README.md
  awk '{ if ($1 > 3) print $2 }' README.md
  awk 'NR==FNR{a[$1];next} !($1 in a)' README.md package.json
  awk '{printf "%s %d\n", $1, $2}' README.md
  cut -d: -f1 README.md
  cut -c1-80 README.md
  sort README.md
  sort -u README.md
  sort README.md | uniq -c | sort -rn | head -10
  sort -k2 -n README.md
  sort -t, -k1,1 README.md
  uniq README.md
  tr a-z A-Z < README.md
  tr -d '\n' < README.md
  cat README.md | tr ' ' '\n' | sort | uniq -c
  diff README.md package.json
  diff -u README.md package.json
  diff -r src docs
  diff <(ls src) <(ls docs)
  diff <(sort README.md) <(sort package.json)
  cmp README.md package.json
  comm -12 <(sort README.md) <(sort package.json)
  file README.md
  file src/*
  stat README.md
  stat -c %s README.md
  md5sum README.md
  sha256sum README.md
  base64 README.md
  xxd README.md | head
  hexdump -C README.md | head -5
  od -c README.md | head
  strings README.md
  basename src/a.ts
  basename src/a.ts .ts
  dirname src/a.ts
  realpath src/a.ts
  readlink -f src/a.ts
  tree
  tree -L 2
  tree -L 2 -I node_modules
  tree -a -I 'node_modules|.git'
  column -t README.md
  paste -sd, README.md
  rev README.md
  tac README.md
  fold -w 80 README.md
  seq 1 10
  seq 5 | tac
  expr 1 + 2
  bc <<< "1+2"
  echo "1+2" | bc
  jq . package.json
  jq -r .version package.json
  jq '.dependencies | keys' package.json
  jq -r '.scripts | to_entries[] | "\(.key): \(.value)"' package.json
  jq -c '.a[]' package.json
  jq --arg v 1 '.a == $v' package.json
  yq .a package.json
  test -f README.md
  test -f README.md && echo yes
  test -d src || echo no
  [ -f README.md ] && cat README.md
  [ -d node_modules ] && echo installed || echo missing
  [[ -f README.md ]] && echo yes
  [[ -n "$CI" ]] && echo ci
  [[ "$(uname)" == "Darwin" ]] && echo mac
  [ "$(uname)" = Linux ] && echo linux
  true
  sleep 1
  sleep 0.5 && ls
  grep foo src/a.ts
  grep -n foo src/a.ts
  grep -rn foo src
  grep -rn "foo bar" src docs
  grep -rnE "foo|bar" src --include="*.ts"
  grep -rn --include='*.ts' --exclude-dir=node_modules foo src
  grep -rl foo src
  grep -c foo README.md
  grep -i foo README.md | head -5
  grep -v '^#' README.md
  grep -A3 -B2 foo README.md
  grep -oP '"version": "\K[^"]+' package.json
  grep -q foo README.md && echo found
  grep -rn foo src | head
  grep -rn foo src | wc -l
  grep -rn foo src | grep -v test
  grep -rn foo src 2>/dev/null | head -20
  grep -rhoE "import .* from" src | sort | uniq -c | sort -rn
  grep foo README.md || true
  grep -E '^export' src/a.ts | sed 's/export //'
  grep -w foo -r src
  rg foo
  rg foo src
  rg -n foo src
  rg -l foo
  rg -i "foo.*bar" src
  rg --files
  rg --files -g '*.ts'
  rg --files | head
  rg -t ts foo
  rg -g '!node_modules' foo
  rg -c foo src | sort
  rg foo -A 3 -B 3 src
  rg 'foo\(' src --type ts
  rg -uu foo src
  rg --hidden foo src
  rg -o '\w+Error' src | sort -u
  find .
  find . -type f
  find . -name '*.ts'
  find . -name "*.ts" | wc -l
  find . -name "*.ts" -not -path "./node_modules/*"
  find . -type f -name '*.ts' -newer README.md
  find src -name '*.test.ts' | head
  find . -maxdepth 2 -type d
  find . -path ./node_modules -prune -o -name '*.ts' -print
  find . -iname '*readme*'
  find . -type f -size +1M
  find . -mtime -1 -type f
  find src -type f | sort
  find src -type f | xargs wc -l
  find src -name '*.ts' | xargs grep -l foo
  find src -name '*.ts' -print0 | xargs -0 wc -l
  find src -name '*.ts' -exec grep -l foo {} \;
  find src -name '*.ts' -exec wc -l {} +
  find src -name '*.ts' -exec head -5 {} \;
  find . -name node_modules -prune -o -type f -print | head
  find . \( -name '*.ts' -o -name '*.js' \) -type f
  find . -empty -type d
  find src -type f -printf '%s %p\n' | sort -n
  fd foo
  fd -e ts
  fd . src
  fd -e ts -x wc -l
  ls src | wc -l
  ls src | xargs -n1 basename
  ls src | xargs -I{} echo {}
  ls src | grep test
  ls | sort -r
  for f in src/*.ts; do wc -l "$f"; done
  for f in *.md; do echo "$f"; done
  for f in *.md; do head -3 "$f"; done
  for f in src/*.ts; do echo "== $f"; cat "$f"; done
  for i in 1 2 3; do echo $i; done
  for i in {1..5}; do echo "n $i"; done
  for i in $(seq 1 3); do echo $i; done
  for d in src docs; do ls "$d"; done
  for d in src docs; do ls -la $d | head -5; done
  for f in $(ls src); do echo $f; done
  for f in src/*.ts; do echo "$f: $(wc -l < "$f")"; done
  for f in src/*.ts; do grep -c foo "$f"; done
  for f in src/a.ts README.md; do echo "--- $f"; head -5 $f; done
  for f in $(find src -name '*.ts'); do echo $f; done
  while read -r l; do echo "$l"; done < README.md
  cat README.md | while read -r l; do echo "$l"; done
  find src -type f | while read f; do echo "$f"; done
  ls src | while read f; do echo "file: $f"; done
  if [ -f README.md ]; then echo yes; else echo no; fi
  if [ -d src ]; then ls src; fi
  if grep -q foo README.md; then echo yes; fi
  if command -v rg >/dev/null; then rg foo; else grep -r foo src; fi
  case "$(uname)" in Darwin) echo mac;; *) echo other;; esac
  cd src && ls
  cd src && cat a.ts
  cd src; pwd
  (cd src && ls)
  cd src && cd .. && ls
  cd ./src && grep -rn foo .
  pushd src && ls && popd
  ls 2>&1
  ls 2>&1 | head
  ls 2>/dev/null
  ls > /dev/null
  ls >/dev/null 2>&1
  ls &> /dev/null && echo ok
  ls nonexistent 2>/dev/null || echo "not found"
  ls || true
  ls; echo $?
  time ls
  timeout 5 ls
  X=1; echo $X
  N=$(wc -l < README.md); echo "$N"
  N=$((1+2)); echo $N
  FILES=$(ls src); echo "$FILES"
  VERSION=$(jq -r .version package.json) && echo "$VERSION"
  BRANCH=$(git branch --show-current); echo $BRANCH
  set -e; ls
  set -euo pipefail; ls
  set -x; ls
  echo "$(date): $(pwd)"
  echo "$(cat README.md | wc -l) lines"
  echo '{"a":1}' | jq .a
  echo "a,b,c" | tr ',' '\n'
  echo "a b" | awk '{print $2}'
  echo x | base64
  echo eA== | base64 -d
  echo "test" | md5sum
  echo x | tee /dev/null
  cat README.md | tee /dev/stderr | wc -l
  git status
  git status -s
  git status --short --branch
  git status --porcelain
  git status && git diff
  git diff
  git diff --stat
  git diff --cached
  git diff --staged --stat
  git diff HEAD
  git diff HEAD~1
  git diff HEAD~1 -- src
  git diff main...HEAD
  git diff main..HEAD --stat
  git diff --name-only
  git diff --name-only HEAD~1
  git diff --name-only origin/main...HEAD
  git diff src/a.ts
  git diff -w src
  git diff | head -100
  git diff --color=never | grep '^+'
  git diff "$(git merge-base main HEAD)"
  git diff $(git merge-base main HEAD)..HEAD
  git --no-pager diff
  git --no-pager log --oneline -5
  git log
  git log --oneline
  git log --oneline -5
  git log --oneline -n 10
  git log -1
  git log -1 --format=%H
  git log -1 --pretty=%B
  git log --stat -2
  git log -p -1
  git log --graph --oneline --all
  git log --graph --oneline --decorate --all | head -20
  git log --since="1 week ago" --oneline
  git log --author=me --oneline
  git log main..HEAD
  git log main..HEAD --oneline
  git log --format='%h %an %s' -5
  git log --oneline -- src
  git log --oneline -S foo
  git log --follow src/a.ts
  git log --all --grep=fix
  git log --diff-filter=D --summary
  git log --oneline | wc -l
  git log --oneline $(git describe --tags --abbrev=0)..HEAD
  git show
  git show HEAD
  git show --stat
  git show HEAD~2:src/a.ts
  git show HEAD:package.json | jq .version
  git show --name-only HEAD
  git show abc123 --stat
  git branch
  git branch -a
  git branch -vv
  git branch -r
  git branch --show-current
  git branch --merged
  git branch --list 'feature/*'
  git branch --contains abc123
  git branch -a | grep foo
  git tag
  git tag -l
  git tag -l 'v*' | tail -5
  git tag --sort=-v:refname | head -1
  git remote
  git remote -v
  git remote get-url origin
  git stash list
  git stash show -p
  git rev-parse HEAD
  git rev-parse --short HEAD
  git rev-parse --abbrev-ref HEAD
  git rev-parse --show-toplevel
  git ls-files
  git ls-files src | wc -l
  git ls-files '*.ts' | xargs wc -l
  git ls-files -m
  git ls-files --others --exclude-standard
  git ls-tree -r HEAD --name-only
  git blame src/a.ts
  git blame -L 1,10 src/a.ts
  git describe --tags
  git describe --tags --always
  git shortlog -sn
  git shortlog -sne HEAD
  git reflog
  git reflog | head
  git config --list
  git config user.name
  git config --get user.email
  git config --get remote.origin.url
  git worktree list
  git submodule status
  git merge-base main HEAD
  git rev-list --count HEAD
  git cat-file -p HEAD
  git grep foo
  git grep -n foo -- src
  git check-ignore -v dist
  git count-objects -vH
  git for-each-ref --sort=-committerdate --format='%(refname:short)' refs/heads
  git diff-tree --no-commit-id --name-only -r HEAD
  git version
  git --version
  node --version
  node -v
  npm --version
  npm -v
  npm ls
  npm ls --depth=0
  npm ls react
  npm ls 2>/dev/null | head
  npm root
  pnpm --version
  pnpm ls
  yarn --version
  bun --version
  deno --version
  python --version
  python3 --version
  python3 -V
  pip --version
  pip list
  pip show requests
  pip freeze
  pip freeze | grep -i django
  cargo --version
  cargo tree
  cargo tree --depth 1
  rustc --version
  rustup show
  go version
  go env
  go env GOPATH
  go list ./...
  go list -m all
  go doc fmt
  java -version
  docker --version
  docker version
  kubectl version --client
  make --version
  gcc --version
  tsc --version
  terraform version
  node --version && npm --version
  echo "node $(node --version)"
  man ls
  help cd
  find . -name '*.ts' | xargs wc -l
  find . -name '*.ts' -not -path './node_modules/*' | xargs wc -l | tail -1
  find src -type f -name '*.tsx' | xargs wc -l | sort -n
  find src -name '*.py' -print0 | xargs -0 wc -l
  find src -name '*.py' -print0 | xargs -0 grep -n TODO
  grep -rl foo src | xargs grep bar
  grep -rl useState src | xargs wc -l
  grep -rlZ foo src | xargs -0 grep -n bar
  grep -rl 'import React' src | xargs -n1 basename
  git ls-files | xargs wc -l
  git ls-files '*.ts' | xargs wc -l | sort -rn | head
  git ls-files -z | xargs -0 wc -l
  git ls-files src | xargs grep -n TODO
  git ls-files | xargs -n1 dirname | sort | uniq -c
  ls src | xargs -n1 echo
  find src -name '*.ts' | xargs -n1 -I{} head -5 {}
  find . -name package.json -not -path '*/node_modules/*' | xargs -I{} head -3 {}
  find . -name package.json | xargs cat
  find . -name '*.md' | xargs grep -l install
  find . -type f -name '*.go' | xargs -n 10 grep -n 'func main'
  find src -type f | xargs md5sum
  find src -type f -print0 | xargs -0 stat
  find src -type f | xargs ls -la
  find . -name '*.json' -maxdepth 2
  find . -type d -name __pycache__
  find . -size +1M -type f
  find . -newer package.json -type f | head
  rg --files | wc -l
  rg --files -g '*.ts' | xargs wc -l
  rg -n 'export function' src | head -30
  rg foo src | sort | uniq -c | sort -rn
  fd -e ts | head
  ls -la | head
  ls -lt | head -n 5
  ls -1 | wc -l
  ls | grep -v node_modules
  ls -la src/ docs/ 2>/dev/null
  ls *.md 2>/dev/null | head -1
  git log --oneline | head -20
  git log --oneline -10
  git log --stat -3
  git log --pretty=format:'%h %an %s' -5
  git log --since='2 weeks ago' --oneline
  git log --author="$(git config user.name)" --oneline -5
  git status --short | wc -l
  git status --porcelain | awk '{print $2}'
  git diff --stat HEAD~1
  git diff --cached --name-only
  git diff main...HEAD --stat
  git show HEAD --stat
  git show HEAD:package.json
  git branch -a | grep feature
  git tag --sort=-creatordate | head -5
  git blame -L 1,20 src/a.ts
  git shortlog -sn | head
  git merge-base HEAD main
  git log --format=%an | sort | uniq -c | sort -rn
  git --no-pager log -5
  git grep -n TODO -- src
  git reflog | head -5
  cat package.json | jq -r '.dependencies | keys[]'
  jq '.devDependencies' package.json
  cat package.json | grep version | head -1
  cat package.json | python3 --version
  cat README.md | head -40
  cat src/a.ts | wc -l
  head -50 src/a.ts
  head -n 20 README.md && tail -n 20 README.md
  tail -100 src/a.ts | less
  sed -n 1,20p src/a.ts
  sed -n '10,40p' README.md
  sed 's/foo/bar/' src/a.ts | head
  awk '{print $1}' README.md | sort -u
  awk -F: '{print $1}' README.md
  awk 'NR>=10 && NR<=20' src/a.ts
  awk '/export/ {n++} END {print n}' src/a.ts
  cut -d: -f1 README.md | sort | uniq -c
  sort README.md | uniq -d
  nl -ba src/a.ts | sed -n '1,30p'
  wc -l $(git ls-files)
  wc -l $(find src -name '*.ts')
  cat $(git ls-files src | head -3)
  for f in src/*.ts; do echo $f; done
  for f in src/*.ts; do echo "$f"; wc -l "$f"; done
  for f in src/*.ts; do echo "== $f"; head -5 "$f"; done
  for i in $(seq 1 5); do echo "n $i"; done
  for d in packages/*/; do [ -f "$d/package.json" ] && echo $d; done
  for f in $(git ls-files '*.md'); do wc -l "$f"; done
  while read -r line; do echo "$line"; done < README.md
  git ls-files | while read -r f; do echo "$f"; done
  test -f x && cat x
  test -f package.json && echo yes || echo no
  [ -d node_modules ] && echo installed
  [[ -f README.md ]] && head -1 README.md
  if [ -f Makefile ]; then cat Makefile; fi
  if grep -q foo src/a.ts; then echo found; else echo missing; fi
  ls src || echo "no src"
  cd packages/a && cat package.json
  cd src && grep -rn foo . | head
  (cd packages/a && ls)
  pwd; ls; git status
  command -v npm
  type git
  node -v && npm -v
  java -version 2>&1
  make --version | head -1
  du -sh .
  du -sh * | sort -h
  du -sh src docs
  du -h --max-depth=1 . | sort -hr | head
  df -h .
  ps aux | grep -v grep | grep vite
  ps -ef | head
  netstat -tlnp
  ss -tlnp | grep 3000
  echo "$PATH"
  echo $HOME
  echo "$SHELL $USER"
  echo "hello world"
  date +%F
  date -d yesterday
  env
  printenv | sort
  export | head
  whoami && hostname
  id -un
  stat package.json
  file src/a.ts
  readlink -f package.json
  realpath src
  basename "$(pwd)"
  diff README.md docs/README.md
  diff -u package.json packages/a/package.json | head
  grep -rn "TODO\|FIXME" src --include=*.ts
  grep -rn foo . --exclude-dir=node_modules | head -20
  grep -c export src/*.ts
  grep -A5 -B5 main src/a.ts
  grep -E '^import' -h src/*.ts | sort | uniq -c | sort -nr
  grep -o 'from "[^"]*"' -h src/*.ts | sort -u
  grep -n version package.json | cut -d: -f3
  sleep 2 && echo done
  timeout 10 cat README.md
  seq 1 10 | paste -sd+ | bc
  echo '2+3' | bc
  echo "scale=2; 10/3" | bc
  echo $((3*7))
  x=5; echo $x
  NAME=test; echo "name is $NAME"
  count=$(git ls-files | wc -l); echo "files: $count"
  files=$(git diff --name-only); echo "$files"
  echo "$(git rev-parse --short HEAD)"
  echo abc | base64
  echo aGk= | base64 -d
  echo abc | sha256sum
  sha256sum package.json
  hexdump -C README.md | head -3
  strings README.md | head
`);

const JAVASCRIPT = lines(`
  npm test
  npm test -- --watch=false
  npm test -- src/a.test.ts
  npm test 2>&1
  npm test 2>&1 | tail -20
  npm test 2>&1 | tail -50 | head -30
  npm test 2>&1 | grep -E "FAIL|PASS"
  npm test > /dev/null
  npm test > /dev/null 2>&1 && echo ok
  npm test || true
  npm test; echo "exit $?"
  npm test && echo ok || echo failed
  npm test -- --coverage | tee /dev/null
  npm run build
  npm run build && npm test
  npm run lint
  npm run lint -- --fix
  npm run lint 2>&1 | head -40
  npm run typecheck && npm run lint && npm test
  npm run test:unit
  npm run test:unit -- -t "name of a test"
  npm run dev &
  npm run build --workspaces
  npm run build --workspace=packages/a
  npm run build -w packages/a
  npm run build --if-present
  npm run --silent build
  npm ci
  npm ci --ignore-scripts
  npm install
  npm install --no-audit --no-fund
  npm install left-pad
  npm install -D typescript
  npm i -D vitest
  npm outdated
  npm audit
  npx tsc --noEmit
  npx tsc -p . --noEmit
  npx tsc --noEmit 2>&1 | head -30
  npx tsc --noEmit && echo ok
  npx eslint .
  npx eslint src --ext .ts --fix
  npx eslint "src/**/*.ts"
  npx prettier --check .
  npx prettier --write src/a.ts
  npx vitest run
  npx vitest run src/a.test.ts
  npx vitest run src/a.test.ts -t "works" 2>&1 | tail -30
  npx vitest run --reporter=verbose
  npx jest
  npx jest src/a.test.ts --coverage
  NODE_ENV=test npm test
  CI=1 npm test
  CI=true FORCE_COLOR=0 npm test
  DEBUG=app:* npm run dev
  PORT=3001 npm run dev
  TZ=UTC npm test
  time npm test
  timeout 60 npm test
  timeout 120s npm run build
  nohup npm run dev &
  cd src && npm test
  cd src && npx vitest run
  (cd src && npm run build)
  cd src && npm ci && npm run build && cd ..
  node --test
  node --test src
  node src/a.js
  node dist/cli.js --help
  node -e "console.log(1)"
  node -p "require('./package.json').version"
  node --check src/a.js
  node scripts/x.mjs --flag
  for i in 1 2 3; do npm test; done
  for i in {1..5}; do npm test -- --run || break; done
  for p in packages/a packages/b; do (cd $p && npm test); done
  for f in src/*.ts; do npx tsc --noEmit "$f"; done
  if npm test; then echo ok; else echo no; fi
  [ -d node_modules ] || npm ci
  test -d node_modules || npm install
  ls node_modules >/dev/null 2>&1 || npm install
  set -e; npm ci; npm test
  npm test & wait
  OUT=$(npm test 2>&1); echo "$OUT" | tail -5
  git add -A
  git add . && git commit -m "fix: it"
  git add src/a.ts && git commit -m "feat(x): add a thing" && git status
  git add -A && git commit -m 'fix: it' && git log --oneline -1
  git commit -m "first line" -m "second line"
  git commit -am "wip"
  git commit --amend --no-edit
  git commit -m "don't stop; rm -rf is only text"
  git commit -m 'fix: handle $HOME and backticks'
  git fetch
  git fetch origin
  git fetch --all --prune
  git pull
  git pull --rebase origin main
  git checkout -b feature/x
  git checkout main
  git checkout main && git pull
  git switch -c feature/y
  git switch main
  git stash
  git stash pop
  git stash && git pull && git stash pop
  git merge --no-ff feature/x
  git rebase main
  git rebase --continue
  git rebase --abort
  npm version
  cat package.json | jq '.scripts' && npm run build
  rm -rf dist
  rm -rf dist && npm run build
  rm -rf node_modules && npm ci
  rm -rf coverage .cache
  mkdir -p src/x
  mkdir -p dist
  touch src/x.ts
  cp src/a.ts src/b.ts
  mv src/b.ts src/c.ts
  cp -r src/x src/y
  echo "export {}" > src/x.ts
  echo "x" >> src/x.ts
  cat src/a.ts > src/b.ts
  sed -i 's/a/b/' src/a.ts
  npm test > src/out.log 2>&1
  npm run build | tee src/build.log
  tail -f src/out.log
  npm test -- src/a.test.ts | grep -i fail
  npm run build 2>&1 | tail -5
  npm run lint && npm test
  npm run typecheck; npm run lint
  npm ci && npm run build && npm test
  npm install --save-dev vitest
  npm i lodash
  npx tsc -p tsconfig.json --noEmit | grep error | wc -l
  npx eslint src --ext .ts,.tsx
  npx eslint . --max-warnings 0
  npx vitest run src/a.test.ts -t "parses"
  npx jest --coverage
  npx jest src/a --no-cache 2>&1 | tail -40
  node dist/index.js
  node -e 'console.log(1+1)'
  node -p 'require("./package.json").version'
  node scripts/build.mjs --watch=false
  cd packages/a && npm test
  cd packages/a && npx tsc --noEmit && cd ..
  (cd packages/b && npm run build)
  npm run build --workspace packages/a
  npm run build > /dev/null
  npm run build > /dev/null 2>&1 && echo ok
  npm test || echo "tests failed"
  timeout 120 npx vitest run
  NODE_ENV=production npm run build
  DEBUG=app:* npm test
  FORCE_COLOR=0 npm test
  git diff --stat HEAD~1 && npm test
  git add -A && git commit -m "fix: parse empty input"
  git add src/a.ts && git status --short
  git commit -m "feat: add x" -m "body text"
  git switch -c fix/y
  git fetch origin && git status
  git pull --rebase
  git log --oneline main..HEAD
  mkdir -p src/components
  mkdir -p src/utils && touch src/utils/index.ts
  touch src/new.ts
  mv src/a.ts src/c.ts
  rm -rf node_modules
  echo 'export {};' > src/empty.ts
  sed -i 's/foo/bar/g' src/a.ts
  find src -name '*.test.ts' | xargs wc -l
  find src -name '*.ts' | xargs grep -l useState
  grep -rl foo src | xargs grep -n bar
  rg -l foo src | xargs grep -c bar
  rg foo | sort | uniq -c
  rg -n foo | cut -d: -f1 | sort -u
  rg foo src | awk '{print $1}'
  rg -l TODO src | sed -n 1,20p
  rg foo --type ts -g '!*.test.ts' | head -20
  cat package.json | jq .
  cat package.json | jq '.scripts | keys'
  ls -la | column -t
  ls | sort | uniq
  ls node_modules | wc -l
  ls node_modules/.bin | grep vite
  cat node_modules/react/package.json | jq .version
  cat node_modules/typescript/package.json | grep '"version"'
  git ls-files | xargs wc -l | tail -1
  git ls-files | wc -l
  wc -l $(git ls-files '*.ts')
  cat $(git ls-files 'src/*.ts')
  for f in src/*.ts; do npx prettier --check "$f"; done
  for p in packages/*; do echo "$p"; (cd "$p" && npm test); done
  for p in packages/a packages/b; do (cd $p && npm run build); done
  test -d dist && ls dist
  if [ ! -d node_modules ]; then npm ci; fi
  npm test && git add -A && git commit -m "wip"
  npm run build && ls -la dist | head
  npm run build && node dist/index.js --help
  npm run lint 2>&1 | grep -c warning
  npm test -- --reporter=dot 2>&1 | tee /dev/null | tail
  npx vitest run --reporter=json | jq .numFailedTests
  npx tsc --version
  which npx && npx tsc --version
  echo "Running tests..." && npm test && echo "Done"
  set -e; npm run build; npm test
  set -euo pipefail && npm test
  node -e "const p=require('./package.json'); console.log(p.name)"
  git diff HEAD -- package.json package-lock.json
  git log -p -1 -- src/a.ts | head -50
  find . -name '*.log' -not -path './node_modules/*'
  find . -type f -not -path '*/node_modules/*' -not -path './.git/*' | head -50
  find packages -maxdepth 2 -name package.json | xargs -I{} jq -r .name {}
  find packages -name package.json -not -path '*/node_modules/*' | xargs cat
  ls packages/*/package.json | xargs -n1 dirname
  tail -f /dev/null &
  ps aux | grep node | grep -v grep
  lsof -i :5173
  diff <(git show HEAD:package.json) package.json
`);

const MULTI_LINE: readonly string[] = [
  "ls\npwd\n",
  "cd src\nls -la\n",
  "# look around\nls\n# and more\ncat README.md",
  "cat <<EOF\nhello\nEOF",
  "cat <<'EOF'\n$HOME `x` $(y)\nEOF",
  "cat <<EOF | wc -l\na\nb\nEOF",
  "ls \\\n  -la \\\n  src",
  'for f in src/*.ts; do\n  echo "$f"\n  wc -l "$f"\ndone',
  "if [ -f README.md ]; then\n  cat README.md\nelse\n  echo none\nfi",
  'while IFS= read -r line; do\n  echo "$line"\ndone < README.md',
  "grep -rn foo src \\\n  | grep -v test \\\n  | head",
  'f() {\n  echo "x $1"\n}\nf a\nf b',
  "git status\ngit diff --stat\ngit log --oneline -3",
  "echo 'a\nb' | sort",
];

const COMMIT_HEREDOC = "git commit -m \"$(cat <<'EOF'\nfix: it\n\nA longer text about $things and `code`.\nEOF\n)\"";

const PYTHON = lines(`
  pytest
  pytest -q
  pytest -x -q
  pytest tests/test_a.py
  pytest tests/test_a.py::test_b -v
  pytest tests -k "name and not other" -x 2>&1 | tail -30
  pytest --cov=src --cov-report=term-missing
  pytest -n auto
  pytest --lf
  python -m pytest
  python -m pytest -q tests
  python3 -m pytest -x
  python -m unittest discover
  ruff check .
  ruff check --fix src
  ruff format .
  ruff format --check .
  mypy src
  mypy --strict src 2>&1 | tail
  black .
  black --check .
  isort .
  flake8 src
  tox -e py312
  uv sync
  uv run pytest
  uv run ruff check .
  uv run python script.py
  uv run --extra dev pytest -q
  poetry install
  poetry run pytest
  poetry run mypy src
  pip install -r requirements.txt
  pip install -e .
  pip install -e ".[dev]"
  python -m venv .venv
  python src/main.py
  python3 script.py --arg 1
  python -c "print(1)"
  PYTHONPATH= python --version
  PYTHONDONTWRITEBYTECODE=1 pytest
  cd src && pytest
  ruff check . && mypy src && pytest
  pytest || true
  time pytest -q
  timeout 300 pytest -q 2>&1 | tail -20
  DJANGO_SETTINGS_MODULE=x.settings pytest
  python manage.py test
  python manage.py migrate --check
`).filter((line) => !line.startsWith("PYTHONPATH"));

const GO = lines(`
  go build ./...
  go build -o bin/x ./cmd/x
  go test ./...
  go test ./... -count=1
  go test -v ./pkg/...
  go test -run TestX ./pkg
  go test -race -count=1 ./...
  go test -cover ./...
  go test -coverprofile=coverage.out ./...
  go test -bench=. -benchmem ./...
  go test ./... 2>&1 | tail -30
  go test ./... 2>&1 | grep -E "FAIL|ok"
  go test -short -timeout 60s ./...
  go test -tags integration ./...
  go test -run 'TestX/sub' -v ./pkg 2>&1 | head
  go test ./pkg -args -x
  go vet ./...
  go fmt ./...
  gofmt -l .
  gofmt -d src
  golangci-lint run
  golangci-lint run --fix ./...
  go mod tidy
  go mod download
  go mod graph | head
  go get example.com/x@latest
  go run .
  go run ./cmd/x --flag
  go generate ./...
  go install ./...
  make
  make build
  make test
  make -j4 all
  make lint test
  make test ARGS="-v"
  make VERBOSE=1
  make -C src build
  make -s test 2>&1 | tail
  CGO_ENABLED=0 go build ./cmd/x
  GOOS=linux GOARCH=amd64 go build ./...
  go build ./... && go test ./...
  go build -ldflags "-s -w -X main.version=1" ./cmd/x
  cd src && go test ./...
  pytest -x -q tests/ -k name
  pytest tests/test_a.py::test_b -vv
  pytest --cov=src 2>&1 | tail -15
  python -m pytest -q
  python -m pytest tests | tail -5
  python -c 'import sys; print(sys.version)'
  python3 -c "import json; print(json.load(open('package.json'))['name'])"
  python scripts/run.py --dry-run
  python -m http.server --help
  ruff format --check . && mypy src
  mypy --strict src
  black src && isort src
  flake8 src tests
  tox -e py311
  uv run pytest -q
  uv run ruff check
  uv pip list
  pip install -e '.[dev]'
  DJANGO_SETTINGS_MODULE=app.test pytest -q
  cd packages/a && pytest
  timeout 300 pytest -x
  find . -name '*.py' | xargs wc -l
  find . -name '*.py' -not -path './.venv/*' | xargs grep -n 'import os'
  grep -rn 'def test_' tests | wc -l
  pytest --collect-only -q | grep test_ | head
  pytest -q; echo "exit $?"
  git add -A && git commit -m "Fix off-by-one"
  git stash; pytest; git stash pop
  for f in tests/test_*.py; do pytest -q "$f"; done
  python -m json.tool package.json
  cat requirements.txt | sort | head
  go test ./... -run TestX -v
  go test -race -count=1 ./pkg/...
  go test ./... 2>&1 | grep FAIL
  go build -o bin/app ./cmd/app
  CGO_ENABLED=0 GOOS=linux go build ./...
  gofmt -l . | wc -l
  go mod tidy && git diff --stat go.mod
  go get github.com/pkg/errors@latest
  go run ./cmd/app --help
  go list -m all | head
  go doc fmt.Println
  golangci-lint run ./...
  make build 2>&1 | tail -5
  make -j4 test
  cd packages/a && go test ./...
  find . -name '*.go' | xargs wc -l
  grep -rl 'func main' --include='*.go' . | xargs grep -n flag
  time go test ./...
  go test ./... && git commit -am "Handle nil"
`);

const RUST = lines(`
  cargo build
  cargo build --release
  cargo build --workspace --all-targets
  cargo check
  cargo check 2>&1 | head -40
  cargo test
  cargo test name
  cargo test name -- --nocapture
  cargo test --workspace --all-features
  cargo test -p a --lib
  cargo test 2>&1 | tail -20
  cargo test | tail
  cargo clippy
  cargo clippy --all-targets -- -D warnings
  cargo clippy --fix --allow-dirty
  cargo fmt
  cargo fmt --check
  cargo fmt --all -- --check
  cargo run
  cargo run -- --help
  cargo run --release --bin x -- a b
  cargo run --example y
  cargo doc --no-deps
  cargo bench
  cargo update
  cargo add serde
  cargo clean
  cargo metadata --format-version 1 | jq .packages
  RUST_BACKTRACE=1 cargo test
  RUST_LOG=debug cargo run
  CARGO_TERM_COLOR=never cargo build
  cargo fmt --check && cargo clippy && cargo test
  cd src && cargo test
  cargo test --manifest-path crates/a/Cargo.toml
  time cargo build
  cargo test -- --nocapture
  cargo test parser:: -- --test-threads=1
  cargo build 2>&1 | grep -E '^(warning|error)' | head
  cargo clippy -- -D warnings
  cargo clippy --all-targets --all-features 2>&1 | tail -30
  cargo fmt -- --check
  cargo run --example demo < README.md
  cargo add serde --features derive
  cargo tree -d
  cargo tree | grep serde
  cargo metadata --format-version 1 | jq '.packages[].name'
  cd packages/a && cargo test
  find . -name '*.rs' -not -path './target/*' | xargs wc -l
  git ls-files '*.rs' | xargs wc -l
  rustc --version && cargo --version
  cargo fmt && cargo clippy && cargo test
`);

const CONTAINERS = lines(`
  docker ps
  docker ps -a
  docker images
  docker logs web
  docker logs -f --tail 100 web
  docker logs web 2>&1 | tail -50
  docker build -t x .
  docker build -t x -f Dockerfile .
  docker compose up -d
  docker compose down
  docker compose logs -f web
  docker compose ps
  docker compose exec web ls
  docker exec web ls -la
  docker inspect web | jq '.[0].State'
  docker run --rm x npm test
  docker run --rm -v "$PWD:/app" -w /app node:20 npm test
  docker stats --no-stream
  docker network ls
  docker volume ls
  kubectl get pods
  kubectl get pods -n x -o wide
  kubectl get pods -o json | jq '.items | length'
  kubectl describe pod x
  kubectl logs x --tail=50
  kubectl config current-context
`);

export const BENIGN: Readonly<Record<string, BenignLines>> = {
  "looking around, no rules": {
    rules: {},
    lines: [...LOOKING.filter((line) => !line.startsWith("ll ")), ...MULTI_LINE],
  },
  "looking around, with denies": {
    rules: { deny: DENY },
    lines: LOOKING.filter((line) => !line.startsWith("ll ")),
  },
  JavaScript: {
    rules: {
      allow: [
        ...bash(`npm test *,npm run *,npm ci *,npm install *,npm i *,npm outdated,npm audit,npm version,npx tsc *,npx eslint *,npx prettier *,npx vitest *,
          npx jest *,node *,rm -rf dist,rm -rf node_modules,rm -rf coverage *,mkdir *,touch *,cp *,mv *,sed -i *,tee *,${GIT}`),
        "Edit(src/**)",
      ],
      deny: DENY,
    },
    lines: [...JAVASCRIPT, COMMIT_HEREDOC],
  },
  Python: {
    rules: {
      allow: bash(
        `pytest *,python *,python3 *,ruff *,mypy *,black *,isort *,flake8 *,tox *,uv *,poetry *,pip install *,${GIT}`,
      ),
      deny: DENY,
    },
    lines: PYTHON,
  },
  Go: {
    rules: {
      allow: bash(
        `go build *,go test *,go vet *,go fmt *,go mod *,go get *,go run *,go generate *,go install *,gofmt *,golangci-lint *,make *,${GIT}`,
      ),
      deny: DENY,
    },
    lines: GO,
  },
  Rust: { rules: { allow: bash(`cargo *,${GIT}`), deny: DENY }, lines: RUST },
  containers: {
    rules: {
      allow: bash("docker *,kubectl get *,kubectl describe *,kubectl logs *,kubectl config current-context"),
      deny: DENY,
    },
    lines: CONTAINERS,
  },
};
