import { expect, test } from "vitest";
import { GIVEN_LABELS } from "../../src/engine/engine-parts.js";
import { madeFrom } from "../../src/engine/made-from.js";
import type { EngineConfig } from "../../src/engine/options/options.js";

/** A config whose store has no session that can be read, and the sessions that were asked for. */
function configOf(usesLabels: boolean) {
  const read: string[] = [];
  const store = {
    read(id: string) {
      read.push(id);
      throw new Error("The disk is gone.");
    },
  };
  return { read, config: { gate: { usesLabels }, store } as unknown as EngineConfig };
}

test("where the gate uses no labels, no session is read", async () => {
  const { read, config } = configOf(false);
  const options = {};

  expect(await madeFrom(config, ["a"], options)).toBe(options);
  expect([read, GIVEN_LABELS.get(options)]).toEqual([[], undefined]);
});

test("a session that cannot be read may hold anything", async () => {
  const { read, config } = configOf(true);
  const options = {};

  await madeFrom(config, ["a"], options);

  expect([read, GIVEN_LABELS.get(options)]).toMatchObject([["a"], { integrity: "untrusted" }]);
});
