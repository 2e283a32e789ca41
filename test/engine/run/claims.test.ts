// Who waits for whom.
import { expect, test } from "vitest";
import { type Claimant, ClaimTable } from "../../../src/engine/run/claims.js";
import { claimsOfCall } from "../../../src/engine/tools/tool-defaults.js";
import type { ResourceClaim } from "../../../src/index.js";
import { tool } from "../kit.js";

const read = (key: string): ResourceClaim => ({ mode: "read", key });
const write = (key: string): ResourceClaim => ({ mode: "write", key });

class Call implements Claimant {
  order = -1;
  claims: readonly ResourceClaim[] | null = null;
  startedAs = 0;
  proceeded = false;
  onUnblocked = () => {
    this.proceeded = true;
  };
}

/** A message's calls, decided and asking to proceed. */
function message(...claims: ResourceClaim[][]) {
  const table = new ClaimTable();
  table.begin();
  const calls = claims.map(() => new Call());
  for (const call of calls) table.enter(call);
  for (const [index, call] of calls.entries()) table.decide(call, claims[index]!);
  for (const call of calls) if (!table.tryProceed(call)) table.wait(call);
  return { table, calls };
}

const started = (calls: Call[]) => calls.map((call) => call.startedAs > 0);

test.each([
  ["two reads of one thing", [read("a")], [read("a")], true],
  ["a write after a read", [read("a")], [write("a")], false],
  ["a read after a write", [write("a")], [read("a")], false],
  ["two writes of one thing", [write("a")], [write("a")], false],
  ["two writes of different things", [write("a")], [write("b")], true],
  ["a read of everything after a write", [write("a")], [read("*")], false],
  ["a write of everything after a read", [read("a")], [write("*")], false],
  ["a read after a write of everything", [write("*")], [read("a")], false],
  ["a read after a read of everything", [read("*")], [read("a")], true],
  ["anything after a call that claims nothing", [], [write("*")], true],
  ["a call that claims nothing after anything", [write("*")], [], true],
  ["one of several keys in common", [write("a"), write("b")], [read("c"), read("b")], false],
])("%s (%j, %j) may run together: %s", (_what, first, second, together) => {
  const { calls } = message(first as ResourceClaim[], second as ResourceClaim[]);

  expect(started(calls)).toEqual([true, together]);
});

test("a released call lets the next in line onUnblocked, in order", () => {
  const { table, calls } = message([write("a")], [write("a")], [write("a")]);

  table.release(calls[0]!);
  const afterFirst = started(calls);
  table.release(calls[1]!);

  expect(afterFirst).toEqual([true, true, false]);
  expect(calls[2]!.proceeded).toBe(true);
});

test("an undecided earlier call conflicts with everything", () => {
  const table = new ClaimTable();
  table.begin();
  const [first, second] = [new Call(), new Call()];
  table.enter(first);
  table.enter(second);
  table.decide(second, [read("b")]);

  const before = table.tryProceed(second);
  table.wait(second);
  table.decide(first, [write("a")]);

  expect(before).toBe(false);
  expect(second.proceeded).toBe(true);
});

test("an undecided call that is released no longer stands in the way", () => {
  const table = new ClaimTable();
  table.begin();
  const [first, second] = [new Call(), new Call()];
  table.enter(first);
  table.enter(second);
  table.decide(second, []);
  table.wait(second);

  table.release(first);

  expect(second.proceeded).toBe(true);
});

test("changed claims wake whom they no longer concern", () => {
  const { table, calls } = message([write("a")], [write("a")]);

  table.decide(calls[0]!, [write("b")]);

  expect(calls[1]!.proceeded).toBe(true);
});

test("changed claims wait for a later call that runs already", () => {
  const table = new ClaimTable();
  table.begin();
  const [asked, running] = [new Call(), new Call()];
  table.enter(asked);
  table.enter(running);
  table.decide(asked, [write("a")]);
  table.decide(running, [write("b")]);
  table.tryProceed(running);

  table.decide(asked, [write("b")]);
  const before = table.tryProceed(asked);
  table.wait(asked);
  table.release(running);

  expect(before).toBe(false);
  expect(asked.proceeded).toBe(true);
});

test("what an earlier message holds comes before the next message", () => {
  const { table, calls } = message([write("a")]);
  let gone = 0;
  table.begin(() => gone++);
  const next = new Call();
  table.enter(next);
  table.decide(next, [write("a")]);

  const before = table.tryProceed(next);
  table.wait(next);
  const leftovers = table.hasLeftovers;
  table.release(calls[0]!);

  expect({ before, leftovers, gone }).toEqual({ before: false, leftovers: true, gone: 1 });
  expect(next.proceeded).toBe(true);
  expect(table.hasLeftovers).toBe(false);
});

test("releasing twice does no harm", () => {
  const { table, calls } = message([write("a")], [write("a")]);

  table.release(calls[0]!);
  table.release(calls[0]!);
  table.release(calls[1]!);
  const late = new Call();
  table.enter(late);
  table.decide(late, [write("a"), read("a")]);

  expect(table.tryProceed(late)).toBe(true);
});

test.each([
  ["touch other things", (index: number) => [write(`file ${index}`)]],
  ["all wait for each other", () => [write("*")]],
  ["read everything beside it", () => [read("*")]],
])("what a call costs does not grow with the number of calls that %s", (_, claimsFor) => {
  const looksFor = (count: number) => {
    let looks = 0;
    const watched = (): Claimant => {
      let order = -1;
      return {
        get order() {
          looks++;
          return order;
        },
        set order(place) {
          order = place;
        },
        claims: null,
        startedAs: 0,
        onUnblocked() {},
      };
    };
    const table = new ClaimTable();
    table.begin();
    const calls = Array.from({ length: count }, watched);
    for (const call of calls) table.enter(call);
    for (const [index, call] of calls.entries()) table.decide(call, claimsFor(index));
    for (const call of calls) if (!table.tryProceed(call)) table.wait(call);
    for (const call of calls) table.release(call);
    return looks;
  };

  expect(looksFor(1_000)).toBeLessThan(11 * looksFor(100));
});

test("a tool without claims() claims what its permission implies", () => {
  const claimed = (["none", "read_only", "read_write", "execute"] as const).map((permission) =>
    claimsOfCall(
      tool("t", async () => "", { permission }),
      {},
    ),
  );

  expect(claimed).toEqual([[], [read("*")], [write("*")], [write("*")]]);
});

test("claims are computed from the input", () => {
  const edit = tool("edit", async () => "", { claims: ({ path }: { path: string }) => [write(path)] });

  expect(claimsOfCall(edit, { path: "src/a.ts" })).toEqual([write("src/a.ts")]);
});
