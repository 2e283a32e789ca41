// What is deleted, moved or given away is judged where the kernel finds it: name by name, and each link with them.
import { afterAll, beforeAll, expect, test } from "vitest";
import { rulesFor, world } from "./kit.js";

let files: Awaited<ReturnType<typeof world>>;
beforeAll(async () => {
  files = await world({ "ws/sub/x": "x\n", "ws/dist/y": "y\n", "home/deep/z": "z\n" });
  files.link("../home/deep", "deep");
  files.link("src", "lib");
  files.link(".", "self");
});
afterAll(() => files.close());

const PROGRAMS =
  `rm mv chmod chown chgrp find rsync rmdir cp git shred truncate tar unlink xargs cd ln touch tee sed bash env timeout sh`.split(
    " ",
  );

const LEADS_BACK = `
  rm -rf out/../ws
  rm -rf ./out/../ws
  rm -rf "out/../ws"
  rm -rf out/../ws/
  rm -rf out/../ws/.
  rm -rf out/../ws/*
  rm -rf out/..
  rm -rf out/../
  rm -rf out/../home
  rm -rf out/../*
  rm -rf deep/../../ws
  rm -rf deep/..
  rm -rf self/out/../ws
  rm -rf lib/../out/../ws
  rm -rf out/*
  rm -rf out/
  rm -rf out/.
  rm -rf out/./deep/..
  rm -rf deep/*
  rm -r out/../ws/src
  rm out/../ws/a.ts
  rm -rf -- out/../ws
  rm -rf src out/../ws
  rm -rf {out/../ws,x}
  rm -rf $PWD/out/../ws
  x=out/../ws; rm -rf $x
  for d in out/../ws; do rm -rf "$d"; done
  cd out && rm -rf ../ws
  cd out; rm -rf ../ws
  (cd out && rm -rf ../ws)
  cd deep && rm -rf ../../ws
  cd src && rm -rf ../out/../ws
  cd -P out/.. && rm -rf ws
  cd -P out && cd .. && rm -rf ws
  set -P; cd out/..; rm -rf ws
  set -o physical; cd out/..; rm -rf ws
  bash -c 'rm -rf out/../ws'
  env rm -rf out/../ws
  timeout 5 rm -rf out/../ws
  echo out/../ws | xargs rm -rf
  find out/../ws -delete
  find out/../ws -name '*.ts' -delete
  find out/.. -delete
  find out/ -delete
  find out/../ws -exec rm -rf {} +
  find out/../ws -print0 | xargs -0 rm -rf
  mv out/../ws x
  mv out/../ws/src x
  mv out/../ws ../y
  mv out/../home x
  mv a.ts out/../ws/x
  cp a.ts out/../ws/x
  chmod -R 777 out/../ws
  chmod -R 777 out/..
  chmod -R 777 out/../home
  chmod 777 out/../ws/a.ts
  chmod -R a+w out
  chown -R x out/../ws
  chgrp -R x out/../ws
  touch out/../ws/new
  tee out/../ws/new < a.ts
  sed -i s/a/b/ out/../ws/a.ts
  truncate -s0 out/../ws/a.ts
  rmdir out/../ws/sub
  echo x > out/../y
  echo x > out/../ws/new
  ln -s ../home o; rm -rf o/../ws
  ln -s ../home o && rm -rf o/*
  ln -s ~ o && rm -rf o/deep
  ln -s .. o; mv o/ws x
  ln -s .. o; cp a.ts o/y
  ln -s .. o; echo x > o/y
  ln -s .. o; chmod -R 777 o/home
  cat out/../outside/secret
  cat out/notes
  cat out/../home/notes
  cd -P out/.. && cat outside/secret
  head deep/../notes
`;

test.each(rulesFor(...PROGRAMS, "cat", "head", "echo", "set"))(
  "where a path leads counts, not its text, under %s",
  async (...allow) => {
    expect(await files.others("stopped", [...allow, "Edit(**)"], LEADS_BACK)).toEqual([]);
  },
);

const STAYS = `
  rm -rf dist
  rm -rf ./dist
  rm -rf dist/
  rm -rf sub/../dist
  rm -rf self/dist
  rm -rf src/../dist/*
  rm lib/../src/c.ts
  rm src/../a.ts
  cd src && rm c.ts
  cd src && rm -rf ../dist
  cd out/.. && rm -rf dist
  cd lib && rm c.ts
  mv src/../a.ts b.ts
  mv a.ts src/
  mv src/ lib2
  cp src/../a.ts src/
  chmod -R u+x src/../src
  chmod +x src/c.ts
  find src/../src -name '*.o'
  touch src/../new
  sed -i s/a/b/ src/../a.ts
  echo x > src/../new.ts
  cp -r src copy && cat copy/../a.ts
  mkdir -p build/x && cd build && touch ../y
`;

test.each([["Bash"], [...PROGRAMS.map((each) => `Bash(${each}:*)`), "Edit(**)"]])(
  "what stays in the workspace does not ask under %s",
  async (...allow) => {
    expect(await files.others("allow", allow, STAYS)).toEqual([]);
  },
);

test("the reason names what goes", async () => {
  const [answer] = await files.others("allow", "Bash(rm:*)", "rm -rf out/../ws");
  expect(answer).toContain("It removes the workspace itself");
});
