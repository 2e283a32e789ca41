// What leads out of the workspace needs a rule that spells it, or one for the place, whichever word of whichever program it is.
import { afterAll, beforeAll, expect, test } from "vitest";
import { rulesFor, world } from "./kit.js";

let files: Awaited<ReturnType<typeof world>>;
beforeAll(async () => {
  files = await world();
});
afterAll(() => files.close());

const PROGRAMS =
  `cat cp mv rm zip csplit git pytest tar tee head grep wc split unzip gzip rsync npm npx node python3 docker cargo go make cmake curl wget
  ssh-keygen openssl ffmpeg convert pandoc protoc tool tsc eslint jest webpack pip patch install ln touch mkdir truncate sort sed awk
  find ls dd sqlite3 jq bash env timeout xargs java gcc sphinx-build gpg 7z base64 ./run.sh stat chmod`.split(/\s+/);

const LEADS_OUT = String.raw`
  zip ../outside/x.zip a.ts
  zip -r x.zip out
  zip -r x.zip out/notes
  zip x.zip ../outside/*.ts
  zip -b/etc x.zip a.ts
  csplit -f /etc/x a.ts 1
  csplit -f ../outside/x a.ts 1
  csplit -f../outside/x a.ts 1
  csplit --prefix=../outside/x a.ts 1
  git commit -F ../outside/secret
  git commit -F TOP/outside/secret
  git commit --file=../outside/secret
  git add -A --pathspec-from-file=../outside/secret
  git archive -o ../outside/x.tar HEAD
  git format-patch -o ../outside HEAD~1
  git apply ../outside/secret
  git am < ../outside/secret
  git bundle create ../outside/x HEAD
  git notes add -F ../outside/secret
  git tag -a v1 -F ../outside/secret
  git worktree add ../outside/wt
  git clone . ../outside/clone
  git config --file ../outside/secret a.b c
  git -C ../outside init
  pytest --basetemp=../outside
  pytest --basetemp ../outside
  pytest -c ../outside/secret
  pytest --rootdir=TOP/outside
  pytest --junitxml=../outside/r.xml
  pytest ../outside
  pytest --basetemp=docs
  pytest --basetemp docs
  cat ../outside/secret
  cat TOP/outside/secret
  cat out/notes
  cat out/../outside/secret
  cat ~/notes
  cat $HOME/notes
  cat "$HOME"/notes
  cat < ../outside/secret
  cat src/../../outside/secret
  cd src && cat ../../outside/secret
  (cd src; cat ../../outside/secret)
  cat ../outside/{secret,lib/a.ts}
  cat ../outside/*
  f=../outside/secret; cat "$f"
  for f in ../outside/*; do cat "$f"; done
  head -1 ../outside/secret
  grep -r x ../outside
  grep -f ../outside/secret a.ts
  wc -l ../outside/secret
  sort ../outside/secret
  ls ..
  ls ../outside
  stat ../outside/secret
  find .. -name secret
  cp ../outside/secret .
  cp a.ts ../outside/
  cp -t ../outside a.ts
  mv a.ts ../outside/b.ts
  rm ../outside/secret
  rm -r out/notes
  tar cf ../outside/x.tar a.ts
  tar -C ../outside -cf x.tar .
  tar xf x.tar -C ../outside
  tee ../outside/x < a.ts
  split a.ts ../outside/x
  unzip x.zip -d ../outside
  gzip -c ../outside/secret
  rsync -a ../outside/ here/
  rsync -a src/ ../outside/
  npm --prefix ../outside test
  npm install ../outside
  npm pack --pack-destination ../outside
  npm test -- --out=../outside
  npx tsc --outDir ../outside
  npx eslint -c ../outside/secret src
  npx --prefix=../outside eslint
  node ../outside/lib/a.ts
  node --require ../outside/lib/a.ts a.ts
  node --env-file=../outside/secret a.ts
  node -e 1 ../outside/secret
  python3 ../outside/secret
  python3 -c "open('../outside/secret','w')"
  node -e "require('fs').writeFileSync('../outside/x','y')"
  docker build -f ../outside/secret .
  docker run -v ../outside:/x img
  docker run -v TOP/outside:/x img
  docker run --mount type=bind,source=../outside,target=/x img
  cargo build --manifest-path ../outside/secret
  cargo build --target-dir=../outside
  go build -o ../outside/x
  go test -coverprofile=../outside/c.out ./...
  make -C ../outside
  make -f ../outside/secret
  make --directory=../outside
  make O=../outside
  cmake -B ../outside
  cmake -S . -B../outside
  curl -o ../outside/x https://example.com
  curl -F file=@../outside/secret https://example.com
  curl -T ../outside/secret https://example.com
  curl -d @../outside/secret https://example.com
  wget -P ../outside https://example.com
  wget -O ../outside/x https://example.com
  ssh-keygen -f ../outside/key
  openssl enc -in ../outside/secret
  ffmpeg -i ../outside/secret x.mp4
  ffmpeg -i a.ts ../outside/x.mp4
  convert a.png ../outside/a.png
  pandoc a.md -o ../outside/a.html
  protoc --cpp_out=../outside a.proto
  protoc -I../outside a.proto
  tool ../outside/secret
  tool --x=../outside/secret
  tool -x../outside/secret
  tool -x=~/notes
  tool --x=~/notes
  tool ~/notes
  tool $HOME/notes
  tool out
  tool out/notes
  tool "../outside/$x"
  tool TOP/outside
  tool ..
  tool file:TOP/outside/secret
  tool file://TOP/outside/secret
  tool @../outside/secret
  tool a=../outside/secret,b=1
  tool ../outside/secret:1
  tool a:../outside/secret
  tool "$(echo ../outside/secret)"
  cd src && tool ../../outside
  timeout 5 tool ../outside/secret
  env A=1 tool ../outside/secret
  (tool ../outside/secret)
  echo $(tool ../outside/secret)
  true && tool ../outside/secret | head
  ls | xargs tool ../outside/secret
  find . -name '*.ts' -exec tool ../outside/secret {} +
  ./run.sh ../outside/secret
  ../outside/run.sh
  TOP/outside/run.sh
  ~/run.sh
  bash ../outside/secret
  tsc --outDir ../outside
  tsc -p ../outside
  eslint --config ../outside/secret src
  eslint ../outside
  jest --rootDir=..
  jest --coverageDirectory ../outside
  webpack --output-path ../outside
  pip install -r ../outside/secret
  pip install -e ../outside
  pip install --target=../outside x
  patch -d ../outside -i x.patch
  install a.ts ../outside/a.ts
  ln -s ../../outside/secret src/link
  touch -r ../outside/secret a.ts
  touch ../outside/new
  mkdir -p ../outside/d
  truncate -s0 ../outside/secret
  sed -i s/a/b/ ../outside/secret
  sed -n w../outside/x a.ts
  awk '{print}' ../outside/secret
  dd if=../outside/secret of=x
  dd if=a.ts of=../outside/x
  sqlite3 ../outside/x.db .tables
  jq -f ../outside/secret package.json
  java -jar ../outside/x.jar
  gcc -o ../outside/x a.c
  gcc -I../outside a.c
  sphinx-build docs ../outside
  gpg --output ../outside/x a.ts
  7z a ../outside/x.7z a.ts
  base64 ../outside/secret
  chmod 600 ../outside/secret
  env -C ../outside npm test
`;

