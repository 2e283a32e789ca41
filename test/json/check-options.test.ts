import { expect, test } from "vitest";
import {
  ANYTHING,
  byDefault,
  checkOptions,
  FLAG,
  FUNCTION,
  listOf,
  numberFrom,
  type OptionTable,
  oneOf,
  recordOf,
  required,
  STRING,
  secret,
  tableOf,
  withMethods,
} from "../../src/json/check-options.js";

interface Options {
  root: string;
  retries?: number;
  mode?: "fast" | "safe";
  key?: string;
  quiet?: boolean;
  onEnd?: () => void;
  store?: object;
  headers?: Record<string, string>;
  names?: string[];
  limits?: { depth?: number };
  extra?: unknown;
}

const TABLE = {
  root: required(STRING),
  retries: numberFrom(0, "attempts", 10),
  mode: oneOf("fast", "safe"),
  key: secret(STRING),
  quiet: FLAG,
  onEnd: FUNCTION,
  store: withMethods("read", "write"),
  headers: recordOf(STRING, "header values by name"),
  names: listOf(STRING, "names"),
  limits: tableOf({ depth: numberFrom(1, "levels") }),
  extra: ANYTHING,
} satisfies OptionTable<Options>;

const messageOf = (options: unknown): string => {
  try {
    checkOptions("open()", options, TABLE, { renamed: { cwd: "root" } });
  } catch (error) {
    return (error as Error).message;
  }
  return "accepted";
};

test("what the table describes is accepted, and undefined counts as absent", () => {
  const all: Options = {
    root: "/",
    retries: 10,
    mode: "fast",
    key: "k",
    quiet: false,
    onEnd: () => {},
    store: { read() {}, write() {} },
    headers: { a: "b" },
    names: ["a"],
    limits: { depth: 1 },
    extra: Symbol("any"),
  };

  expect(messageOf(all)).toBe("accepted");
  expect(messageOf({ root: "/", retries: undefined, limits: undefined })).toBe("accepted");
});

test.each([
  [null, 'Option "options" of open() is null; expected an object.'],
  [{}, 'Option "root" of open() is missing; expected a non-empty string.'],
  [{ root: " " }, 'Option "root" of open() is " "; expected a non-empty string.'],
  [{ root: "/", retries: 1.5 }, 'Option "retries" of open() is 1.5; expected a whole number from 0 to 10 (attempts).'],
  [{ root: "/", mode: "slow" }, 'Option "mode" of open() is "slow"; expected "fast" or "safe".'],
  [{ root: "/", key: 42 }, 'Option "key" of open() is not usable (its type is number); expected a non-empty string.'],
  [
    { root: "/", store: { read() {} } },
    /"store" of open\(\) is an object of another shape; expected .*read\(\), write\(\)/,
  ],
  [{ root: "/", headers: { a: 1 } }, 'Option "headers.a" of open() is 1; expected a non-empty string.'],
  [{ root: "/", names: ["a", 2] }, 'Option "names[1]" of open() is 2; expected a non-empty string.'],
  [
    { root: "/", limits: { depth: 0 } },
    'Option "limits.depth" of open() is 0; expected a whole number of at least 1 (levels).',
  ],
])("%o is refused with option, value and expectation", (options, message) => {
  expect(messageOf(options)).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
});

test.each([
  [{ root: "/", retrys: 1 }, 'open() has no option "retrys". Did you mean "retries"? It takes root, retries, '],
  [{ root: "/", limits: { dept: 1 } }, 'open() has no option "limits.dept". Did you mean "depth"? It takes depth.'],
  [{ cwd: "/" }, 'open() has no option "cwd". Did you mean "root"? It takes root, '],
  [{ root: "/", zzz: 1 }, 'open() has no option "zzz". It takes root, '],
])("%o is refused with the nearest name", (options, message) => {
  expect(messageOf(options)).toContain(message);
});

test("options come back with the defaults of their table, those that are undefined too", () => {
  const table = {
    root: required(STRING),
    retries: byDefault(3, numberFrom(0, "attempts")),
    names: byDefault([], listOf(STRING, "names")),
    mode: oneOf("fast", "safe"),
    limits: tableOf({ depth: byDefault(1, numberFrom(1, "levels")) }),
  };
  const open = (options: { root: string; retries?: number; names?: string[]; mode?: string; limits?: object }) =>
    checkOptions("open()", options, table);

  expect(open({ root: "/" })).toEqual({ root: "/", retries: 3, names: [] });
  expect(open({ root: "/", retries: 0, names: ["a"], mode: "safe" })).toEqual({
    root: "/",
    retries: 0,
    names: ["a"],
    mode: "safe",
  });
  expect(Object.keys(open({ root: "/", retries: undefined, mode: undefined } as never))).toEqual([
    "root",
    "retries",
    "names",
  ]);
  expect(open({ root: "/", limits: {} }).limits).toEqual({});
  expect(() => open({ root: "/", retries: -1 })).toThrow('Option "retries" of open() is -1; expected a whole number');
});

test("a table without defaults changes nothing, and a getter is an option as any other", () => {
  class Options {
    get depth() {
      return 2;
    }
  }

  expect(checkOptions("open()", new Options(), { depth: numberFrom(1, "levels") })).toEqual({ depth: 2 });
  expect(checkOptions("open()", { depth: undefined }, { depth: numberFrom(1, "levels") })).toEqual({});
});
