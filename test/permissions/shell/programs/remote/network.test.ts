import { expect, test } from "vitest";
import { said } from "../family.js";

test.each([
  ["curl https://a.example/x", ["host a.example"]],
  ["curl -o f a.example", ["create /project/f", "host a.example"]],
  ["h=b.example; curl http://$h", ["host b.example", "host null"]],
  ["curl -w @f a.example", ["host a.example", "read /project/f"]],
  ["curl -d @f a.example", ["host a.example", "read /project/f"]],
  ["ssh me@a.example ls", ["host a.example"]],
  ["scp f a.example:g", ["host a.example", "read /project/f/**"]],
])("%s", (line, expected) => {
  const all = said(line);
  for (const each of expected) expect(all).toContain(each);
  expect(all).not.toContain("reads");
});