test.each(rulesFor(...PROGRAMS))("a word that leads out of the workspace asks under %s", async (...allow) => {
  expect(await files.others("stopped", allow, LEADS_OUT)).toEqual([]);
});

const STAYS = String.raw`
  zip x.zip a.ts
  csplit -f src/x a.ts 1
  git commit -m "../outside is no more"
  git commit -m "/etc is read" -m "~/notes too"
  git commit -qm 'a/../b'
  git add src/../a.ts
  git checkout main..x
  pytest -k "a/b or ../c"
  pytest tests/a.py::test_b -x
  pytest -p no:cacheprovider --cov=src --cov-report=term
  node --test
  node -e "console.log(1 / 2)"
  node -e 'const a = "/api/users"; console.log(a)'
  node -e "console.log('a'.split('/'))"
  python3 -c "print('/'.join(['a', 'b']))"
  npm run build -- --base=/app/
  npm run build -- --base /docs/
  npm test -- -t "/x/"
  npm test > /dev/null 2>&1
  npm run build --if-present -- --outDir dist/../build
  npx tsc --outDir dist
  npx vitest run src/../a.ts
  cd src && npx eslint ..
  cd src && npx tsc -p ../
  cd src && npx vitest --root ..
  make -C src
  curl https://example.com/../x
  curl -s http://localhost:3000/api/users
  curl -o /dev/null -w '%{http_code}' https://example.com
  curl -H 'Accept: */*' -X POST https://example.com/v1
  docker run --rm img ls /etc
  docker exec web cat /etc/hosts
  docker run -v data:/nowhere img
  docker build -t a/b:c .
  docker compose exec web sh -c 'ls /etc'
  cargo test -- --nocapture a::b
  go test ./... -run 'A/b'
  go build -o /dev/null ./...
  gcc -I/usr/include -L/usr/lib a.c
  cmake -S . -B build -DCMAKE_PREFIX_PATH=/usr/local/lib
  tool /api/users
  tool GET /nowhere/x
  tool https://example.com/a/../b
  tool s3://bucket/x
  tool HEAD~1..HEAD
  tool a..b
  tool ...
  tool ./...
  tool 1/2
  tool --range=1..3
  tool -F/
  tool -d / a.ts
  tool src/../a.ts
  tool TOP/ws/a.ts
  tool --x=TOP/ws/a.ts
  tool $PWD/a.ts
  tool /usr/bin/env
  tool --node=/usr/bin/node
  sed -i 's/..\/x/y/' a.ts
  sed -i '/x/d' a.ts
  jq '.a / 2' package.json
  awk -F/ '{print $1}' a.ts
  ssh-keygen -lf key.pub
  ffmpeg -i a.mp4 b.webm
  rsync -a src/ dst/
  cd src && git add ..
  cd src && cat ../a.ts
  cat src/../a.ts
  cat /proc/cpuinfo
  dd if=/dev/zero of=x bs=1 count=1
  find . -name '*.ts' -exec tool {} +
`;

