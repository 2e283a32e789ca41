import { expect, test } from "vitest";
import { contradicts, impliedSubject, saysTheSame } from "../../src/memory/same-statement.js";

test.each([
  ["The user prefers tabs.", "the user prefers  TABS"],
  ["The API is deployed to Frankfurt on every merge", "The API is deployed to Frankfurt on each merge."],
  ["“Heron” is the staging host", "“Heron” is the staging host!"],
])("%s says the same as %s", (a, b) => {
  expect(saysTheSame(a, b)).toBe(true);
});

test.each([
  ["The port is 8080.", "The port is 8081."],
  ["Deploys are allowed on Friday", "Deploys are not allowed on Friday"],
  ["Ann reports to Bob", "Bob reports to Ann"],
  ["The billing module is written in Go and owned by Ann", "The shipping module is written in Go and owned by Bob"],
  ["Run the tests with npm", "Run the tests with pnpm"],
])("%s is another statement than %s", (a, b) => {
  expect(saysTheSame(a, b)).toBe(false);
});

test.each([
  ["The test command is npm test", "The test command is pnpm test"],
  ["The default branch is master", "Default branch is main"],
  ["The user prefers tabs", "The user prefers spaces"],
  ["Ann lives in Paris", "Ann lives in Lyon"],
  ["port: 8080", "port: 9090"],
])("%s contradicts %s", (a, b) => {
  expect(contradicts(a, b)).toBe(true);
});

test.each([
  ["The API is slow", "The API is written in Go"],
  ["The project has a module called billing", "The project has a module called shipping"],
  ["Ann lives in Paris", "Bob lives in Lyon"],
  ["The service uses Redis", "The service uses PostgreSQL"],
  ["see https://a.example", "see https://b.example"],
])("%s and %s can both hold", (a, b) => {
  expect(contradicts(a, b)).toBe(false);
});

test("a subject is found by its words", () => {
  expect(impliedSubject("The deploy region is eu-central-1.")).toEqual({
    subject: "deploi region",
    value: "eu-central-1",
  });
  expect(impliedSubject("Run the tests first.")).toBeNull();
});
