import { expect, test } from "vitest";
import { isReadOnly, texts } from "../kit.js";
import { said } from "../programs/family.js";

test.each([
  ["docker exec -it web psql -U postgres", []],
  ["go run ./cmd/x --flag", []],
  ["npm exec vitest --run", []],
  ["docker run --weird x ls", ["option"]],
  ["go build --weird ./...", ["option"]],
])("options end where the program that is started begins: %s", (line, expected) => {
  expect(said(line).filter((each) => each === "option")).toEqual(expected);
});

test("what follows an option that starts a program is for that program", () => {
  expect(said("python -m pytest --weird")).toEqual([]);
  expect(texts("docker exec web rm -rf /data")).toContain("rm -rf /data");
});

test.each(["xxd -name *.md out", "uniq -f *.md out", "head --weird a.txt", "sort -T x a.txt"])(
  "an option, or a value that becomes several words, is not plain: %s",
  (line) => {
    expect(isReadOnly(line)).toBe(false);
  },
);

test.each(["make -j$(nproc) -n", "make -j $(nproc) -n"])("a number that is not known is a value: %s", (line) => {
  expect(said(line)).toEqual([]);
});