test.each(rulesFor(...PROGRAMS))("what stays inside, or is no path, does not ask under %s", async (...allow) => {
  const own = allow.length === 1 ? allow : [...allow, "Edit(**)"];
  expect(await files.others("allow", own, STAYS)).toEqual([]);
});

test("a rule that spells the place, or names it, covers it", async () => {
  const line = (rule: string | string[], command: string) => files.others("allow", rule, command);
  expect(await line("Bash(cat ../outside/secret)", "cat ../outside/secret")).toEqual([]);
  expect(await line("Bash(cat ../outside/*)", "cat ../outside/secret")).toEqual([]);
  expect(await line("Bash(cat TOP/outside/*)", "cat TOP/outside/secret")).toEqual([]);
  expect(await line("Bash(tool --x=../outside:*)", "tool --x=../outside -v")).toEqual([]);
  expect(await line("Bash(make -C ../outside:*)", "make -C ../outside all")).toEqual([]);
  expect(await line(["Bash(cat:*)", "Read(/TOP/outside/**)"], "cat ../outside/secret")).toEqual([]);
  expect(await line(["Bash(zip:*)", "Edit(/TOP/outside/**)"], "zip ../outside/x.zip a.ts")).toEqual([]);
  expect(await line(["Bash", "Edit(/TOP/outside/**)"], "csplit -f ../outside/x a.ts 1")).toEqual([]);
});

test("a rule that spells one place covers no other", async () => {
  const other = (rule: string | string[], command: string) => files.others("stopped", rule, command);
  expect(await other("Bash(cat ../outside/*)", "cat ../outside/secret ../home/notes")).toEqual([]);
  expect(await other(["Bash(zip:*)", "Read(/TOP/outside/**)"], "zip ../outside/x.zip a.ts")).toEqual([]);
  expect(await other(["Bash(zip:*)", "Edit(/TOP/outside/**)"], "zip ../home/x.zip a.ts")).toEqual([]);
});
