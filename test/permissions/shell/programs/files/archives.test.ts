import { expect, test } from "vitest";
import { said } from "../family.js";

test.each([
  ["tar tf a.tar", ["reads", "read /project/a.tar"]],
  ["tar xf a.tar", ["read /project/a.tar", "modify /project"]],
  ["tar xf a.tar -C../outside", ["read /project/a.tar", "modify /outside"]],
  ["tar xf a.tar --directory=/elsewhere", ["read /project/a.tar", "modify /elsewhere"]],
  ["tar xf a.tar --direc out", ["read /project/a.tar", "modify /project/out"]],
  ["tar cf a.tar -C secrets key.txt", ["create /project/a.tar", "read /project/secrets/key.txt/**"]],
  ["unzip a.zip -d.git/hooks", ["read /project/a.zip", "modify /project/.git/hooks"]],
  ["unzip -od out a.zip", ["read /project/out", "modify /project/out"]],
  ["zcat a.gz", ["reads", "read /project/a.gz"]],
])("%s", (line, expected) => {
  expect(said(line)).toEqual(expected);
});

test("an option of tar that runs a program is a doubt", () => {
  for (const line of ["tar xf a --to-command=sh", "tar cf a -I sh b", "tar xf a --checkpoint-action=exec=sh"]) {
    expect(said(line)).toContain("option");
  }
});
