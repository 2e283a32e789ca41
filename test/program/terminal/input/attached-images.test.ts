import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { imagesIn } from "../../../../src/program/terminal/input/attached-images.js";
import { temporaryDirectory } from "../../../sessions/kit.js";

function pictures(...names: readonly string[]): string {
  const dir = temporaryDirectory();
  for (const name of names) writeFileSync(join(dir, name), name);
  return dir;
}

test("a picture is found however a terminal or a person writes its path", async () => {
  const name = `it's "my" (1) shot.png`;
  const path = join(pictures(name, "plain.png"), name);
  const plain = path.replace(name, "plain.png");
  const ways = [
    `'${path.replaceAll("'", `'\\''`)}'`,
    `'${path.replaceAll("'", `'"'"'`)}'`,
    `"${path.replaceAll('"', '\\"')}"`,
    path.replace(/[^\w/.-]/g, "\\$&"),
    pathToFileURL(path).href,
  ];

  for (const way of ways) expect((await imagesIn(`look at ${way} here`)).map((image) => image.name)).toEqual([name]);
  for (const way of [`see ${plain}.`, `(${plain})`, `${plain}, please`, `isn't "${plain}" one? It's '${plain}'`])
    expect((await imagesIn(way)).map((image) => image.name)).toEqual(["plain.png"]);
});

test("one that is too large is named without its content, and what cannot be read is not", async () => {
  const dir = pictures("large.png", "full.png", "text.txt");
  truncateSync(join(dir, "large.png"), 5 * 1024 * 1024 + 1);
  truncateSync(join(dir, "full.png"), 0);

  const named = await imagesIn(`${dir}/large.png ${dir}/full.png ${dir}/none.png ${dir}/text.txt ${dir}`);

  expect(named).toEqual([{ name: "large.png" }]);
});
