import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isHarnessError } from "../../../src/index.js";
import { createFileMailbox, createMemoryMailbox, type Mailbox } from "../../../src/tasks/index.js";
import { MemberMail } from "../../../src/tasks/team/member-mail.js";
import { temporaryDirectory } from "../../sessions/kit.js";

/** Two views of one mailbox, as two processes have them. */
const MAILBOXES: Record<string, () => readonly [Mailbox, Mailbox]> = {
  "in memory": () => {
    const mailbox = createMemoryMailbox();
    return [mailbox, mailbox];
  },
  "in files": () => {
    const dir = temporaryDirectory();
    return [createFileMailbox({ dir: join(dir, "mail") }), createFileMailbox({ dir: join(dir, "mail") })];
  },
};

const message = (text: string, to = "bob", sentAt = 1) => ({ from: "ann", to, text, sentAt });

describe.each(Object.entries(MAILBOXES))("a mailbox %s", (_name, make) => {
  test("keeps messages in their order until they are taken, for each member its own", async () => {
    const [here, there] = make();
    await here.send(message("one"));
    await here.send(message("two", "bob", 2));
    await here.send(message("other", "BOB"));

    expect(await there.take("bob")).toEqual([message("one"), message("two", "bob", 2)]);
    expect(await here.take("bob")).toEqual([]);
    expect(await there.take("BOB")).toEqual([message("other", "BOB")]);
    expect(await there.take("nobody")).toEqual([]);
  });

  test("messages of one millisecond are taken in the order in which they were sent", async () => {
    const [here, there] = make();
    const sent = Array.from({ length: 12 }, (_, n) => message(`m${n}`));
    for (const one of sent) await here.send(one);

    expect(await there.take("bob")).toEqual(sent);
  });

  test("a member that ends puts back what it has not read, in its order", async () => {
    const [here, there] = make();
    const sent = Array.from({ length: 5 }, (_, n) => message(`m${n}`));
    for (const one of sent) await here.send(one);
    const mail = new MemberMail("bob", there);
    await mail.look();

    await mail.close();

    expect(await here.take("bob")).toEqual(sent);
  });

  test("of several that take at once, one gets each message", async () => {
    const [here, there] = make();
    for (let n = 0; n < 30; n++) await here.send(message(String(n)));

    const taken = await Promise.all([here, there, here, there].map((mailbox) => mailbox.take("bob")));

    const texts = taken.flat().map(({ text }) => Number(text));
    expect(texts.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => n));
  });

  test("a watcher hears of a message that another sends, and of none once it has ended", async () => {
    const [here, there] = make();
    let unwatch = () => {};
    const heard = new Promise<void>((resolve) => {
      unwatch = here.watch("bob", async () => {
        if ((await here.take("bob")).length > 0) resolve();
      });
    });

    await there.send(message("hello"));
    await heard;
    unwatch();
  });
});

const isFull = (mailbox: Mailbox) =>
  mailbox.send(message("z")).then(
    () => false,
    (error) => isHarnessError(error, "TOOL_FAILED"),
  );

test("a bounded number of messages waits for a member that does not read", async () => {
  const mailbox = createMemoryMailbox({ maxWaiting: 3 });
  const inFiles = createFileMailbox({ dir: temporaryDirectory(), maxWaiting: 3 });
  for (let n = 0; n < 3; n++) {
    await mailbox.send(message("x"));
    await inFiles.send(message("x"));
  }

  expect(await isFull(mailbox)).toBe(true);
  expect(await isFull(inFiles)).toBe(true);
});

test("what is not a message of the member stays in the directory, and is not read", async () => {
  const dir = temporaryDirectory();
  const mailbox = createFileMailbox({ dir });
  await mailbox.send(message("whole"));
  const [own] = readdirSync(dir);
  writeFileSync(join(dir, own!, "1.json"), "{");
  writeFileSync(join(dir, own!, "2.json"), JSON.stringify({ v: 1, ...message("for another", "zoe") }));
  mkdirSync(join(dir, own!, "3.json"));

  expect(await mailbox.take("bob")).toEqual([message("whole")]);
  expect(readdirSync(join(dir, own!)).sort()).toEqual(["1.json", "2.json", "3.json"]);
});

test("unknown options are refused", () => {
  expect(() => createFileMailbox({ directory: "x" } as never)).toThrow(/no option "directory"/);
});
