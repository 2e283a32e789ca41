import { expect, test } from "vitest";
import { replay } from "../../../src/acp/updates/replay.js";
import { storedDescription } from "../../../src/engine/transcript/describe-call.js";
import type { SessionEntry } from "../../../src/index.js";
import { describeCall } from "../../../src/index.js";

const KEPT = { toolCallId: "c", title: "Read a.ts", kind: "read", paths: ["a.ts"] };

test("a description is read as it was kept, without what is of another shape", () => {
  expect(storedDescription([KEPT], "c")).toEqual({ title: "Read a.ts", kind: "read", paths: ["a.ts"] });
  expect(storedDescription([{ ...KEPT, paths: [5, "b\u202e.ts", "c.ts"] }], "c")?.paths).toEqual(["c.ts"]);
  expect(storedDescription([{ ...KEPT, title: "a\u001b[2J\u202eb" }], "c")?.title).toBe("a [2J b");
});

test.each([null, "x", {}, [null], [{ ...KEPT, title: 7 }], [{ ...KEPT, kind: "zzz" }], [{ ...KEPT, paths: "abc" }]])(
  "a session that keeps %j as descriptions is replayed all the same",
  (descriptions) => {
    const call = { type: "tool-call", id: "c", name: "tool", arguments: {} };
    const entry = { type: "message", id: "m", message: { role: "assistant", content: [call] }, descriptions };
    const [shown] = [...replay([{ entry: entry as unknown as SessionEntry }], "/")];
    expect(shown).toMatchObject({ sessionUpdate: "tool_call", toolCallId: "c" });
  },
);

test("a tool cannot change the input that it describes, nor slip in paths", () => {
  const input = { a: { b: 1 } };
  const describe = (given: Record<string, unknown>) => {
    (given.a as { b: number }).b = 2;
    const paths = new Proxy(["a"], { get: (target, key) => (key === "0" ? "b\u001b" : Reflect.get(target, key)) });
    return { title: "T", kind: "other" as const, paths };
  };
  expect(describeCall({ describe } as never, input)).toEqual({ title: "T", kind: "other" });
  expect(input.a.b).toBe(1);
});
