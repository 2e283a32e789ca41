import { expect, test } from "vitest";
import { placed } from "../../../../src/permissions/shell/words/paths.js";

test("a path with dots keeps what is written, since a link may stand before them", () => {
  expect(placed("a/b", ["/p"])).toEqual([{ path: "/p/a/b" }]);
  expect(placed("a/../b", ["/p"])).toEqual([{ path: "/p/b", asWritten: "/p/a/../b" }]);
  expect(placed("/a/../b", null)).toEqual([{ path: "/b", asWritten: "/a/../b" }]);
  expect(placed("a..b/..c", ["/p", "/q"])).toEqual([{ path: "/p/a..b/..c" }, { path: "/q/a..b/..c" }]);
});

test("the process's own directories are those the shell may stand in, and what lies above devices is not known", () => {
  expect(placed("/proc/self/cwd/x", ["/p"])).toEqual([{ path: "/proc/self/cwd/x" }, { path: "/p/x" }]);
  expect(placed("/dev/fd/../cwd/x", ["/p"])).toEqual([]);
  expect(placed("x", null)).toEqual([]);
});
