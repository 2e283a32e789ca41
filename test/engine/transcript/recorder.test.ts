// Entries reach the store in order, each once, and none is lost.
import { expect, test } from "vitest";
import { SessionError } from "../../../src/contracts/errors.js";
import { Recorder } from "../../../src/engine/transcript/recorder.js";
import { Transcript } from "../../../src/engine/transcript/transcript.js";
import { fakeRuntime } from "../../../src/testing/index.js";
import { entriesOf, HeldStore, quiet } from "../kit.js";

function recording() {
  const store = new HeldStore();
  const recorder = new Recorder(new Transcript(), store, "s", "r", fakeRuntime());
  const say = (name: string) => recorder.record({ type: "custom", name, data: null });
  const kept = async () => (await entriesOf(store, "s")).map((entry) => (entry.type === "custom" ? entry.name : "?"));
  return { store, recorder, say, kept };
}

test("entries recorded while a write is under way go with the next one", async () => {
  const { store, recorder, say, kept } = recording();

  store.hold();
  say("one");
  const first = recorder.commit();
  await quiet();
  say("two");
  const second = recorder.commit();
  say("three");
  store.letGo();
  await Promise.all([first, second]);
  await recorder.commit();

  expect(await kept()).toEqual(["one", "two", "three"]);
});

test("commit resolves only when everything recorded before it is kept", async () => {
  const { store, recorder, say } = recording();
  let committed = false;

  store.hold();
  say("one");
  void recorder.commit();
  say("two");
  const second = recorder.commit().then(() => {
    committed = true;
  });
  await quiet();
  const early = committed;
  store.letGo();
  await second;

  expect({ early, committed }).toEqual({ early: false, committed: true });
});

test("there is one write at a time, and commits while nothing is new write nothing", async () => {
  const { store, recorder, say } = recording();

  store.hold();
  say("one");
  const commits = [recorder.commit(), recorder.commit(), recorder.commit()];
  await quiet();
  const waiting = store.waiting;
  store.letGo();
  await Promise.all([...commits, recorder.commit()]);

  expect(waiting).toBe(1);
  expect(store.waiting).toBe(0);
});

test("after a failed write nothing more is written, so the store has no gap", async () => {
  const { store, recorder, say, kept } = recording();

  say("one");
  await recorder.commit();
  store.failOn((entries) => entries.some((entry) => entry.type === "custom" && entry.name === "two"));
  say("two");
  const failed = await recorder.commit();
  say("three");
  const after = await recorder.commit();

  expect([failed, after]).toEqual([false, false]);
  expect(recorder.failure).toMatchObject({
    code: "SESSION_WRITE",
    message: expect.stringContaining("the disk is full"),
  });
  expect(await kept()).toEqual(["one"]);
});

test("a store's own account of its failure is reported once, with whether another try may help", async () => {
  const { store, recorder, say } = recording();
  const message = 'Session "s" could not be written: the disk is full; free some space.';
  const full = new SessionError("SESSION_WRITE", { message, retryable: true });
  store.append = () => Promise.reject(full);

  say("one");
  await recorder.commit();

  expect(recorder.failure).toMatchObject({
    message: `${message} What was committed before is intact.`,
    retryable: true,
    details: { entries: 1 },
    cause: full,
  });
});

test("entries are linked to the one before, dated by the runtime, and numbered within their run", async () => {
  const { store, recorder, say } = recording();

  say("one");
  recorder.turn = 3;
  say("two");
  await recorder.commit();

  expect(await entriesOf(store, "s")).toMatchObject([
    { v: 1, id: "r.1", parent: null, at: 1_700_000_000_000, runId: "r", turn: 0 },
    { v: 1, id: "r.2", parent: "r.1", turn: 3 },
  ]);
});

test("a record the transcript refuses is not written", async () => {
  const { recorder, kept } = recording();

  expect(() => recorder.record({ type: "tool-start", toolCallId: "nobody", inputDigest: "" })).toThrow("nobody");
  await recorder.commit();

  expect(await kept()).toEqual([]);
});

test("a store whose append throws instead of rejecting fails like any other", async () => {
  const store = {
    append: () => {
      throw new Error("out of order");
    },
  } as unknown as HeldStore;
  const recorder = new Recorder(new Transcript(), store, "s", "r", fakeRuntime());
  recorder.record({ type: "custom", name: "one", data: null });

  expect(await recorder.commit()).toBe(false);
  expect(recorder.failure).toMatchObject({ code: "SESSION_WRITE", message: expect.stringContaining("out of order") });
});
