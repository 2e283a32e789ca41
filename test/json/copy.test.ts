import { expect, test } from "vitest";
import { canonicalJson, copyJson, equalJson, MAX_JSON_DEPTH, NotJsonError } from "../../src/json/copy.js";

test("a copy shares nothing with its source", () => {
  const source = { list: [{ a: 1 }], text: "x" };
  const copy = copyJson(source) as typeof source;

  source.list[0]!.a = 2;

  expect(copy).toEqual({ list: [{ a: 1 }], text: "x" });
});

test("a frozen copy is frozen all the way down", () => {
  const copy = copyJson({ list: [{ a: 1 }] }, true) as { list: { a: number }[] };

  expect([copy, copy.list, copy.list[0]].every(Object.isFrozen)).toBe(true);
});

test("__proto__ stays an ordinary own key", () => {
  const copy = copyJson(JSON.parse('{"__proto__": {"admin": true}}')) as { admin?: boolean };

  expect(Object.keys(copy)).toEqual(["__proto__"]);
  expect(copy.admin).toBeUndefined();
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"admin":true}}');
});

test("what JSON.stringify leaves out or turns to null, the copy does, too", () => {
  expect(copyJson({ a: undefined, b: Number.NaN, c: [undefined, Number.POSITIVE_INFINITY] })).toEqual({
    b: null,
    c: [null, null],
  });
});

test.each([() => 1, Symbol("s"), 1n, undefined])("what is not JSON is refused: %s", (value) => {
  expect(() => copyJson({ value: [value] }) && copyJson(value)).toThrow("not JSON");
});

test("cycles and what is nested too deeply are refused without a stack overflow", () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  let deep: unknown = 1;
  for (let level = 0; level < 10_000; level++) deep = { deep };
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

  expect(() => copyJson(cycle)).toThrow("nested deeper");
  expect(() => copyJson(deep)).toThrow("nested deeper");
  expect(copyJson(nested(MAX_JSON_DEPTH))).toEqual(nested(MAX_JSON_DEPTH));
});

test("equality and canonical text do not depend on the order of keys", () => {
  const [a, b] = [
    { x: 1, y: [{ p: 1, q: 2 }] },
    { y: [{ q: 2, p: 1 }], x: 1 },
  ];

  expect(equalJson(a, b)).toBe(true);
  expect(canonicalJson(a)).toBe(canonicalJson(b));
  expect(canonicalJson(a)).toBe('{"x":1,"y":[{"p":1,"q":2}]}');
});

test.each([
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 1, b: 1 }],
  [
    [1, 2],
    [2, 1],
  ],
  [[], {}],
  [null, {}],
  ["1", 1],
])("%j and %j differ", (a, b) => {
  expect([equalJson(a, b), equalJson(b, a)]).toEqual([false, false]);
});

test("few objects that unfold into too many values, and arrays of holes, are refused soon", () => {
  let unfolded: unknown = 1;
  for (let level = 0; level < 60; level++) unfolded = [unfolded, unfolded];

  expect(() => copyJson(unfolded)).toThrow(NotJsonError);
  expect(() => copyJson(new Array(2 ** 32 - 1))).toThrow(NotJsonError);
  expect(copyJson([1, [2, { a: [3] }]])).toEqual([1, [2, { a: [3] }]]);
});

test("what has a toJSON is what JSON.stringify makes of it", () => {
  class Money {
    constructor(readonly cents: number) {}
    toJSON() {
      return `${this.cents / 100} EUR`;
    }
  }
  const itself = { a: 1, toJSON: () => itself };
  const row = {
    at: new Date(0),
    link: new URL("http://a.example/b"),
    costs: [new Money(150)],
    kept: { toJSON: "text" },
  };

  expect(copyJson(row)).toEqual(JSON.parse(JSON.stringify(row)));
  expect(copyJson(new Date(Number.NaN))).toBeNull();
  expect(() => copyJson(itself)).toThrow("not JSON");
});
