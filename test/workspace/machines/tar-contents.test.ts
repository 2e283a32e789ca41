import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tarContents } from "../../../src/workspace/machines/tar-contents.js";
import { sharedDirectory } from "./open-machine.js";

const LONG = `${"long ".repeat(40)}name`;

async function archive(format: string): Promise<Buffer> {
  const root = await sharedDirectory();
  const contents = {
    plain: "one\n",
    empty: "",
    [LONG]: "two",
    "with\nbreak": "x".repeat(513),
    ü: Buffer.alloc(512, 1),
  };
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(root, name), content);
  linkSync(join(root, "plain"), join(root, "second"));
  symlinkSync("plain", join(root, "link"));
  mkdirSync(join(root, "directory"));
  const names = [...Object.keys(contents), "second", "link", "directory"].map((name) => `./${name}`);
  return execFileSync("tar", [`--format=${format}`, "-cf", "-", "--", ...names], { cwd: root });
}

const block = (number: number) => Buffer.from(`#${number}`.padEnd(512));
const sizes = (files: Map<string, Uint8Array> | undefined) =>
  Object.fromEntries([...files!].map(([name, bytes]) => [name, bytes.length]));
const ALL = { "./plain": 4, "./empty": 0, [`./${LONG}`]: 3, "./with\nbreak": 513, "./ü": 512, "./second": 4 };

test.each(["gnu", "pax"])("the files of archives of format %s are found, under their names", async (format) => {
  const tar = await archive(format);

  const found = tarContents(Buffer.concat([block(0), tar, block(7), tar]));

  expect([...found.keys()]).toEqual([0, 7]);
  for (const files of found.values()) expect(sizes(files)).toEqual(ALL);
  expect(Buffer.from(found.get(7)!.get("./second")!).toString()).toBe("one\n");
});

test("a file that is cut off is not there, and nonsense is nothing", async () => {
  const tar = Buffer.concat([block(0), await archive("gnu")]);
  const end = tar.indexOf("x".repeat(513)) + 200;

  expect(Object.keys(sizes(tarContents(tar.subarray(0, end)).get(0)))).toEqual(["./plain", "./empty", `./${LONG}`]);
  expect(tarContents(Buffer.alloc(4_096, "z")).size).toBe(0);
});
