import { expect, test } from "vitest";
import { formFieldsOf, readTyped } from "../../../../src/program/terminal/questions/form-field.js";

const only = (property: object) => formFieldsOf({ type: "object", properties: { it: property as never } })[0]!;

test.each([
  [{ type: "string", format: "email" }, "ada@example.com", "ada@example.com"],
  [{ type: "string", format: "uri" }, "https://example.com/a", "https://example.com/a"],
  [{ type: "string", format: "date" }, "2026-12-31", "2026-12-31"],
  [{ type: "string", format: "toString" }, "anything", "anything"],
  [{ type: "string", minLength: 1, maxLength: 2 }, "👩🏽", "👩🏽"],
  [{ type: "integer" }, "-3", -3],
  [{ type: "number" }, "1e3", 1000],
  [{ type: "array", items: { enum: ["red", "green", "blue"] } }, "3, RED, 1", ["blue", "red"]],
  [{ type: "array", items: { anyOf: [{ const: "r", title: "Red" }] } }, "red", ["r"]],
])("under %j the line %j means %j", (property, typed, value) => {
  expect(readTyped(only(property), typed)).toEqual({ value });
});

test.each([
  [{ type: "string", format: "email" }, "ada@"],
  [{ type: "string", format: "date" }, "2026-13-45"],
  [{ type: "string", format: "date-time" }, "tomorrow"],
  [{ type: "string", minLength: 3 }, "ab"],
  [{ type: "integer" }, "1.5"],
  [{ type: "number", maximum: 10 }, "11"],
  [{ type: "number" }, ""],
  [{ type: "array", items: { enum: ["red"] } }, "black"],
  [{ type: "array", items: { enum: ["red", "blue"] }, maxItems: 1 }, "1,2"],
])("under %j the line %j is asked for again", (property, typed) => {
  expect(readTyped(only(property), typed)).toEqual({ problem: expect.stringMatching(/\.$/) });
});

test.each([null, 7, "form", [], {}, { properties: null }, { properties: [] }, { properties: { a: null, b: 5 } }])(
  "a form that is not one, %j, harms nothing",
  (form) => {
    for (const field of formFieldsOf(form as never)) expect(readTyped(field, "x")).toEqual({ value: "x" });
  },
);
