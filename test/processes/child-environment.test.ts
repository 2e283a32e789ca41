import { expect, test } from "vitest";
import { childEnvironment } from "../../src/processes/child-environment.js";

test("a child inherits what is on the list, and no key or token", () => {
  const host = {
    PATH: "/bin",
    HOME: "/home/a",
    LC_ALL: "C",
    LC_TIME: "C",
    TZ: "UTC",
    OPENAI_API_KEY: "secret",
    AWS_SECRET_ACCESS_KEY: "secret",
    path: "/elsewhere",
    LCALL: "no",
    NODE_OPTIONS: "--require /tmp/a.js",
    TERM: undefined,
  };

  expect(childEnvironment({}, host)).toEqual({ PATH: "/bin", HOME: "/home/a", LC_ALL: "C", LC_TIME: "C", TZ: "UTC" });
});

test("what the host names wins over what is inherited", () => {
  expect(childEnvironment({ PATH: "/own", TOKEN: "given" }, { PATH: "/bin" })).toEqual({
    PATH: "/own",
    TOKEN: "given",
  });
});

test("the host's environment is not changed by changing the child's", () => {
  const host = { PATH: "/bin" };
  childEnvironment({}, host).PATH = "/other";

  expect(host).toEqual({ PATH: "/bin" });
});
