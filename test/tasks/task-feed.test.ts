import { expect, test } from "vitest";
import { newTask } from "../../src/tasks/task-changes.js";
import { TaskFeed } from "../../src/tasks/task-feed.js";

const at = (version: number, id = "1") => ({ ...newTask({ subject: "a" }, id, 0), version });

test("a watcher sees no version after a later one, in whatever order they arrive", async () => {
  const feed = new TaskFeed();
  const watcher = feed.watch(undefined);
  feed.publish(at(3));
  feed.publish(at(2));
  feed.publish(at(1, "2"));
  expect([(await watcher.next()).value, (await watcher.next()).value]).toMatchObject([
    { id: "1", version: 3 },
    { id: "2", version: 1 },
  ]);
  feed.publish(at(1));
  feed.publish(at(4));
  expect((await watcher.next()).value).toMatchObject({ id: "1", version: 4 });
});

test("what watches for everybody goes on until the last watcher leaves, and begins again with the next", async () => {
  const calls: string[] = [];
  const feed = new TaskFeed(() => {
    calls.push("begin");
    return () => void calls.push("end");
  });
  const [one, two] = [feed.watch(undefined), feed.watch(undefined)];
  await one.return!();
  await one.return!();
  expect(calls).toEqual(["begin"]);
  await two.return!();
  expect(calls).toEqual(["begin", "end"]);
  await feed.watch(AbortSignal.abort()).return!();
  expect(calls).toEqual(["begin", "end", "begin", "end"]);
});
