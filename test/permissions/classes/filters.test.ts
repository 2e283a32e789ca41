// A recursive search that leaves out what a rule denies needs no question.
import { expect, test } from "vitest";
import { world } from "./kit.js";

test("a filter that excludes what a deny covers is enough", async () => {
  const files = await world({ "ws/.env": "A=b\n" });
  const deny = ["Read(.env)"];
  const excludes = `
    rg --hidden -g '!.env' foo
    rg --hidden --glob '!.env' foo .
    rg -uu -g '!.env*' foo src .
    grep -rn foo . --exclude=.env
  `;
  expect(await files.others("allow", "Bash(rg:*)", excludes, { deny })).toEqual([]);
  const reads = `
    rg --hidden foo
    rg --hidden -g '!.env' -g '.env' foo
    rg --hidden -g '!*.ts' foo
    grep -rn foo .
  `;
  expect(await files.others("stopped", "Bash(rg:*)", reads, { deny })).toEqual([]);
  await files.close();
});

test("what a word stands for is what a deny covers, whichever program takes it", async () => {
  const files = await world({ "ws/.env": "A=b\n", "ws/secrets/key": "x\n" });
  files.git("add", "a.ts", "src/c.ts");
  files.link(".env", "envlink");
  files.link("../secrets/key", "src/key");
  const deny = ["Read(.env)", "Read(secrets/**)"];
  const reads = String.raw`
    for f in env*; do node "$f"; done
    for f in env*; do python3 $f; done
    for f in env*; do tool "$f"; done
    for f in env*; do eslint --fix "$f"; done
    for f in env*; do git add "$f"; done
    tool "$PWD"
    git add $PWD
    cd src && git add ..
    git add -- ':!dist'
    git add --all -- ':!dist' ':(exclude)docs'
    git stage ':^dist'
    git add "$x"
    git add $(cat list)
    ls -a | while read -r f; do git add "$f"; done
    find . -type f | xargs git add
    zip -r x.zip src
    zip -r x.zip "$PWD"
    7z a x.7z src
    scp -r src host:
    tar chf x.tar src
    tar -czhf x.tar src
  `;
  expect(await files.others("stopped", "Bash", reads, { deny })).toEqual([]);
  const others = String.raw`
    for f in src/*.ts; do node "$f"; done
    for f in *.ts; do git add "$f"; done
    cd src && git add .
    git add src ':!dist'
    git add "$PWD/src"
    git add $(git ls-files)
    git ls-files -z | xargs -0 git add
    git diff --name-only | xargs git add
    find src -name '*.ts' | xargs git add
    git add $(git diff --name-only)
    for f in $(git diff --name-only); do git add "$f"; done
    zip -ry x.zip src
    tar czf x.tar src
  `;
  expect(await files.others("allow", "Bash", others, { deny })).toEqual([]);
  await files.close();
});
