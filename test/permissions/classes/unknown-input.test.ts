// A shell, an interpreter or a compiler whose input is not known asks, under a bare rule, too.
import { afterAll, beforeAll, expect, test } from "vitest";
import { rulesFor, world } from "./kit.js";

let files: Awaited<ReturnType<typeof world>>;
beforeAll(async () => {
  files = await world({
    "ws/plain.sh": "echo hi\nls src\n",
    "ws/writes.sh": "echo x > ../outside/pwn\n",
    "ws/removes.sh": "rm -rf ~\n",
    "ws/pushes.sh": "cd src\ngit push origin main\n",
    "ws/gen.js": "console.log(1)\n",
    "ws/gen.py": "print(1)\n",
    "ws/list": "gen.js\n",
  });
});
afterAll(() => files.close());

const UNKNOWN = String.raw`
  echo -e 'rm -rf ~' | bash
  printf '\x72m -rf ~' | sh
  cat <<< 'rm -rf ~' | sh
  cat <<< 'touch x' | bash -s
  tail -n +2 gen.js | node
  sed s/a/b/ plain.sh | bash
  echo ls | tee x | sh
  echo ls | tr a-z a-z | zsh
  echo bHMK | base64 -d | bash
  echo bHMK | base64 -d | python3
  xxd -r -p x | sh
  gunzip -c x.gz | sh
  awk '{print "rm " $1}' list | sh
  jq -r .x package.json | bash
  git show HEAD:x.sh | bash
  make -n | sh
  bash <(echo -e 'ls')
  bash < <(tail plain.sh)
  source <(tail plain.sh)
  . /dev/stdin <<< "$x"
  eval "$(tail plain.sh)"
  bash -c "$(cat plain.sh)"
  sh -c "$x"
  bash "$x"
  bash $x
  node "$x"
  python3 "$x"
  python3 $x
  perl "$x"
  ruby "$x"
  deno run "$x"
  $x gen.js
  "$x"
  xargs node < list
  xargs -n1 bash < list
  cat list | xargs python3
  xargs -I{} sh -c {} < list
  parallel < list
  cpp <<< '#include ".env"'
  cpp < gen.js
  cpp -v <<< '#include ".env"'
  gcc -v -E - <<< '#include ".env"'
  echo '#include ".env"' | cpp
  echo '#include ".env"' | gcc -E -
  gcc -x c - < gen.js
  gcc -E -x c - <<< '#include "../outside/secret"'
  clang -x c++ -c - <<< '#include ".env"'
  rustc - <<< 'include!("x");'
  echo 'x' > z.js; node z.js
  echo 'x' > z.js && node ./z.js
  printf 'x' > z.py; python3 z.py
  cat > z.sh <<'E'⏎rm -rf ~⏎E⏎bash z.sh
  cat > z.sh <<'E'⏎rm -rf ~⏎E⏎chmod +x z.sh; ./z.sh
  cp list z.sh; sh z.sh
  mv list z.sh; sh z.sh
  echo ls | tee z.sh; sh z.sh
  sed -i s/hi/ho/ plain.sh; bash plain.sh
  echo ls >> plain.sh; bash plain.sh
  echo ls > z; source z
  echo ls > z; . ./z
  echo ls > z; bash < z
  echo 1 > z; node < z
  echo 1 > z; python3 - < z
  ln -s list z; bash z
  dd if=list of=z; bash z
  echo 'all:' > Makefile; make
  echo 'all:' > m.mk; make -f m.mk
  echo '{}' > package.json; npm test
  bash writes.sh
  bash removes.sh
  bash < writes.sh
  cat removes.sh | bash
  sh ./removes.sh
  bash -x removes.sh
  env bash removes.sh
  timeout 5 bash removes.sh
  bash -c 'bash removes.sh'
`;

test("what comes from nowhere known asks under a bare rule", async () => {
  expect(await files.others("stopped", "Bash", UNKNOWN)).toEqual([]);
});

test("what the session puts among its temporary files asks as well", async () => {
  const lines = String.raw`
    cat $TMPDIR/x | bash
    x=$TMPDIR/a.sh; bash $x
    bash $TMPDIR/a.sh
    bash < $TMPDIR/a.sh
    node < $TMPDIR/a.js
    xargs node < $TMPDIR/list
    PATH=$TMPDIR:$PATH ls
  `;
  expect(await files.others("stopped", "Bash", lines)).toEqual([]);
});

test("under rules that name the shell, what is piped into it asks", async () => {
  const lines = String.raw`
    sed s/a/b/ plain.sh | bash
    echo ls | tr a b | sh
    bash "$x"
    echo ls > z; bash z
    sh removes.sh
    bash writes.sh
  `;
  const names = ["Bash(bash:*)", "Bash(sh:*)", "Bash(sed:*)", "Bash(echo:*)", "Bash(tr:*)", "Edit(**)"];
  expect(await files.others("stopped", names, lines)).toEqual([]);
});

const KNOWN = String.raw`
  echo ls | bash
  echo 'ls src' | sh
  bash <<< 'ls src'
  bash <<'E'⏎ls src⏎E
  cat <<'E' | bash⏎ls src⏎E
  bash -c 'ls src'
  bash plain.sh
  bash ./plain.sh
  bash < plain.sh
  sh plain.sh && echo done
  cat plain.sh | bash
  source plain.sh
  for f in ./*.sh; do bash -n "$f"; done
  python3 <<'E'⏎print(1)⏎E
  python3 - <<'E'⏎print(1)⏎E
  python3 - <<< 'print(1)'
  echo 'print(1)' | python3
  python3 < gen.py
  cat gen.js | node -
  node <<< 'console.log(1)'
  node gen.js
  node gen.js "$x"
  node -e 'console.log(process.argv)' "$x"
  python3 -m pytest "$x"
  python3 gen.py $x
  for f in *.js; do node "$f"; done
  find . -name 'gen.js' | xargs node
  for c in node npm; do $c --version; done
  gcc -dM -E - < /dev/null
  gcc a.c -o a && ./a
  cc -o a a.c; ./a
  go build -o app . && ./app
  tsc && node dist/x.js
  npm run build && node dist/x.js
  chmod +x plain.sh && ./plain.sh
  touch x.log && node gen.js
  echo x > data.txt; node gen.js data.txt
  echo x > src/new.ts && npm test
  node gen.js > out.txt; cat out.txt
  make
  echo 1+2 | bc
`;

test("what is known is judged as if it stood in the line", async () => {
  expect(await files.others("allow", "Bash", KNOWN)).toEqual([]);
});

test("a deny holds for what a script says", async () => {
  const lines = "bash pushes.sh\nbash < pushes.sh\ncat pushes.sh | bash\nsource pushes.sh";
  expect(await files.others("stopped", "Bash", lines, { deny: ["Bash(git push:*)"] })).toEqual([]);
  expect(await files.others("allow", "Bash", "bash plain.sh", { deny: ["Bash(git push:*)"] })).toEqual([]);
});

test.each(rulesFor("node", "python3", "perl"))(
  "a rule for an interpreter is one for what it is given under %s",
  async (...allow) => {
    expect(await files.others("allow", allow, "node gen.js\nnode -e 1\npython3 -c 'print(1)'\npython3 gen.py")).toEqual(
      [],
    );
  },
);
