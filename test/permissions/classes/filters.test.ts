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
