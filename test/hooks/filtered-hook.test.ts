import { expect, test } from "vitest";
import { type FilteredHookOptions, filteredHook } from "../../src/hooks/filtered-hook.js";

const context = { signal: new AbortController().signal };
const event = (toolName: string) => ({ hookEventName: "PreToolUse", toolName }) as never;

function asked(options: FilteredHookOptions, toolName: string): boolean {
  const hook = filteredHook(options, {}, async () => ({}));
  return hook.run(event(toolName), context as never) !== undefined;
}

test("a hook is asked about what its matcher and its host let through, by either name of a tool", () => {
  expect(asked({}, "bash")).toBe(true);
  expect(asked({ matcher: "Bash" }, "bash")).toBe(true);
  expect(asked({ matcher: "bash" }, "read_file")).toBe(false);
  expect(asked({ matcher: "Bash", appliesTo: () => false }, "bash")).toBe(false);
});

test("what is not said is left to the engine's defaults", () => {
  expect(Object.keys(filteredHook({}, {}, async () => ({})))).toEqual(["run"]);
  expect(filteredHook({}, { timeoutMs: 5, onFailure: "block" }, async () => ({}))).toMatchObject({
    timeoutMs: 5,
    onFailure: "block",
  });
});

test("a matcher that is none is refused when the hook is made", () => {
  expect(() => filteredHook({ matcher: "(" }, {}, async () => ({}))).toThrow(
    'The matcher "(" is neither a list of names nor a regular expression.',
  );
});
