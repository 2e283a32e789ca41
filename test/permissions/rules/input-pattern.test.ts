import { expect, test } from "vitest";
import {
  compileHostPattern,
  compileTextPattern,
  hostOf,
  textsIn,
} from "../../../src/permissions/rules/input-pattern.js";

test("the host of an address", () => {
  expect(["https://A.example:8080/x", "http://me:pw@a.example", "a.example", "::"].map(hostOf)).toEqual([
    "a.example",
    "a.example",
    null,
    null,
  ]);
});

test("a host pattern allows that host alone, and denies those below it as well", () => {
  const pattern = compileHostPattern("WebFetch(domain:a.example)", "domain:a.example");
  expect([pattern.covers(["a.example"]), pattern.covers(["b.a.example"])]).toEqual([true, false]);
  expect([pattern.catches(["a.example"]), pattern.catches(["b.a.example"]), pattern.catches(["ba.example"])]).toEqual([
    true,
    true,
    false,
  ]);
});

test("a pattern for strings allows when all fit, and denies when one does", () => {
  const pattern = compileTextPattern("stag*");
  expect([pattern.covers(["staging"]), pattern.covers(["staging", "x"]), pattern.catches(["x", "staging"])]).toEqual([
    true,
    false,
    true,
  ]);
  expect(textsIn({ a: ["x", { b: "y" }], c: 1 })).toEqual(expect.arrayContaining(["x", "y"]));
});
